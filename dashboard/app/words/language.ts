/** Languages with a catalogue; the first of the browser's languages among them is used, otherwise English. */
const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE: string =
  navigator.languages.find((each) => LANGUAGES.some((known) => each.startsWith(known))) ?? 'en';

export const CATALOGUE: Language = LANGUAGE.startsWith('de') ? 'de' : 'en';
