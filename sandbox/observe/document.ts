/**
 * A Markdown document of docs/ as a page whose sections alerts can link to: headings, tables, lists, code and links.
 */

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The anchor of a heading, as GitHub forms it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Only docs/ is served: a link to another folder becomes plain text. */
const LEADS_SOMEWHERE = /^(#|https:|(decisions\/)?[\w-]+\.md)/;

/** Code is removed first, so that nothing within it is parsed as Markdown. */
function inline(text: string): string {
  const codes: string[] = [];
  const withoutCode = text.replaceAll(/`([^`]+)`/g, (_code, code: string) => {
    codes.push(`<code>${escaped(code)}</code>`);
    return `\0${codes.length - 1}\0`;
  });
  return escaped(withoutCode)
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_link, words: string, target: string) =>
      LEADS_SOMEWHERE.test(target) ? `<a href="${target}">${words}</a>` : words,
    )
    .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<![\w/])_([^_]+)_(?!\w)/g, '<em>$1</em>')
    .replaceAll(/\0(\d+)\0/g, (_mark, index: string) => codes[Number(index)] ?? '');
}

interface Heading {
  readonly level: number;
  readonly text: string;
}

const CODE = /^```/;
const HEADING = /^(#{1,6}) (.*)$/;
const TABLE = /^\|/;
const ITEM = /^(?:-|(\d+)\.) (.*)$/;
const HTML = /^<img /;

function table(rows: readonly string[]): string {
  const cellsOf = (row: string) =>
    row
      .replace(/^\|/, '')
      .replace(/\|\s*$/, '')
      .split(/(?<!\\)\|/);
  const line = (row: string, cell: 'th' | 'td') =>
    `<tr>${cellsOf(row)
      .map((text) => `<${cell}>${inline(text.trim().replaceAll('\\|', '|'))}</${cell}>`)
      .join('')}</tr>`;
  const [head = '', , ...body] = rows;
  return `<table>${line(head, 'th')}${body.map((row) => line(row, 'td')).join('')}</table>`;
}

/** A numbered list interrupted by code continues with its number. */
function list(items: readonly string[]): string {
  const [, number] = ITEM.exec(items[0] ?? '') ?? [];
  const body = items.map((item) => `<li>${inline(ITEM.exec(item)?.[2] ?? '')}</li>`).join('');
  return number ? `<ol start="${number}">${body}</ol>` : `<ul>${body}</ul>`;
}

function heading({ level, text }: Heading): string {
  return `<h${level} id="${anchorOf(text)}">${inline(text)}</h${level}>`;
}

function contents(headings: readonly Heading[]): string {
  const links = headings
    .filter(({ level }) => level === 2 || level === 3)
    .map(
      ({ level, text }) => `<li class="level-${level}"><a href="#${anchorOf(text)}">${inline(text)}</a></li>`,
    );
  return `<nav aria-label="Contents"><ul>${links.join('')}</ul></nav>`;
}

export function documentPage(markdown: string): string {
  const lines = markdown.split('\n');
  const headings: Heading[] = [];
  const blocks: string[] = [];
  const takeWhile = (continues: (line: string) => boolean) => {
    const taken: string[] = [];
    while (lines[0] !== undefined && continues(lines[0])) taken.push(lines.shift() ?? '');
    return taken;
  };
  const isText = (line: string) =>
    line !== '' && ![CODE, HEADING, TABLE, ITEM, HTML].some((each) => each.test(line));
  for (let line = lines[0]; line !== undefined; line = lines[0]) {
    const [, level, text] = HEADING.exec(line) ?? [];
    if (CODE.test(line)) {
      lines.shift();
      blocks.push(`<pre>${escaped(takeWhile((each) => !CODE.test(each)).join('\n'))}</pre>`);
      lines.shift();
    } else if (level && text) {
      const found = { level: level.length, text };
      headings.push(found);
      blocks.push(heading(found));
      lines.shift();
    } else if (TABLE.test(line)) blocks.push(table(takeWhile((each) => TABLE.test(each))));
    else if (ITEM.test(line)) blocks.push(list(takeWhile((each) => ITEM.test(each))));
    else if (isText(line)) blocks.push(`<p>${inline(takeWhile(isText).join(' '))}</p>`);
    else blocks.push(lines.shift() ?? '');
  }
  const title = escaped(headings[0]?.text ?? '');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><link rel="stylesheet" href="/observe.css">
<div class="document">${contents(headings)}<article>${blocks.join('\n')}</article></div></html>`;
}
