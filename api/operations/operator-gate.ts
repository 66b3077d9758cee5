/** Decides who may see and operate the installation: people, by their role, but never merchants' keys. */
import type { RequestHandler, Response } from 'express';
import type { Actor } from '../../db/core/audit.ts';
import { OPERATIONS, PERMISSIONS, type Role } from '../../domain/core/permissions.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { exchangeOf, personOf } from '../http/exchange.ts';
import { readJsonBody } from '../http/request/json-body.ts';
import type { Route } from '../http/route.ts';
import { type GatedRoute, gatedRoute } from '../http/routes/gated-route.ts';

type OperatorRoute = GatedRoute<Actor> & { readonly may: keyof typeof OPERATIONS };

/** A route of operators; its caller is the person as the audit log records them. */
export function operatorRoute(routeOf: (context: ApiContext) => OperatorRoute) {
  return (context: ApiContext, gate: MerchantGate): Route => {
    const { may, ...route } = routeOf(context);
    const before = [...operators(gate, may), ...(route.describe.body ? [readJsonBody] : [])];
    return gatedRoute(route, { security: 'person' }, before, (response) => ({
      actor: personOf(response).actor,
      requestId: exchangeOf(response).requestId,
    }));
  };
}

/**
 * Admits people with one of the roles that `may` names.
 *
 * @throws ApiError 403 `administration_forbidden`
 */
function operators(gate: MerchantGate, may: keyof typeof OPERATIONS): readonly RequestHandler[] {
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
