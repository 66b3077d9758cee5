/**
 * GET /v1/merchants/:merchantId/search/payments: paginated payments of one environment, found by id, email,
 * reference or amount.
 */
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { examplePageOf, merchantIdPath } from '../../contract/core/pages.ts';
import { exampleFoundPayment, foundPaymentPage, searchPaymentsQuery } from '../../contract/payment/search.ts';
import { type PaymentSearch, searchPayments } from '../../db/payment/search-payments.ts';
import { readSearch } from '../../domain/core/search.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { readCursor, sendPage } from '../http/lists/cursor.ts';
import { environmentScope } from '../http/lists/environment-scope.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import type { Route } from '../http/route.ts';

const position = z.tuple([z.int().nonnegative(), z.string().max(64)]);

export function searchPaymentsRoute({ pool, readerPool = pool }: ApiContext, gate: MerchantGate): Route {
  const search: RequestHandler = async (request, response) => {
    const { limit, cursor } = parseRequest(searchPaymentsQuery, request.query);
    const filter = paymentFilter(request, response);
    const after = readCursor(cursor, position);
    const rows = await searchPayments(readerPool, { ...filter, limit: limit + 1 }, after);
    sendPage(response, rows, limit, ({ created_at: at, id }) => [Date.parse(at), id]);
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/search/payments',
    handlers: [...gate.read, search],
    describe,
  };
}

export function paymentFilter(request: Request, response: Response): Omit<PaymentSearch, 'limit'> {
  const { q, status = null, from = null, to = null } = parseRequest(searchPaymentsQuery, request.query);
  const scope = environmentScope(request, response);
  return { scope, term: q === undefined ? null : readSearch(q), status, from, to };
}

const describe: OperationDescription = {
  operationId: 'searchPayments',
  tag: 'Dashboard',
  summary: 'Search payments',
  description:
    'Newest first, paginated. `q` is a complete id (of a payment, order, checkout, customer, subscription, ' +
    'invoice, refund or dispute, or the card processor’s), an email address, a merchant reference, a customer ' +
    'reference or an amount such as `19.00`.',
  security: 'apiKeyOrPerson',
  path: merchantIdPath,
  query: searchPaymentsQuery,
  answers: {
    200: { description: 'A page.', schema: foundPaymentPage, example: examplePageOf(exampleFoundPayment) },
  },
  errors: ['invalid_request'],
};
