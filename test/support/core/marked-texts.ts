/** Marks around every text of a catalogue: characters without width, which locators ignore. */
const START = '\u200b';
const END = '\u00ad';

/** Changes the catalogue in place, for everything in this process that uses it. */
export function mark(texts: object): void {
  for (const [key, text] of Object.entries(texts) as [string, unknown][]) {
    if (typeof text === 'object' && text !== null) mark(text);
    else if (key !== 'direction') Reflect.set(texts, key, START + text + END);
  }
}

/** A text without its marked parts, which may be nested. */
export function outsideMarks(text: string): string {
  let depth = 0;
  let outside = '';
  for (const character of text) {
    if (character === START) depth++;
    else if (character === END) depth--;
    else if (depth === 0) outside += character;
  }
  return outside;
}
