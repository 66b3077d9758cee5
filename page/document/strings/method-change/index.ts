/**
 * Strings of a payment method change: additional ones, and replacements for a purchase's. The document of a
 * purchase contains neither.
 */
import type { Language } from '../../../../domain/core/languages.ts';
import type { Strings } from '../shape.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import type { MethodChangeStrings, PageStrings } from './shape.ts';

export const CATALOGUES: Readonly<Record<Language, MethodChangeStrings>> = { de, en, es, fr, it, nl, pl, pt };

export function methodChangeStrings(language: Language, strings: Strings): PageStrings {
  const { own, instead } = CATALOGUES[language];
  return { ...strings, ...instead, methodChange: own };
}
