/** Test people without an identity provider: the header `x-test-person: <merchant id>` names their merchant. */
import type { RequestHandler } from 'express';
import { keysOnlyGate, type MerchantGate } from '../../../api/http/authentication/merchant-gate.ts';
import type { ApiContext } from '../../../api/http/context.ts';
import { ApiError } from '../../../api/http/errors.ts';
import { exchangeOf } from '../../../api/http/exchange.ts';
import { type Permission, permissionsOf, type Role } from '../../../domain/core/permissions.ts';

export const PERSON = 'person:ada@shop.example';

export const asPerson = (merchantId: string, role: Role = 'owner') => ({
  'x-test-person': merchantId,
  'x-test-role': role,
});

/** People with the header have their role at their merchant; API keys work as in production. */
export function testPeopleGate(context: ApiContext): MerchantGate {
  const keys = keysOnlyGate(context);
  const orPerson = (handlers: readonly RequestHandler[], needed: readonly Permission[]): RequestHandler[] =>
    handlers.map((handler) => (request, response, next) => {
      const merchantId = request.headers['x-test-person'];
      if (typeof merchantId !== 'string') return handler(request, response, next);
      if (request.params.merchantId !== merchantId) throw new ApiError('service_merchant_forbidden');
      const permissions = permissionsOf([(request.headers['x-test-role'] ?? 'owner') as Role], 'active');
      if (!needed.some((permission) => permissions.has(permission)))
        throw new ApiError('administration_forbidden');
      exchangeOf(response).access = { merchantId, environment: null, actor: PERSON, permissions };
      return next();
    });
  return {
    allow: (...needed) => orPerson(keys.allow(...needed), needed),
    people: keys.people,
  };
}
