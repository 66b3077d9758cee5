import type { en } from './en.ts';
import type { Texts } from './texts.ts';

/** Every text of a purchase's page; a text missing in a language is a type error. */
export type Strings = Texts<typeof en>;
