import { readFile } from 'node:fs/promises';
import type { ShopConfig } from '../core/config.ts';
import { type Html, html } from './html.ts';
import { layout, liveEvents } from './layout.ts';

export type CameBack = 'success' | 'fail' | null;

const SCRIPT = new URL('../public/browser-shop.js', import.meta.url);

const CAME_BACK = {
  success: 'Welcome back. This page proves nothing: the webhooks below show what was paid.',
  fail: 'You came back without paying.',
} as const;

export async function browserShopPage(config: ShopConfig, cameBack: CameBack): Promise<string> {
  return layout(
    'Harbour Coffee, from the browser alone',
    html`<section class="hero">
  <h1>From the browser alone.</h1>
  <p>The shop's server takes no part here: the page asks the service what it may sell, and creates the
  checkout session itself. It has a public id, which is not secret, and no API key. The service answers because
  the page's origin is registered for that id.</p>
  <p><a href="/">The same products, bought through the shop's server</a></p>
</section>
${cameBack ? html`<p class="proof" role="status" data-came-back>${CAME_BACK[cameBack]}</p>` : html``}
${shelf(config)}
${liveEvents()}
<section class="code" aria-labelledby="code-title">
  <div class="section-head">
    <h2 id="code-title">How this page buys</h2>
    <button type="button" class="copy" data-copy="source">Copy</button>
  </div>
  <p>The script that runs on this page.</p>
  <pre tabindex="0" aria-label="Source code"><code id="source">${await readFile(SCRIPT, 'utf8')}</code></pre>
</section>
<script type="module" src="/assets/browser-shop.js"></script>`,
  );
}

/** The list of products, which the script fills. */
function shelf({ apiUrl, clientId, products }: ShopConfig): Html {
  const pictures = Object.fromEntries(Object.entries(products).map(([kind, id]) => [id, kind]));
  return html`<p class="empty" role="status" data-note>Asking the service what is for sale …</p>
<section class="shelf" aria-label="Products" data-shelf data-api="${apiUrl}" data-client="${clientId}"
  data-pictures="${JSON.stringify(pictures)}"></section>
<noscript><p>A page that buys from the browser needs JavaScript.</p></noscript>`;
}
