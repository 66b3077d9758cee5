/** Parses request fields. The first violation in the schema's order determines the code. */
import type { z } from 'zod';
import { isErrorCode } from '../../../contract/core/errors.ts';
import { REFUSED_CHARACTER } from '../../../contract/core/text.ts';
import { whyInvalid } from '../../../contract/core/why-invalid.ts';
import { ApiError } from '../errors.ts';

/**
 * @param prefix of the codes: `checkout` gives `checkout_productId_required`, `checkout_email_invalid` …
 * @throws ApiError 400 `<prefix>_<field>_required` for a missing, null or empty required field, otherwise
 *   `<prefix>_<field>_invalid`; for a nested field, `<field>` is the last name of its path
 */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  body: Readonly<Record<string, unknown>>,
  prefix: string,
): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (!issue) throw new Error('zod reported a failure without an issue');
  const value = valueAt(body, issue.path);
  // Optional fields accept undefined and null and have no minimum length, so these issues belong to required
  // fields.
  const missing = value === undefined || value === null || (value === '' && issue.code === 'too_small');
  const why = whyInvalid(issue, body);
  const code = `${prefix}_${fieldName(issue.path)}_${missing ? 'required' : 'invalid'}`;
  if (!isErrorCode(code)) throw new ApiError('invalid_request', { message: why });
  // The code's own message states another rule of the field, which a text with a refused character may satisfy.
  throw new ApiError(code, issue.message.startsWith(REFUSED_CHARACTER) ? { message: why } : {});
}

function fieldName(path: readonly PropertyKey[]): string {
  return String(path.at(-1) ?? '');
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null)?.[key], body);
}
