/** One catalogue per language. A document carries only its own, so that further languages cost no bytes. */
import { de } from './de.ts';
import { en } from './en.ts';
import type { Strings } from './shape.ts';

export const CATALOGUES = { en, de } satisfies Record<string, Strings>;
export type Language = keyof typeof CATALOGUES;

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(CATALOGUES, text);
}
