/** The type of a catalogue, in any language. */
export type Texts<Catalogue> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string
    ? string
    : Catalogue[Key] extends PluralForms
      ? PluralForms
      : Texts<Catalogue[Key]>;
};

/** A text for each form that `Intl.PluralRules` chooses; `other` for forms without their own text. */
export type PluralForms = { readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string };
