/** The texts of the card fields, shared by the document and its script. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface FieldStrings {
  readonly title: string;
  readonly number: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly cvc: string;
  readonly problems: Readonly<Record<Problem, string>>;
}

/** Invalid input, or a failed request. */
export type Problem =
  | 'number_missing'
  | 'number_invalid'
  | 'not_a_test_card'
  | 'expiry_missing'
  | 'expiry_invalid'
  | 'expiry_past'
  | 'cvc_missing'
  | 'cvc_invalid'
  | 'account_refused'
  | 'rail_unreachable';

export const FIELD_STRINGS: Readonly<Record<Language, FieldStrings>> = {
  en: {
    title: 'Card details',
    number: 'Card number',
    expiry: 'Expiry date',
    expiryHint: 'MM / YY',
    cvc: 'Security code',
    problems: {
      number_missing: 'Enter the card number.',
      number_invalid: 'This card number is not valid.',
      not_a_test_card: 'Only test cards work here. Please use a test card number.',
      expiry_missing: 'Enter the expiry date.',
      expiry_invalid: 'Enter the date as month and year, for example 04 / 30.',
      expiry_past: 'This card has expired.',
      cvc_missing: 'Enter the security code.',
      cvc_invalid: 'The security code has 3 or 4 digits.',
      account_refused: 'Card payments are not available at the moment.',
      rail_unreachable: 'The connection was lost. Nothing was charged; please try again.',
    },
  },
  de: {
    title: 'Kartendaten',
    number: 'Kartennummer',
    expiry: 'Gültig bis',
    expiryHint: 'MM / JJ',
    cvc: 'Prüfnummer',
    problems: {
      number_missing: 'Bitte die Kartennummer eingeben.',
      number_invalid: 'Diese Kartennummer ist nicht gültig.',
      not_a_test_card: 'Hier funktionieren nur Testkarten. Bitte eine Testkartennummer verwenden.',
      expiry_missing: 'Bitte das Ablaufdatum eingeben.',
      expiry_invalid: 'Bitte Monat und Jahr eingeben, zum Beispiel 04 / 30.',
      expiry_past: 'Diese Karte ist abgelaufen.',
      cvc_missing: 'Bitte die Prüfnummer eingeben.',
      cvc_invalid: 'Die Prüfnummer hat 3 oder 4 Ziffern.',
      account_refused: 'Kartenzahlungen sind im Moment nicht möglich.',
      rail_unreachable: 'Die Verbindung ist abgerissen. Es wurde nichts abgebucht; bitte erneut versuchen.',
    },
  },
};
