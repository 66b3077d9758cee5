/**
 * For operations that cannot be undone: rejects a body with a field that the route's closed schema does not name.
 * Listed before `idempotent`, so that the corrected request may use the same key.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { unknownField } from '../../../contract/core/unknown-field.ts';
import { ApiError } from '../errors.ts';

/** Checks whether the request's subject exists; may throw the route's 404 instead. */
type Find = (request: Request, response: Response) => Promise<unknown>;

/**
 * @param find called only for a body with an unknown field: a missing subject takes precedence
 *   (docs/contract.md#order-of-checks)
 * @param alsoKnown names that the route rejects with their own code
 * @throws ApiError 400 `unknown_field`, whose message suggests the field that was probably meant
 */
export function refuseUnknownFields(
  { body }: OperationDescription,
  find: Find,
  alsoKnown?: readonly string[],
): RequestHandler {
  return async (request, response, next) => {
    const unknown = body ? unknownField(body.schema, request.body, alsoKnown) : null;
    if (unknown && (await exists(find, request, response))) {
      const { field, message } = unknown;
      throw new ApiError('unknown_field', { message, fault: { field, reason: 'not_accepted' } });
    }
    next();
  };
}

async function exists(find: Find, request: Request, response: Response): Promise<boolean> {
  try {
    return Boolean(await find(request, response));
  } catch (error) {
    // The route itself raises this error after its other checks.
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}
