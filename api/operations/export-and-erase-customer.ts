/**
 * POST /v1/operations/customers/:id/export and /erase: the same as `npm run ops -- export-customer` and
 * `erase-customer`.
 */
import type { OperationDescription } from '../../contract/core/operation.ts';
import {
  customerDataBody,
  erasedCustomerBody,
  exportedCustomerBody,
} from '../../contract/operations/customer-export-and-erasure.ts';
import type { Actor } from '../../db/core/audit.ts';
import type { Pool } from '../../db/core/pool.ts';
import { CustomerRefusal, CustomerUnknown } from '../../db/operations/customer-data.ts';
import { eraseCustomer } from '../../db/operations/erase-customer.ts';
import { exportCustomer } from '../../db/operations/export-customer.ts';
import { ApiError } from '../http/errors.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { operatorRoute } from './operator-gate.ts';

const ID = /^ap_cus_\w{1,64}$/;

type Work = (pool: Pool, id: string, by: Actor) => Promise<object>;

function customerRoute(action: string, work: Work, describe: OperationDescription) {
  return operatorRoute(({ pool }) => ({
    method: 'post',
    path: `/v1/operations/customers/:id/${action}`,
    may: 'act',
    describe,
    answer: async (request, by) => {
      const { reason } = parseRequest(customerDataBody, request.body);
      const id = String(request.params.id);
      if (!ID.test(id)) return 'operation_subject_not_found';
      return work(pool, id, { ...by, reason }).catch(refusing);
    },
  }));
}

function refusing(error: unknown): never {
  if (error instanceof CustomerUnknown) throw new ApiError('operation_subject_not_found');
  if (error instanceof CustomerRefusal) throw new ApiError('operation_refused', { message: error.message });
  throw error;
}

const BODY = {
  schema: customerDataBody,
  example: { reason: 'request 17 of the merchant' },
  required: true,
};

export const exportCustomerRoute = customerRoute('export', exportCustomer, {
  operationId: 'exportCustomer',
  tag: 'Operations',
  summary: 'Export a customer’s data',
  description:
    'Returns everything stored about a customer, in the form of `npm run ops -- export-customer`, and writes an audit ' +
    'row. For `platform` people.',
  body: BODY,
  answers: { 200: { description: 'The data.', ...exportedCustomerBody } },
  errors: ['operation_subject_not_found'],
});

export const eraseCustomerRoute = customerRoute('erase', eraseCustomer, {
  operationId: 'eraseCustomer',
  tag: 'Operations',
  summary: 'Erase a customer’s personal data',
  description:
    'Erases email, name, address, tax number and the merchant’s id, including in stored events and clicks. Amounts, ' +
    'states, card brands and last digits, references of orders and issued invoices are kept, as the law requires. ' +
    'The erasure cannot be undone; repeating it changes nothing. It is refused while a session, a subscription, a ' +
    'refund, a dispute or an unwritten document of the customer is open. Writes an audit row. For `platform` ' +
    'people.',
  body: BODY,
  answers: { 200: { description: 'Erased.', ...erasedCustomerBody } },
  errors: ['operation_subject_not_found', 'operation_refused'],
});
