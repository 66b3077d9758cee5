/** The two documents around a bank's page: one frames it, and the bank redirects to the other. */
import { Html, html } from './html.ts';
import { LEAVE_CHALLENGE } from './inline-scripts.ts';
import type { Words } from './words.ts';

export function challengeDocument(words: Words, url: string | null, nonce: string): string {
  const { strings, language } = words;
  return html`<!doctype html>
<html lang="${language}" dir="${strings.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${strings.challengeFrameTitle}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
${url ? html`<main><h1>${strings.challengeLoading}</h1></main><iframe src="${url}" title="${strings.challengeFrameTitle}" allow="publickey-credentials-get *; payment *"></iframe>` : html`<main><h1>${strings.challengeNone}</h1></main>`}
</body>
</html>
`.text;
}

export function challengeReturnDocument(words: Words, pageUrl: string, nonce: string): string {
  const { strings, language } = words;
  return html`<!doctype html>
<html lang="${language}" dir="${strings.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${strings.challengeCheckTitle}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main><h1>${strings.challengeReturned}</h1><p><a href="${pageUrl}" target="_top">${strings.challengeReturnedLink}</a></p></main>
<script nonce="${nonce}" data-page="${pageUrl}">${new Html(LEAVE_CHALLENGE)}</script>
</body>
</html>
`.text;
}

const STYLE = html`:root{color-scheme:light dark}html,body{height:100%;margin:0}body{display:grid;place-items:center;background:#fff;color:#334155;font:15px/1.5 system-ui,sans-serif}main{grid-area:1/1;text-align:center;padding:0 24px}h1{font:inherit;margin:0 0 8px}p{margin:0}iframe{grid-area:1/1;width:100%;height:100%;border:0;position:relative;color-scheme:light}a{color:#1d4ed8}@media (prefers-color-scheme:dark){body{background:#171c24;color:#e8ecf2}a{color:#8ab4ff}}`;
