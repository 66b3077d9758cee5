/** Checks whether a text can be printed on an invoice. */
import { PRINTABLE_RANGES } from './printable-ranges.ts';

/** First and last code point of each range, ascending. Marked pure so that the page's bundle can omit them. */
const ranges = /* @__PURE__ */ rangesOf(PRINTABLE_RANGES);

/** Returns the first character that no invoice font contains, or undefined. */
export function unprintable(text: string): string | undefined {
  return [...text].find(
    (character) =>
      !/[\s\p{Default_Ignorable_Code_Point}]/u.test(character) && !isPrintable(character.codePointAt(0) ?? 0),
  );
}

function isPrintable(code: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [first = 0, last = 0] = ranges[middle] ?? [];
    if (code < first) high = middle;
    else if (code > last) low = middle + 1;
    else return true;
  }
  return false;
}

function rangesOf(text: string): readonly (readonly [first: number, last: number])[] {
  let end = 0;
  return text
    .trim()
    .split(/\s+/)
    .map((step) => {
      const [distance = 0, length = 0] = step.split('.').map((digits) => Number.parseInt(digits, 36));
      const first = end + distance;
      end = first + length;
      return [first, end] as const;
    });
}
