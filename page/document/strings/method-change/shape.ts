import type { Strings } from '../shape.ts';
import type { Texts } from '../texts.ts';
import type { en } from './en.ts';

/** The type of a method-change catalogue, in any language. */
export type MethodChangeStrings = Texts<typeof en>;

/** Every text of the page. */
export type PageStrings = Strings & {
  /** Present for a payment method change only. */
  readonly methodChange?: MethodChangeStrings['own'];
};
