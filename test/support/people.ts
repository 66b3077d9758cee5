/** People as a test wants them, in place of an identity provider: `x-test-person: <merchant id>`. */
import type { RequestHandler } from 'express';
import type { ApiContext } from '../../api/context.ts';
import { ApiError } from '../../api/errors.ts';
import { exchangeOf } from '../../api/exchange.ts';
import { keysOnlyGate, type MerchantGate } from '../../api/merchant-gate.ts';

export const PERSON = 'person:ada@shop.example';

export const asPerson = (merchantId: string) => ({ 'x-test-person': merchantId });

/** People with the header administer their merchant; API keys are what they are in production. */
export function testPeopleGate(context: ApiContext): MerchantGate {
  const keys = keysOnlyGate(context);
  const orPerson = (handlers: readonly RequestHandler[]): RequestHandler[] =>
    handlers.map((handler) => (request, response, next) => {
      const merchantId = request.headers['x-test-person'];
      if (typeof merchantId !== 'string') return handler(request, response, next);
      if (request.params.merchantId !== merchantId) throw new ApiError('service_merchant_forbidden');
      exchangeOf(response).access = { merchantId, environment: null, actor: PERSON };
      return next();
    });
  return { read: orPerson(keys.read), administer: orPerson(keys.administer) };
}
