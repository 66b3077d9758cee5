/** Decides who may see and operate the installation: people by their role, merchants' keys never. */
import type { RequestHandler, Response } from 'express';
import { OPERATIONS, PERMISSIONS, type Role } from '../../domain/core/permissions.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import { ApiError } from '../http/errors.ts';
import { personOf } from '../http/exchange.ts';

/**
 * Admits people with one of the roles that `may` names.
 *
 * @throws ApiError 403 `administration_forbidden`
 */
export function operators(gate: MerchantGate, may: keyof typeof OPERATIONS): readonly RequestHandler[] {
  const roles: readonly Role[] = OPERATIONS[may];
  const check: RequestHandler = (_request, response, next) => {
    if (!personOf(response).roles.some((role) => roles.includes(role)))
      throw new ApiError('administration_forbidden');
    next();
  };
  return [...gate.people, check];
}

/** Returns the merchants that this person sees: null (all) for `platform`, the token's merchants for `support`. */
export function merchantsSeenBy(response: Response): readonly string[] | null {
  const { roles, merchants } = personOf(response);
  return roles.includes('platform') ? null : merchants;
}

/** Returns whether this person sees who did or requested each action. */
export function mayReadAudit(response: Response): boolean {
  const readers: readonly Role[] = PERMISSIONS.read_audit;
  return personOf(response).roles.some((role) => readers.includes(role));
}
