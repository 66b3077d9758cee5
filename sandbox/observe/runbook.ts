/** docs/operations.md as a page whose sections alerts can link to; the text itself stays Markdown. */

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** As GitHub makes them of headings. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Only the runbook itself is here: a link to another document is its text. */
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;

export function runbookPage(markdown: string): string {
  const body = markdown
    .split('\n')
    .map((line) => {
      const [, level, heading] = /^(#+) (.*)$/.exec(line) ?? [];
      if (level && heading)
        return `</pre><h${level.length} id="${anchorOf(heading)}">${escaped(heading)}</h${level.length}><pre>`;
      return escaped(line).replaceAll(LINK, (_link, text: string, target: string) =>
        /^(#|https:)/.test(target) ? `<a href="${target}">${text}</a>` : text,
      );
    })
    .join('\n');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Runbook</title><link rel="stylesheet" href="/observe.css">
<main class="runbook"><pre>${body}</pre></main></html>`;
}
