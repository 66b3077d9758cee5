/** GET /v1/merchants/:merchantId/rails: rails on which an account can be set, and the fields of its credential. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { exampleSettableRails, settableRailList } from '../../../contract/merchant/rails.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { exchangeOf } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';
import { merchantPath } from '../core/merchant-of-request.ts';

export function listRailsRoute({ rails }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = (_request, response) => {
    const data = [...rails.values()].flatMap(({ name, probe, credentialFields }) =>
      probe && credentialFields ? [{ name, credential_fields: credentialFields.map(pick) }] : [],
    );
    response.json({ data, request_id: exchangeOf(response).requestId });
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/rails',
    handlers: [...gate.read, list],
    describe,
  };
}

const pick = ({ name, description }: { readonly name: string; readonly description: string }) => ({
  name,
  description,
});

const describe: OperationDescription = {
  operationId: 'listRails',
  tag: 'Dashboard',
  summary: 'Card processors',
  description:
    'The rails of this installation at which accounts can be set, with the fields of their credentials.',
  security: 'apiKeyOrPerson',
  path: merchantPath,
  answers: { 200: { description: 'All.', schema: settableRailList, example: exampleSettableRails } },
  errors: [],
};
