import type { Texts } from '../texts.ts';
import type { en } from './en.ts';

/** The type of a method-change catalogue, in any language. */
export type MethodChangeStrings = Texts<typeof en>;
