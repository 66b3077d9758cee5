import { html } from './html.ts';
import { layout, liveEvents } from './layout.ts';

export interface Return {
  readonly outcome: 'success' | 'fail';
  /** The event that the page waits for, by these three fields. */
  readonly customer: string;
  readonly productId: string;
  readonly since: string;
}

const TITLES = { success: 'Welcome back', fail: 'You came back without paying' } as const;

export function returnPage({ outcome, customer, productId, since }: Return): string {
  return layout(
    TITLES[outcome],
    html`<section class="outcome" data-awaits data-customer="${customer}" data-product="${productId}"
  data-since="${since}">
  <h1>${TITLES[outcome]}</h1>
  <p class="proof" data-proof="waiting" role="status">
    <span class="dot" aria-hidden="true"></span>
    <span data-proof-text>No webhook for this purchase so far.</span>
  </p>
  <p class="detail">This page proves nothing: anyone can open its address. The shop delivers when a
  <strong>verified webhook</strong> says that it was paid, and only then.</p>
  <p><a class="button" href="/">Back to the shop</a></p>
</section>
${liveEvents()}`,
  );
}
