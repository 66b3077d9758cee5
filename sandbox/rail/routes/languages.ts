/** Chooses the language of a page. */
import type { Request } from 'express';
import { LANGUAGES, type Language } from '../browser/strings.ts';

/** `?lang=` wins over Accept-Language. */
export function languageOf(request: Request): Language {
  const { lang } = request.query;
  const asked = typeof lang === 'string' ? lang.slice(0, 2).toLowerCase() : null;
  const accepted = request.acceptsLanguages(...LANGUAGES);
  return ours(asked) ?? ours(accepted) ?? 'en';
}

function ours(name: string | false | null): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}
