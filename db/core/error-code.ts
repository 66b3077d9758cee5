/** The part of an error without personal data: its code or its name, never its message. */
import { z } from 'zod';

const errorFields = z.object({ code: z.unknown(), name: z.unknown(), cause: z.unknown() }).partial();

/** An SQLSTATE, a system code such as `ECONNREFUSED`, or else the error's name. */
export function errorCode(error: unknown): string {
  const { code, name, cause } = errorFields.safeParse(error).data ?? {};
  if (typeof code === 'string' && code !== '') return code;
  const below = cause === undefined || cause === null ? 'unknown' : errorCode(cause);
  // The code of an inner cause is more specific than the name of its wrapper.
  if (/^[0-9A-Z]{5}$|^E[A-Z_]+$/.test(below) || typeof name !== 'string') return below;
  return name;
}

const refused = z.object({ table: z.string(), column: z.string(), constraint: z.string() }).partial();

/** The table, column or constraint that rejected a row, as PostgreSQL names it; never a value of the row. */
export function refusingObject(error: unknown): z.infer<typeof refused> {
  const { cause } = errorFields.safeParse(error).data ?? {};
  const { table, column, constraint } = refused.safeParse(error).data ?? {};
  const own = { ...(table && { table }), ...(column && { column }), ...(constraint && { constraint }) };
  return Object.keys(own).length > 0 || cause === undefined || cause === null ? own : refusingObject(cause);
}
