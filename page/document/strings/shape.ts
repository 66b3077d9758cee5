import type { en } from './en.ts';
import type { MethodChangeStrings } from './method-change/shape.ts';
import type { Texts } from './texts.ts';

/** Every text of the page; a text missing in a language is a type error. */
export type Strings = Texts<typeof en> & {
  /** Present for a payment method change only. */
  readonly methodChange?: MethodChangeStrings['own'];
};
