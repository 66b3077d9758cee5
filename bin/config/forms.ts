/** The forms that variables have. */
import { z } from 'zod';

export const url = z.url('must be a URL');

export const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a URL like postgres://user:password@host:5432/database',
});

export const sealingKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64');

export const webhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 bytes in base64');

export const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);

export const seconds = (fallback: number) => z.coerce.number().positive().default(fallback);

/** `Number` reads empty text as 0: a variable set to nothing would be a wait of zero. */
export const numberList = (fallback: string, each: z.ZodNumber) =>
  z
    .string()
    .default(fallback)
    .transform((text) => text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part))))
    .pipe(z.array(each.lt(1e9)));

export const waits = (fallback: string) => numberList(fallback, z.number().positive());

/** Separated by commas; empty entries are left out. */
export function list<Each extends z.ZodType<unknown, string>>(each: Each, fallback = '') {
  return z
    .string()
    .default(fallback)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''))
    .pipe(z.array(each));
}

export const flag = z
  .enum(['0', '1', 'true', 'false'])
  .default('0')
  .transform((text) => text === '1' || text === 'true');
