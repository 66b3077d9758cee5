/** What a catalogue holds, whatever its language. */
import type { en } from './en.ts';
import type { MethodChangeTexts } from './method-change/texts.ts';

type Texts<Catalogue> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string ? string : Texts<Catalogue[Key]>;
};
/** What every language has to say: a text that is missing in one is a type error. */
export type Strings = Texts<typeof en> & {
  /** There only where a payment method is changed. */
  readonly methodChange?: MethodChangeTexts;
};
export type PluralForms = { readonly one: string; readonly other: string };
