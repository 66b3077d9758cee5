/** The frame of every page of the shop. */
import { type Html, html } from './html.ts';

export function layout(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/assets/shop.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<script type="module" src="/assets/shop.js"></script>
</head>
<body>
<header class="top">
  <a class="name" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28">Harbour Coffee</a>
  <span class="note">No real money</span>
</header>
<main>
${content}
</main>
<footer>
  <p>This shop is a merchant like any other: all it has is its API key and its webhook secret.</p>
</footer>
</body>
</html>`.text;
}

/** The list of events, which the script fills and updates. */
export function liveEvents(): Html {
  return html`<section class="events" aria-labelledby="events-title">
  <div class="section-head">
    <h2 id="events-title">Verified webhooks</h2>
    <span class="live" data-live>connecting …</span>
  </div>
  <p>Every delivery with a valid signature, newest first. Only these prove what was paid.</p>
  <ol class="event-list" data-events aria-live="polite"></ol>
  <p class="empty" data-no-events>None yet: buy something.</p>
  <noscript><p>Without JavaScript: <a href="/events">all of them as JSON</a>.</p></noscript>
</section>`;
}
