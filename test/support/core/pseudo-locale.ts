/** Finds texts that come from no catalogue: with a catalogue in Greek and data in Cyrillic, they alone are Latin. */

/** A catalogue whose letters are all omegas, with its placeholders. Numbers and dates belong in the locale `el`. */
export function inGreek<Texts>(texts: Texts): Texts {
  if (typeof texts === 'string') return texts.replace(/(\{\w+\})|\p{L}/gu, (_, kept) => kept ?? 'ω') as Texts;
  if (typeof texts === 'function')
    return ((...values: unknown[]) => inGreekAround(texts as never, values)) as Texts;
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, inGreek(text)])) as Texts;
}

/** @param write a text that is made from values */
function inGreekAround(write: (...values: string[]) => string, values: readonly unknown[]): string {
  const placeholders = values.map((_, n) => `{${n}}`);
  return inGreek(write(...placeholders)).replace(/\{(\d+)\}/g, (_, n) => String(values[Number(n)]));
}

/** What a person sees or hears of a document. The names of languages are each in their own. */
export function saidIn(html: string): string {
  const body = html.replace(/<(script|style|details)\b.*?<\/\1>/gs, '');
  const attributes = [...body.matchAll(/ (?:title|alt|aria-label|placeholder)="([^"]*)"/g)].map(
    ([, text]) => text,
  );
  return [body.replace(/<[^>]*>/g, '\n').replace(/&#?\w+;/g, ' '), ...attributes].join('\n');
}

export const LATIN = /\p{Script=Latin}+/u;
