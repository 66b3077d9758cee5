import type { Request } from 'express';
import { type Language, languageOfTag } from '../../domain/core/languages.ts';
import type { SessionKind } from '../../domain/session/session.ts';
import { CATALOGUES } from './strings/index.ts';
import { methodChangeStrings } from './strings/method-change/index.ts';
import type { PageStrings } from './strings/method-change/shape.ts';

interface Wishes {
  /** The checkout's locale, which the shop chose for this buyer. */
  readonly locale?: string | null;
  /** The merchant's language, for buyers whose browser prefers none of ours. */
  readonly merchantLanguage?: string | null;
}

export interface PageLanguage {
  readonly language: Language;
  /** The locale for numbers and dates: the language, or a regional variant such as `de-AT`. */
  readonly locale: string;
}

/**
 * Locales for languages without a region: for `pt`, `Intl` writes Brazilian Portuguese; the page's text is
 * European.
 */
const OWN_LOCALES: Readonly<Partial<Record<Language, string>>> = { pt: 'pt-PT' };

/** Chooses the language, in this order: `?lang=`, the checkout's locale, the browser's preference, the merchant's. */
export function choosePageLanguage(req: Request, { locale, merchantLanguage }: Wishes = {}): PageLanguage {
  const preferred = [locale, ...req.acceptsLanguages()].filter((tag) => typeof tag === 'string');
  const language =
    [req.query.lang, ...preferred, merchantLanguage]
      .map(languageOfTag)
      .find((known) => known !== undefined) ?? 'en';
  const regional = preferred.find((tag) => isRegional(tag, language));
  return { language, locale: regional ?? OWN_LOCALES[language] ?? language };
}

function isRegional(tag: string, language: Language): boolean {
  return /^[a-z]{2}-[a-z]{2}$/i.test(tag) && languageOfTag(tag) === language;
}

export function stringsOf(language: Language, kind: SessionKind = 'purchase'): PageStrings {
  const strings = CATALOGUES[language];
  return kind === 'methodChange' ? methodChangeStrings(language, strings) : strings;
}
