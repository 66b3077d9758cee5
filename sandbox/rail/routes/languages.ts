/** Which of our languages a browser is to be spoken to in. */
import type { Request } from 'express';
import { LANGUAGES, type Language } from '../browser/strings.ts';

/** `?lang=` decides, then what the browser accepts. */
export function languageOf(request: Request): Language {
  const { lang } = request.query;
  const asked = typeof lang === 'string' ? lang.slice(0, 2).toLowerCase() : null;
  const accepted = request.acceptsLanguages(...LANGUAGES);
  return ours(asked) ?? ours(accepted) ?? 'en';
}

function ours(name: string | false | null): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}
