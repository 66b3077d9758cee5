/** Zod schemas for the formats of environment variables. */
import { z } from 'zod';
import { isHttpsOrLoopback } from '../../contract/core/loopback.ts';
import { isGuessable } from './guessable-secrets.ts';

export const url = z.url({ protocol: /^https?$/, error: 'must be a URL like https://host.example' });

/** For addresses to which personal data or keys are sent. */
export const secureUrl = url.refine(
  isHttpsOrLoopback,
  'must be https, or others could read and change the traffic (http is for localhost only); put a proxy ' +
    'with a certificate in front of it, and set https://<its host>',
);

/** For links that a person clicks: a path of this project, or an address on the web. */
export const link = z
  .string()
  .min(1)
  .refine(
    (text) => !/^[a-z][a-z0-9+.-]*:/i.test(text) || url.safeParse(text).success,
    'must be a path, or a URL like https://host.example',
  );

export const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a URL like postgres://user:password@host:5432/database',
});

/** Accepts weak keys too: values encrypted under a former key must stay readable. */
export const formerKey = z
  .string()
  .refine(
    (text) => Buffer.from(text, 'base64').length === 32,
    'must be 32 bytes in base64; `openssl rand -base64 32` prints a new key',
  );

export const sealingKey = formerKey.refine(
  (text) => Buffer.from(text, 'base64').length !== 32 || !isGuessable(Buffer.from(text, 'base64')),
  'can be guessed: it has fewer than 16 different bytes, or repeats; `openssl rand -base64 32` prints a new key',
);

/** Text or hexadecimal bytes. Hex is decoded before the check, because its text has at most 16 distinct characters. */
export const pepper = z
  .string()
  .refine(
    (text) => !isGuessable(Buffer.from(text, /^([0-9a-f]{2})+$/i.test(text) ? 'hex' : 'utf8')),
    'can be guessed: it has fewer than 16 different bytes, or repeats; `openssl rand -hex 32` prints a new one',
  );

const PRINT_WEBHOOK_SECRET = '`echo "whsec_$(openssl rand -base64 32)"` prints a new one';

export const webhookSecret = z
  .string()
  .regex(
    /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
    `must be whsec_ and at least 24 bytes in base64; ${PRINT_WEBHOOK_SECRET}`,
  )
  .refine(
    (text) => !isGuessable(Buffer.from(text.slice('whsec_'.length), 'base64')),
    `can be guessed: it has fewer than 16 different bytes, or repeats; ${PRINT_WEBHOOK_SECRET}`,
  );

export const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);

export const seconds = (fallback: number) => z.coerce.number().positive().default(fallback);

/** `Number` parses empty text as 0, so an empty variable would mean no wait. */
export const numberList = (fallback: string, each: z.ZodNumber) =>
  z
    .string()
    .default(fallback)
    .transform((text) => text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part))))
    .pipe(z.array(each.lt(1e9)));

export const waits = (fallback: string) => numberList(fallback, z.number().positive());

/** A list separated by commas; empty entries are dropped. */
export function list<Each extends z.ZodType<unknown, string>>(each: Each, fallback = '') {
  return z
    .string()
    .default(fallback)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''))
    .pipe(z.array(each));
}

/** A JSON object whose values are among these. */
export function jsonMap<Value extends string>(values: readonly Value[]) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue('must be a JSON object such as {"staff":"support"}');
        return z.NEVER;
      }
    })
    .pipe(z.record(z.string(), z.enum(values)))
    .transform((pairs): ReadonlyMap<string, Value> => new Map(Object.entries(pairs)));
}

export const flag = z
  .enum(['0', '1', 'true', 'false'])
  .default('0')
  .transform((text) => text === '1' || text === 'true');
