/**
 * The error codes of a request's fields, as produced by `api/http/request/parse-fields.ts`:
 * `<prefix>_<field>_required|_invalid`.
 */
import type { z } from 'zod';
import { type ErrorCode, isErrorCode } from './errors.ts';

/** Returns the codes specific to fields of `schema`, nested ones included; other violations are `invalid_request`. */
export function fieldCodes(schema: z.ZodObject, prefix: string): ErrorCode[] {
  return fieldNames(schema.shape)
    .flatMap((name) => [`${prefix}_${name}_required`, `${prefix}_${name}_invalid`])
    .filter(isErrorCode);
}

function fieldNames(shape: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const inner = withoutWrappers(schema as z.ZodType);
    return 'shape' in inner ? [name, ...fieldNames(inner.shape as Record<string, unknown>)] : [name];
  });
}

/** Removes the wrappers `optional` and `nullable`. */
function withoutWrappers(schema: z.ZodType): z.ZodType {
  return 'unwrap' in schema ? withoutWrappers((schema.unwrap as () => z.ZodType)()) : schema;
}
