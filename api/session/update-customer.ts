/** PATCH /v1/merchants/:merchantId/customers/:customerId: a person changes name, address and tax id. */
import type { Request, RequestHandler, Response } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { customerAnswer, exampleCustomerAnswer } from '../../contract/merchant/customers.ts';
import { customerChanges, customerPath } from '../../contract/session/update-customer.ts';
import type { Party } from '../../db/session/buyer-details.ts';
import { updateCustomer } from '../../db/session/update-customer.ts';
import { administering, granted, sendResource } from '../http/auth/administer.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { accessOf, actorOf } from '../http/exchange.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { pathId } from '../http/request/path-id.ts';
import { refuseUnknownFields } from '../http/request/refuse-unknown-fields.ts';
import type { Route } from '../http/route.ts';
import { partyOf } from './buyer-details.ts';

export function updateCustomerRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const change = async (request: Request, response: Response, party: Party | null) => {
    const customerId = pathId(request, 'customerId', 'ap_cus_', 'customer_not_found');
    const { merchantId } = accessOf(response);
    return granted(await updateCustomer(pool, { merchantId, customerId }, party, actorOf(response)));
  };
  const update: RequestHandler = async (request, response) => {
    const { name, billing_details: billingDetails, tax } = parseRequest(customerChanges, request.body);
    sendResource(response, 200, await change(request, response, partyOf({ name, billingDetails, tax })));
  };
  // A misspelt field would count as absent, and another field of the set would clear it.
  const known = refuseUnknownFields(describe, (request, response) => change(request, response, null));
  return {
    method: 'patch',
    path: '/v1/merchants/:merchantId/customers/:customerId',
    handlers: [...administering(gate, 'serve_subscribers'), known, update],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'updateCustomer',
  tag: 'Dashboard',
  summary: 'Change a customer, as a person',
  description:
    'Name, address and tax id are one set, as in `POST /v1/checkouts`: giving one of them replaces all three; nulls ' +
    'alone clear those they name. They appear on invoices drafted from now on: issued invoices, and sessions that have ' +
    'their own details, do not change. For owners, managers and support. The audit log records the old and new values.',
  security: 'person',
  path: customerPath,
  body: {
    schema: customerChanges,
    example: { name: 'Ada GmbH', tax: { value: 'DE123456789', type: 'eu_vat' } },
    required: false,
  },
  answers: {
    200: { description: 'The changed customer.', schema: customerAnswer, example: exampleCustomerAnswer },
  },
  errors: ['customer_not_found'],
};
