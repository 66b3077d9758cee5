/**
 * Finds strings outside the catalogue: with a Greek catalogue and Cyrillic data, only those are in Latin
 * letters.
 */

/** A catalogue with every letter replaced by an omega, except in placeholders. Use it with the locale `el`. */
export function inGreek<Texts>(texts: Texts): Texts {
  if (typeof texts === 'string') return texts.replace(/(\{\w+\})|\p{L}/gu, (_, kept) => kept ?? 'ω') as Texts;
  if (typeof texts === 'function')
    return ((...values: unknown[]) => inGreekAround(texts as never, values)) as Texts;
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, inGreek(text)])) as Texts;
}

/** @param write builds a text from values */
function inGreekAround(write: (...values: string[]) => string, values: readonly unknown[]): string {
  const placeholders = values.map((_, n) => `{${n}}`);
  return inGreek(write(...placeholders)).replace(/\{(\d+)\}/g, (_, n) => String(values[Number(n)]));
}

/** The text of a document that a person sees or hears. Omits the list of languages, each named in its own language. */
export function saidIn(html: string): string {
  const body = html.replace(/<(script|style|details)\b.*?<\/\1>/gs, '');
  const attributes = [...body.matchAll(/ (?:title|alt|aria-label|placeholder)="([^"]*)"/g)].map(
    ([, text]) => text,
  );
  return [body.replace(/<[^>]*>/g, '\n').replace(/&#?\w+;/g, ' '), ...attributes].join('\n');
}

export const LATIN = /\p{Script=Latin}+/u;
