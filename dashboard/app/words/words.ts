/** The catalogue in use. English defines the type of every catalogue; German is loaded only when used. */
import { en, type Words } from './en.ts';
import { CATALOGUE } from './language.ts';

export let words: Words = en;

export async function loadWords(): Promise<void> {
  document.documentElement.lang = CATALOGUE;
  if (CATALOGUE === 'de') words = (await import('./de.ts')).de;
}
