import { readFile } from 'node:fs/promises';
import type { Price, Product } from '../../../contract/catalogue/resources.ts';
import { CARDS_TO_TRY } from '../../rail/core/test-cards.ts';
import { type Html, html } from './html.ts';
import { layout, liveEvents } from './layout.ts';

export interface ShelfItem {
  readonly kind: string;
  readonly product: Product;
  readonly price: Price;
}

const VERIFY = new URL('../core/verify.ts', import.meta.url);

export async function storefrontPage(shelf: readonly ShelfItem[]): Promise<string> {
  return layout(
    'Harbour Coffee',
    html`<section class="hero">
  <h1>Good coffee, slowly made.</h1>
  <p>Buy something: pay on the hosted page with a test card, and watch the shop's webhooks arrive below.</p>
  <p><a href="/browser">The same from the browser alone, without the shop's server</a></p>
</section>
<section class="shelf" aria-label="Products">
${shelf.length > 0 ? shelf.map(card) : html`<p class="empty">Nothing to sell: the service does not answer.</p>`}
</section>
<section class="cards" aria-labelledby="cards-title">
  <h2 id="cards-title">Cards to try</h2>
  <p>Any future date, any three digits.</p>
  <dl>${CARDS_TO_TRY.map(([number, what]) => html`<div><dt><code>${number}</code></dt><dd>${what}</dd></div>`)}</dl>
</section>
${liveEvents()}
<section class="code" aria-labelledby="code-title">
  <div class="section-head">
    <h2 id="code-title">How this shop verifies them</h2>
    <button type="button" class="copy" data-copy="verify">Copy</button>
  </div>
  <p>The code that runs here. Copy it: it needs nothing but Node.</p>
  <pre tabindex="0" aria-label="Source code"><code id="verify">${await readFile(VERIFY, 'utf8')}</code></pre>
</section>`,
  );
}

function card({ kind, product, price }: ShelfItem): Html {
  return html`<article class="card">
  <img src="/assets/${kind}.svg" alt="" width="320" height="200">
  <h2>${product.name}</h2>
  <p>${product.description ?? ''}</p>
  <p class="price">${priceInWords(price)}</p>
  <form method="post" action="/buy/${kind}">
    <button type="submit" class="button">${callToAction(price)} <span class="hidden">${product.name}</span></button>
  </form>
</article>`;
}

function priceInWords({ amount, currency, recurring }: Price): Html {
  const money = new Intl.NumberFormat('en-IE', { style: 'currency', currency }).format(amount / 100);
  if (!recurring) return html`<strong>${money}</strong>`;
  const { interval, interval_count: count, trial_period_days: trialDays } = recurring;
  const period = count === 1 ? interval : `${count} ${interval}s`;
  const trial = trialDays ? `, the first ${trialDays} days free` : '';
  return html`<strong>${money}</strong> a ${period}${trial}`;
}

function callToAction({ recurring }: Price): string {
  if (!recurring) return 'Buy';
  return recurring.trial_period_days ? 'Try' : 'Subscribe';
}
