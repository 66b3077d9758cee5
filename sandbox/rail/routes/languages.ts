/** Chooses the language of a page. */
import type { Request } from 'express';
import { type Language, languageOfTag } from '../../../domain/core/languages.ts';

/** `?lang=` wins over Accept-Language. */
export function languageOf(request: Request): Language {
  const tags = [request.query.lang, ...request.acceptsLanguages()];
  return tags.map(languageOfTag).find((language) => language !== undefined) ?? 'en';
}
