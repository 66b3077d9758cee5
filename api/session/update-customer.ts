/** PATCH /v1/merchants/:merchantId/customers/:customerId: a person changes name, address and tax id. */
import type { Request } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { customerAnswer } from '../../contract/merchant/customers.ts';
import { customerChanges } from '../../contract/session/update-customer.ts';
import type { Party } from '../../db/session/core/buyer-details.ts';
import { updateCustomer } from '../../db/session/update-customer.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { pathId } from '../http/request/path-id.ts';
import { granted } from '../http/resource.ts';
import { type MerchantCaller, merchantRoute } from '../http/routes/gated-route.ts';
import { partyOf } from './buyer-details.ts';

export const updateCustomerRoute = merchantRoute(({ pool }) => {
  const change = (request: Request, { merchantId, actor }: MerchantCaller, party: Party | null) => {
    const customerId = pathId(request, 'customerId');
    return updateCustomer(pool, { merchantId, customerId }, party, actor);
  };
  return {
    method: 'patch',
    path: '/v1/merchants/:merchantId/customers/:customerId',
    allow: ['serve_subscribers'],
    describe,
    // Misspelt fields are rejected: they would count as absent, and be cleared if another field of the set is given.
    find: async (request, caller) => granted(await change(request, caller, null)),
    answer: (request, caller) => {
      const { name, billing_details: billingDetails, tax } = parseRequest(customerChanges, request.body);
      return change(request, caller, partyOf({ name, billingDetails, tax }));
    },
  };
});

const describe: OperationDescription = {
  operationId: 'updateCustomer',
  tag: 'Dashboard',
  summary: 'Change a customer, as a person',
  description:
    'Name, address and tax id are one set, as in `POST /v1/checkouts`: giving one of them replaces all three; if only nulls are given, they clear just those fields. They appear on invoices drafted from now on: issued invoices, and sessions that have ' +
    'their own details, do not change. For owners, managers and support. The audit log records the old and new values.',
  body: {
    schema: customerChanges,
    example: { name: 'Ada GmbH', tax: { value: 'DE123456789', type: 'eu_vat' } },
    required: false,
  },
  answers: { 200: { description: 'The changed customer.', ...customerAnswer } },
  errors: ['customer_not_found'],
};
