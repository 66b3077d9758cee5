/** The page's HTML: readable before the script runs, usable once it does. */
import { isFinal } from '../../domain/session/session.ts';
import type { PageAssets } from './assets.ts';
import { type Palette, paletteOf } from './colour.ts';
import { formWords } from './form-words.ts';
import { Html, html, json } from './html.ts';
import { icons } from './icons.ts';
import { RELOAD_WHEN_REFUSED } from './inline-scripts.ts';
import { languageSwitch } from './language-switch.ts';
import { isChangeOver } from './method-change-words.ts';
import type { FieldLabels } from './preview.ts';
import { receiptOf } from './receipt.ts';
import { NEW_TAB, type Status, statusOf, titleOf } from './status.ts';
import { totalsOf } from './totals.ts';
import type { PageView } from './view.ts';
import type { Words } from './words.ts';

/** Data that the script reads from the document. */
export interface BootData {
  readonly view: PageView;
  readonly language: string;
  readonly locale: string;
  readonly strings: Words['strings'];
  /** Labels of the card fields that a preview draws; absent on a page that can be paid. */
  readonly preview?: FieldLabels;
}

export interface PageDocument {
  readonly view: PageView;
  readonly words: Words;
  readonly colour: string | null | undefined;
  readonly assets: PageAssets;
  readonly nonce: string;
  readonly preview?: FieldLabels;
}

export function pageDocument({ view, words, colour, assets, nonce, preview }: PageDocument): string {
  const { strings, language } = words;
  const { merchant, product } = view;
  // If the buyer chooses the quantity, a separate field shows it.
  const fixed = view.quantityChoice ? 1 : view.quantity;
  const initial = [...merchant.name][0]?.toLocaleUpperCase(language);
  const price = formWords(words, view);
  const status = statusOf(words, view, { ...NEW_TAB, openedFinished: true });
  const boot: BootData = { view, language, locale: words.locale, strings, ...(preview && { preview }) };
  return shell({
    words,
    nonce,
    assets,
    colour,
    title: titleOf(words, view, status),
    initial,
    body: html`<div class="page"${isChangeOver(view) && html` data-over`}>
  <header class="summary">
    <div class="summary-inner">
      <div class="merchant">
        ${merchant.logoUrl ? html`<img class="logo" src="${merchant.logoUrl}" alt="" width="36" height="36" referrerpolicy="no-referrer">` : html`<span class="monogram" aria-hidden="true">${initial}</span>`}
        <span class="merchant-name" dir="auto">${merchant.name}</span>
        ${view.environment === 'sandbox' && html`<span class="test-badge" title="${strings.testModeHint}">${strings.testMode}</span>`}
      </div>
      <h1 id="heading">${price.heading}</h1>
      <p class="amount"><span class="amount-now" id="amount">${price.amount}</span> <span class="amount-when" id="due"${!price.due && html` hidden`}>${price.due}</span></p>
      ${price.plan && html`<p class="plan" id="plan">${price.plan}</p>`}
      <div class="product">
        ${product.image && html`<img class="product-image${product.image.height > product.image.width && html` tall`}" src="${product.image.url}" alt="" loading="lazy" decoding="async" width="${product.image.width}" height="${product.image.height}">`}
        <p class="product-name" dir="auto">${fixed > 1 && `${fixed} × `}${product.name}</p>
        ${product.description && html`<p class="product-description" dir="auto">${product.description}</p>`}
        <p class="coupon" id="coupon"${!price.coupon && html` hidden`}>${price.coupon}</p>
        <div class="code-entry" id="code-entry" hidden></div>
        <p class="tax" id="tax"${!price.tax && html` hidden`}>${price.tax}</p>
        ${totalsOf(words, view)}
        ${price.method && html`<p class="tax" id="current-method">${price.method}</p>`}
      </div>
      <p class="terms" id="terms"${!price.terms && html` hidden`}>${price.terms}</p>
    </div>
  </header>
  <main class="work" id="work" tabindex="-1">
    <div class="work-inner">
      <div id="panel"${preview && html` inert`}>${status && statusPanel(status, receiptOf(words, view, status.tone), isFinal(view.state) && backToShop(words, view))}${!isFinal(view.state) && notLoaded(strings)}</div>
      ${languageSwitch(words)}
    </div>
  </main>
</div>
<div id="announcer" class="visually-hidden" aria-live="polite" role="status"></div>
<script type="application/json" id="boot">${json(boot)}</script>
<script nonce="${nonce}">${new Html(RELOAD_WHEN_REFUSED)}</script>
<script type="module" id="app" src="${assets.script.path}" integrity="${assets.script.integrity}" nonce="${nonce}"></script>`,
  });
}

export interface PlainDocument {
  readonly words: Words;
  readonly assets: PageAssets;
  readonly nonce: string;
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly text: string };
}

/** Renders a page with a message and at most one link. */
export function plainDocument({ words, assets, nonce, title, text, link }: PlainDocument): string {
  return shell({
    words,
    nonce,
    assets,
    colour: '#475569',
    title,
    body: html`<main class="plain">
  <section class="status" data-tone="failure">
    <div class="status-icon" aria-hidden="true">${icons.failure}</div>
    <h1>${title}</h1>
    <p>${text}</p>
    ${link && html`<div class="status-actions"><a class="button" href="${link.href}">${link.text}</a></div>`}
  </section>
</main>`,
  });
}

/** Renders a notice that appears when the script is refused, or after some seconds, unless the script replaced it. */
function notLoaded(strings: Words['strings']): Html {
  return html`<div class="notice not-loaded"><p>${strings.notLoaded} <a href="">${strings.reload}</a></p></div>`;
}

function backToShop({ strings }: Words, { redirect }: PageView): Html | null {
  return (
    redirect &&
    html`<div class="status-actions"><a class="button" href="${redirect.url}">${strings.returnToShop}</a></div>`
  );
}

function statusPanel({ tone, title, body }: Status, receipt: Html | null, back: Html | null | false): Html {
  return html`<section class="status" data-tone="${tone}">
  <div class="status-icon" aria-hidden="true">${icons[tone]}</div>
  <h2>${title}</h2>
  <p>${body}</p>
  ${back}
  <div class="status-more">${receipt}</div>
</section>`;
}

interface Shell {
  readonly words: Words;
  readonly nonce: string;
  readonly assets: PageAssets;
  readonly colour: string | null | undefined;
  readonly title: string;
  /** The letter in the tab's icon. */
  readonly initial?: string | undefined;
  readonly body: Html;
}

function iconOf({ brand, onBrand }: Palette, initial: string): string {
  const drawn = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${brand}"/><text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-size="20" font-weight="700" fill="${onBrand}">${initial}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawn.text)}`;
}

function shell({
  words: { language, strings },
  nonce,
  assets,
  colour,
  title,
  initial = '',
  body,
}: Shell): string {
  const palette = paletteOf(colour);
  return html`<!doctype html>
<html lang="${language}" dir="${strings.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="${palette.tint}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${palette.dark.tint}" media="(prefers-color-scheme: dark)">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${iconOf(palette, initial)}">
<link rel="stylesheet" href="${assets.style.path}" nonce="${nonce}">
<style nonce="${nonce}">:root{--brand:${palette.brand};--on-brand:${palette.onBrand};--brand-hover:${palette.brandHover};--brand-edge:transparent;--accent:${palette.accent};--tint:${palette.tint}}@media (prefers-color-scheme:dark){:root{--brand-edge:${palette.dark.edge};--accent:${palette.dark.accent};--tint:${palette.dark.tint}}}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}
