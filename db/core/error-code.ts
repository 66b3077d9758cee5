/** What may be told of an error where no personal data may stand: its code or its name, never its message. */
import { z } from 'zod';

const told = z.object({ code: z.unknown(), name: z.unknown(), cause: z.unknown() }).partial();

/** PostgreSQL's SQLSTATE, or a system's code such as `ECONNREFUSED`; without either, the error's name. */
export function errorCode(error: unknown): string {
  const { code, name, cause } = told.safeParse(error).data ?? {};
  if (typeof code === 'string' && code !== '') return code;
  const below = cause === undefined || cause === null ? 'unknown' : errorCode(cause);
  // A code further down says more than the name of what wraps it.
  if (/^[0-9A-Z]{5}$|^E[A-Z_]+$/.test(below) || typeof name !== 'string') return below;
  return name;
}
