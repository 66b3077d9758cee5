/** The type of a catalogue, in any language. */
import type { en } from './en.ts';
import type { MethodChangeStrings } from './method-change/shape.ts';

export type Texts<Catalogue> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string
    ? string
    : Catalogue[Key] extends PluralForms
      ? PluralForms
      : Texts<Catalogue[Key]>;
};
/** Every text of the page; a text missing in a language is a type error. */
export type Strings = Texts<typeof en> & {
  /** Present for a payment method change only. */
  readonly methodChange?: MethodChangeStrings['own'];
};
/** A text for each form that `Intl.PluralRules` chooses; `other` for forms without their own text. */
export type PluralForms = { readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string };
