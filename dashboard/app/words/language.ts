/** The first language of the browser that has a catalogue. */
const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE: string =
  navigator.languages.find((each) => LANGUAGES.some((known) => each.startsWith(known))) ?? 'en';

export const CATALOGUE: Language = LANGUAGE.startsWith('de') ? 'de' : 'en';
