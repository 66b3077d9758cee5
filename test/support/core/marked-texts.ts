/** Marks around every text of a catalogue: characters without width, which locators ignore. */
const START = '\u200b';
const END = '\u00ad';

/**
 * Changes the catalogue in place, for everything in this process that uses it: the test files that follow as well,
 * until `unmark`.
 */
export function mark(texts: object): void {
  change(texts, (text) => START + text + END);
}

export function unmark(texts: object): void {
  change(texts, (text) => text.slice(START.length, -END.length));
}

function change(texts: object, to: (text: string) => string): void {
  for (const [key, text] of Object.entries(texts) as [string, object | string | null][]) {
    if (typeof text === 'object' && text !== null) change(text, to);
    else if (key !== 'direction') Reflect.set(texts, key, to(String(text)));
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
