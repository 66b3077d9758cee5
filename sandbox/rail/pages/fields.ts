/** The card-field document, which the hosted page frames. Its script is `browser/fields.ts`. */
import type { Language } from '../../../domain/core/languages.ts';
import { FIELD_STRINGS } from './field-strings.ts';
import { escapeHtml } from './html.ts';

/** Drawing of the back of a card that shows where the code is. */
const CODE =
  '<svg class="code" viewBox="0 0 40 24" aria-hidden="true" focusable="false"><rect width="40" height="24" rx="4" fill="#dfe4ec"/><path d="M0 4h40v4H0z" fill="#556074"/><path d="M4 13h17v5H4z" fill="#fff"/><rect x="23.5" y="11" width="13" height="9" rx="2.5" fill="#fff" stroke="#1f5fd6" stroke-width="1.5"/><path d="M27 15.5h1.2m1.2 0h1.2m1.2 0h1.2" stroke="#1b2330" stroke-width="1.6"/></svg>';

export interface FieldsPage {
  readonly account: string;
  readonly parentOrigin: string;
  readonly language: Language;
}

export function fieldsPage({ account, parentOrigin, language }: FieldsPage): string {
  const strings = FIELD_STRINGS[language];
  return `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${strings.title}</title>
<link rel="stylesheet" href="/assets/fields.css">
<script type="module" src="/assets/fields.ts"></script>
</head>
<body data-account="${escapeHtml(account)}" data-parent-origin="${escapeHtml(parentOrigin)}" data-problems="${escapeHtml(JSON.stringify(strings.problems))}">
<main>
<h1 class="unseen">${strings.title}</h1>
<form novalidate>
${field('number', strings.number, 'autocomplete="cc-number" maxlength="23" placeholder="1234 1234 1234 1234"')}
<div class="pair">
${field('expiry', strings.expiry, `autocomplete="cc-exp" maxlength="9" placeholder="${strings.expiryHint}"`)}
${field('cvc', strings.cvc, 'autocomplete="cc-csc" maxlength="4" placeholder="123"')}
</div>
<button class="unseen" type="submit" tabindex="-1" aria-hidden="true"></button>
</form>
</main>
</body>
</html>
`;
}

function field(name: 'number' | 'expiry' | 'cvc', label: string, attributes: string): string {
  return `<div class="field">
<label for="${name}">${label}</label>
<div class="box">
<input id="${name}" name="${name}" type="text" inputmode="numeric" required spellcheck="false"
 aria-describedby="${name}-problem" ${attributes}>
${name === 'number' ? '<span class="brand" aria-hidden="true"></span>' : ''}${name === 'cvc' ? CODE : ''}
</div>
<p class="problem" id="${name}-problem" aria-live="polite"></p>
</div>`;
}
