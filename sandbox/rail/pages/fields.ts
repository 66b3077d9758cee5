/** The card-field document, which the hosted page frames. Its script is `browser/fields.ts`. */
import type { Language } from '../../../domain/core/languages.ts';
import { FIELD_STRINGS } from './field-strings.ts';
import { escapeHtml } from './html.ts';

export interface FieldsPage {
  readonly account: string;
  readonly parentOrigin: string;
  readonly language: Language;
}

export function fieldsPage({ account, parentOrigin, language }: FieldsPage): string {
  const strings = FIELD_STRINGS[language];
  return `<!doctype html>
<html lang="${language}">
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
${name === 'number' ? '<span class="brand" aria-hidden="true"></span>' : ''}
</div>
<p class="problem" id="${name}-problem" aria-live="polite"></p>
</div>`;
}
