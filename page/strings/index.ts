/** One catalogue per language; the document carries only its own, so a further language costs no visitor a byte. */
import { de } from './de.ts';
import { en } from './en.ts';
import type { MethodChangeTexts } from './method-change/index.ts';

type Texts<Catalogue> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string ? string : Texts<Catalogue[Key]>;
};
/** What every language has to say: a text that is missing in one is a type error. */
export type Strings = Texts<typeof en> & {
  /** There only where a payment method is changed. */
  readonly methodChange?: MethodChangeTexts;
};
export type PluralForms = { readonly one: string; readonly other: string };

export const CATALOGUES = { en, de } satisfies Record<string, Strings>;
export type Language = keyof typeof CATALOGUES;

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(CATALOGUES, text);
}
