/** The codes of a request's fields, as `api/http/parse-fields.ts` gives them: `<prefix>_<field>_required|_invalid`. */
import type { z } from 'zod';
import { type ErrorCode, isErrorCode } from './errors.ts';

/** Every code that fields of `schema`, nested ones too, have of their own; without one it is `invalid_request`. */
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

/** Optional and nullable wrap a schema. */
function withoutWrappers(schema: z.ZodType): z.ZodType {
  return 'unwrap' in schema ? withoutWrappers((schema.unwrap as () => z.ZodType)()) : schema;
}
