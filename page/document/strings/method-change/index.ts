/**
 * Texts of a payment method change: additional ones, and replacements for a purchase's. The document of a purchase
 * carries none of them.
 */
import type { Language } from '../index.ts';
import type { Strings } from '../shape.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { MethodChangeStrings } from './shape.ts';

const CATALOGUES: Readonly<Record<Language, MethodChangeStrings>> = { en, de };

export function methodChangeStrings(language: Language, strings: Strings): Strings {
  const { own, instead } = CATALOGUES[language];
  return { ...strings, ...instead, methodChange: own };
}
