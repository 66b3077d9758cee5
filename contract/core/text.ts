/** Strings in requests: lengths in Unicode code points, and only values that PostgreSQL can store. */
import { z } from 'zod';
import { isEmail, tidyEmail } from '../../domain/core/email.ts';
import { unprintable } from '../../domain/core/printable.ts';

/** The message for unstorable text in any field, whatever the field's own rule. */
export const UNSTORABLE = 'must not contain the character U+0000 or half a surrogate pair';
/** The pattern that the API description shows. */
const NO_NUL = '^[^\\u0000]*$';
const WEB_URL = /^https?:\/\/[^\s\\]+$/iu;

/** Describes a string of at most `maxLength` code points. */
export function text(maxLength: number) {
  return limited(z.string(), maxLength);
}

function limited(string: z.ZodString, maxLength: number) {
  return string
    .refine(isStorable, { error: UNSTORABLE, abort: true })
    .refine((value) => hasAtMost(maxLength, value), { error: `must have at most ${maxLength} characters` })
    .meta({ maxLength, pattern: NO_NUL });
}

export function requiredText(maxLength: number) {
  return text(maxLength).min(1);
}

/**
 * Describes a merchant's text that invoices print. Rejects, while the text can still be changed, characters that no font
 * has and those that are unassigned, for private use or controls.
 */
export function printedText(maxLength: number) {
  return requiredText(maxLength).refine((value) => unprintable(value) === undefined, {
    error: ({ input }) =>
      `must not contain ${named(unprintable(String(input)))}: no font of the invoices has it`,
  });
}

function named(character = ''): string {
  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  return /\p{C}/u.test(character) ? code : `${code} (${character})`;
}

/** Rejects the key `__proto__`, which zod drops from a record without an error. */
export function keepingEveryKey<Fields extends z.ZodType>(fields: Fields) {
  return z.preprocess((given, context) => {
    if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
      context.addIssue({ code: 'custom', message: 'must not have the key __proto__' });
    return given;
  }, fields);
}

export function email(maxLength: number) {
  return limited(z.string().overwrite(tidyEmail), maxLength)
    .refine(isEmail, { error: 'must be an email address' })
    .meta({ maxLength, format: 'email' });
}

/** Describes a URL to which a browser may be redirected: https, or http on the developer's own machine. */
export function browserUrl(maxLength: number) {
  return text(maxLength)
    .refine(isBrowserUrl, { error: 'must be an https URL, or http for localhost or 127.0.0.1' })
    .meta({ maxLength, format: 'uri' });
}

function isBrowserUrl(value: string): boolean {
  if (!WEB_URL.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
}

/** Returns whether PostgreSQL can store the text: it rejects NUL in text, and lone surrogates in jsonb. */
function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

function hasAtMost(maxLength: number, value: string): boolean {
  if (value.length <= maxLength) return true;
  // A code point takes at most two UTF-16 units: longer strings need no counting.
  return value.length <= 2 * maxLength && [...value].length <= maxLength;
}
