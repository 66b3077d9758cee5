/** Parses request fields. The first violation in the schema's order determines the code. */
import type { z } from 'zod';
import { isErrorCode } from '../../../contract/core/errors.ts';
import { faultOf, whyInvalid } from '../../../contract/core/why-invalid.ts';
import { ApiError, invalidRequest } from '../errors.ts';

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
  const fault = faultOf(issue, body);
  const why = whyInvalid(issue, body);
  const field = `${prefix}_${fieldName(issue.path)}`;
  // An optional field that is empty has no code for a missing one.
  const isMissing =
    fault.reason === 'required' && (issue.code !== 'too_small' || isErrorCode(`${field}_required`));
  const code = `${field}_${isMissing ? 'required' : 'invalid'}`;
  if (!isErrorCode(code)) throw invalidRequest(why, fault);
  // The default message states another rule of the field, which the text may satisfy despite the rejected character.
  throw new ApiError(code, fault.reason === 'character' ? { message: why, fault } : { fault });
}

function fieldName(path: readonly PropertyKey[]): string {
  return String(path.at(-1) ?? '');
}
