/**
 * The document around Stripe's script, and the only one in which that script runs. Its policy allows exactly the
 * sources that Stripe documents for its script (https://docs.stripe.com/security/guide?csp=csp-js), except those for
 * maps, which only address fields need, and for images, which only Stripe's checkout page needs.
 */
import { type Language, languageOfTag } from '../../domain/core/languages.ts';
import { DEFAULT_CURRENCY } from '../../domain/core/money.ts';
import type { FieldsDocument, FieldsDocumentRequest } from '../card-fields.ts';
import { FIELD_STRINGS, type FieldStrings } from './core/field-strings.ts';

/** The release of Stripe's script that matches the pinned API version. */
export const STRIPE_SCRIPT_URL = 'https://js.stripe.com/endive/stripe.js';

const STRIPE_SOURCES = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
};

export interface FieldsSettings {
  readonly publishableKey: string;
  /** Differs from Stripe's in tests only: its origin then replaces all of Stripe's origins. */
  readonly scriptUrl: string;
}

export function fieldsDocument(settings: FieldsSettings, request: FieldsDocumentRequest): FieldsDocument {
  const { query, pageOrigin, nonce } = request;
  const language = languageOfTag(query.get('lang')) ?? 'en';
  const currency = (query.get('currency') ?? DEFAULT_CURRENCY).toLowerCase();
  const boot = {
    publishableKey: settings.publishableKey,
    pageOrigin,
    language,
    strings: FIELD_STRINGS[language],
    currency,
  };
  return {
    html: documentOf(boot, settings.scriptUrl, request),
    contentSecurityPolicy: policyOf(settings.scriptUrl, nonce, pageOrigin),
    permissionsPolicy: 'payment=*, camera=(), microphone=(), geolocation=()',
  };
}

/**
 * Reloads the document if its script fails the integrity check: during a rollout the document and the script can come
 * from different builds. The count of reloads is in the URL, because browsers keep no storage for a frame of another
 * site.
 */
export const RELOAD_FIELDS_WHEN_REFUSED = `
addEventListener('error', ({ target }) => {
  const tries = Number(location.hash.slice(1));
  if (target?.id !== 'fields' || tries >= 10) return;
  history.replaceState(null, '', '#' + (tries + 1));
  setTimeout(() => location.reload(), 1000);
}, true);
`;

function policyOf(scriptUrl: string, nonce: string, pageOrigin: string): string {
  const isStripes = new URL(scriptUrl).hostname === 'js.stripe.com';
  const standIn = [new URL(scriptUrl).origin];
  const sources = (of: keyof typeof STRIPE_SOURCES) => (isStripes ? STRIPE_SOURCES[of] : standIn).join(' ');
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${pageOrigin}`,
    `script-src 'nonce-${nonce}' ${sources('script')}`,
    `style-src 'nonce-${nonce}'`,
    `frame-src ${sources('frame')}`,
    `connect-src ${sources('connect')}`,
  ].join('; ');
}

function documentOf(
  boot: { readonly language: Language; readonly strings: FieldStrings },
  scriptUrl: string,
  request: FieldsDocumentRequest,
): string {
  const { language, strings } = boot;
  const nonce = escaped(request.nonce);
  return `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${strings.title}</title>
<style nonce="${nonce}">${STYLE}</style>
<script src="${escaped(scriptUrl)}" nonce="${nonce}"></script>
</head>
<body>
<form id="card" novalidate>
${field('number', strings.number)}
<div class="pair">
${field('expiry', strings.expiry)}
${field('cvc', strings.cvc)}
</div>
</form>
<div id="wallet" hidden></div>
<script type="application/json" id="boot">${JSON.stringify(boot).replaceAll('<', '\\u003c')}</script>
<script nonce="${nonce}">${RELOAD_FIELDS_WHEN_REFUSED}</script>
<script type="module" id="fields" src="${escaped(request.scriptUrl)}" integrity="${escaped(request.scriptIntegrity)}" nonce="${nonce}"></script>
</body>
</html>
`;
}

/** Drawing of the back of a card that shows where the code is. */
const CODE =
  '<svg class="code" viewBox="0 0 40 24" aria-hidden="true" focusable="false"><rect width="40" height="24" rx="4" fill="#dfe4ec"/><path d="M0 4h40v4H0z" fill="#556074"/><path d="M4 13h17v5H4z" fill="#fff"/><rect x="23.5" y="11" width="13" height="9" rx="2.5" fill="#fff" stroke="#1f5fd6" stroke-width="1.5"/><path d="M27 15.5h1.2m1.2 0h1.2m1.2 0h1.2" stroke="#1b2330" stroke-width="1.6"/></svg>';

function field(name: string, label: string): string {
  const picture = name === 'cvc' ? CODE : '';
  return `<div class="field"><label for="${name}">${label}</label><div class="around"><div class="box" id="${name}"></div>${picture}</div><p class="problem" id="${name}-problem" aria-live="polite"></p></div>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Stripe’s frames declare the light scheme; inside a dark one, the browser would draw them on white. */
const STYLE = `:root{color-scheme:light dark;font:16px/1.4 system-ui,sans-serif;color:#1b2330}*{box-sizing:border-box}[hidden]{display:none!important}body{margin:0;padding:3px}form,#wallet{display:grid;gap:14px}.pair{display:grid;grid-template-columns:1fr 1fr;gap:14px}@media (max-width:239px){.pair{grid-template-columns:1fr}}label{display:block;margin-bottom:5px;font-size:14px;font-weight:600}.box{min-height:48px;padding:13px;border:1px solid #8a94a6;border-radius:8px;background:#fff}.around{position:relative}#cvc{padding-right:58px}.code{position:absolute;top:50%;right:10px;width:40px;height:24px;margin-top:-12px;pointer-events:none}.box.StripeElement--focus{outline:3px solid #1f5fd6;outline-offset:0;border-color:#1f5fd6}.box[data-invalid]{border-color:#b3261e}.problem{margin:5px 0 0;min-height:0;font-size:14px;color:#b3261e}.problem:empty{display:none}#wallet p{margin:0}#wallet button{justify-self:start;border:0;background:none;padding:8px 0;font:inherit;color:#1f5fd6;text-decoration:underline;cursor:pointer}iframe{color-scheme:light}@media (prefers-color-scheme:dark){:root{background:#171c24;color:#e8ecf2}.box{background:#171c24;border-color:#7b8799}.box.StripeElement--focus{outline-color:#8ab4ff;border-color:#8ab4ff}.box[data-invalid]{border-color:#ff9d94}.problem{color:#ff9d94}#wallet button{color:#8ab4ff}}`;
