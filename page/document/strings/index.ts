/** One catalogue per language. A document contains only its own, so its size does not grow with more languages. */
import type { Language } from '../../../domain/core/languages.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import type { Strings } from './shape.ts';

export const CATALOGUES: Readonly<Record<Language, Strings>> = { de, en, es, fr, it, nl, pl, pt };
