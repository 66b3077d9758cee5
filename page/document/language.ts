import type { Request } from 'express';
import type { SessionKind } from '../../domain/session/session.ts';
import { CATALOGUES, isLanguage, type Language } from './strings/index.ts';
import { methodChangeStrings } from './strings/method-change/index.ts';
import type { Strings } from './strings/shape.ts';

/** The buyer's choice (`?lang=de`), otherwise the shop's language, otherwise the browser's preference. */
export function languageOf(req: Request, shopLanguage?: string | null): Language {
  const wishes = [req.query.lang, shopLanguage, ...req.acceptsLanguages()];
  for (const wish of wishes) {
    const language = typeof wish === 'string' ? wish.slice(0, 2).toLowerCase() : '';
    if (isLanguage(language)) return language;
  }
  return 'en';
}

/** For numbers and dates: the browser's regional variant of the page's language, such as `de-AT`. */
export function localeOf(req: Request, language: Language): string {
  const regional = req.acceptsLanguages().find((each) => each.toLowerCase().startsWith(`${language}-`));
  return regional && Intl.DateTimeFormat.supportedLocalesOf(tidy(regional)).length > 0 ? regional : language;
}

/** `Intl` throws on malformed tags, which give an empty list here. */
function tidy(tag: string): string[] {
  return /^[a-z]{2}-[a-z]{2}$/i.test(tag) ? [tag] : [];
}

export function stringsOf(language: Language, kind: SessionKind = 'purchase'): Strings {
  const strings = CATALOGUES[language];
  return kind === 'methodChange' ? methodChangeStrings(language, strings) : strings;
}
