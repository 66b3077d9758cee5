/** The bank's 3-D Secure page, from 250 x 400 pixels to a full window, without scripts. */
import type { Language } from '../../../domain/core/languages.ts';
import type { Charge } from '../db/charges.ts';
import { CHALLENGE_STRINGS } from './challenge-strings.ts';
import { escapeHtml } from './html.ts';

export function challengePage(charge: Charge, merchantName: string, language: Language): string {
  const strings = CHALLENGE_STRINGS[language];
  const last4 = charge.method?.last4 ?? '';
  return bankPage(
    language,
    `<h1>${strings.title}</h1>
<p>${strings.intro}</p>
<dl>
<div><dt>${strings.merchant}</dt><dd>${escapeHtml(merchantName)}</dd></div>
<div><dt>${strings.amount}</dt><dd>${escapeHtml(amountText(charge, language))}</dd></div>
<div><dt>${strings.card}</dt><dd>•••• ${escapeHtml(last4)}</dd></div>
</dl>
<form method="post">
<button class="main" name="result" value="approve">${strings.approve}</button>
<button name="result" value="fail">${strings.decline}</button>
</form>`,
  );
}

export function unknownChallengePage(language: Language): string {
  return bankPage(language, `<h1>${CHALLENGE_STRINGS[language].unknown}</h1>`);
}

function bankPage(language: Language, content: string): string {
  const strings = CHALLENGE_STRINGS[language];
  return `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${strings.title}</title>
<link rel="stylesheet" href="/assets/challenge.css">
</head>
<body>
<header><span class="mark" aria-hidden="true"></span>Sandbox Bank</header>
<main>
${content}
</main>
<footer>${strings.simulated}</footer>
</body>
</html>
`;
}

function amountText({ amount, currency }: Charge, language: Language): string {
  if (amount === 0) return CHALLENGE_STRINGS[language].noAmount;
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount / 100);
}
