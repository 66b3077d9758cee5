/** Strings in requests: lengths in Unicode code points, and only characters that are text. */
import { z } from 'zod';
import { isEmail, tidyEmail } from '../../domain/core/email.ts';
import { unprintable } from '../../domain/core/printable.ts';
import { rule } from './faults.ts';

/** Unassigned, private-use and control characters, and half a surrogate pair, which PostgreSQL cannot store. */
const NO_TEXT = /[\p{Cn}\p{Co}\p{Cs}]|(?![\t\n\r])\p{Cc}/u;
/** The pattern that the API description shows: no client generator knows all unassigned characters. */
const PATTERN = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ue000-\\uf8ff]*$';
const WEB_URL = /^https?:\/\/[^\s\\]+$/iu;

/** Describes a string of at most `maxLength` code points. */
export function text(maxLength: number) {
  return limited(z.string(), maxLength);
}

function limited(string: z.ZodString, maxLength: number) {
  return string
    .refine((value) => !NO_TEXT.test(value), {
      ...rule(
        'character',
        ({ input }) =>
          `must not contain ${named(NO_TEXT.exec(String(input))?.[0])}: control, private-use and unassigned characters are not allowed`,
      ),
      abort: true,
    })
    .refine(
      (value) => hasAtMost(maxLength, value),
      rule('too_long', `must have at most ${maxLength} characters`, maxLength),
    )
    .meta({ maxLength, pattern: PATTERN });
}

export function requiredText(maxLength: number) {
  return text(maxLength).min(1);
}

/** Describes a merchant's text for invoices. Rejects characters that no font has, while they can still be changed. */
export function printedText(maxLength: number) {
  return requiredText(maxLength).refine(
    (value) => unprintable(value) === undefined,
    rule(
      'character',
      ({ input }) => `must not contain ${named(unprintable(String(input)))}: no invoice font contains it`,
    ),
  );
}

function named(character = ''): string {
  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  return /\p{C}/u.test(character) ? code : `${code} (${character})`;
}

/** Rejects the key `__proto__`, which zod drops from a record without an error. */
export function keepingEveryKey<Fields extends z.ZodType>(fields: Fields) {
  return z.preprocess((given, context) => {
    if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
      context.addIssue({
        code: 'custom',
        message: 'must not have the key __proto__',
        params: { reason: 'format' },
      });
    return given;
  }, fields);
}

export function email(maxLength: number) {
  return emailOf(z.string().overwrite(tidyEmail), maxLength);
}

export function requiredEmail(maxLength: number) {
  return emailOf(z.string().overwrite(tidyEmail).min(1), maxLength);
}

function emailOf(string: z.ZodString, maxLength: number) {
  return limited(string, maxLength)
    .refine(isEmail, rule('format', 'must be an email address'))
    .meta({ maxLength, format: 'email' });
}

/** Describes a URL to which a browser may be redirected: https, or http on the developer's own machine. */
export function browserUrl(maxLength: number) {
  return text(maxLength)
    .refine(isBrowserUrl, rule('format', 'must be an https URL, or http for localhost or 127.0.0.1'))
    .meta({ maxLength, format: 'uri' });
}

function isBrowserUrl(value: string): boolean {
  if (!WEB_URL.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
}

function hasAtMost(maxLength: number, value: string): boolean {
  if (value.length <= maxLength) return true;
  // A code point takes at most two UTF-16 units: longer strings need no counting.
  return value.length <= 2 * maxLength && [...value].length <= maxLength;
}
