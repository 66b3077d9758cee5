/** GET /v1/merchants/:merchantId/exports/payments: a payment search's complete result as CSV, streamed in batches. */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { merchantIdPath } from '../../contract/core/pages.ts';
import { exportPaymentsQuery, type FoundPayment } from '../../contract/payment/search.ts';
import { searchPayments } from '../../db/payment/search-payments.ts';
import { csvLine } from '../../domain/core/csv.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { type CsvColumns, decimal, EXPORT_BATCH_ROWS, sendCsv } from '../http/lists/send-csv.ts';
import type { Route } from '../http/route.ts';
import { paymentFilter } from './search-payments.ts';

const COLUMNS: CsvColumns<FoundPayment> = {
  id: ({ id }) => id,
  created_at: (row) => row.created_at,
  status: ({ status }) => status,
  amount: ({ amount }) => decimal(amount),
  refunded_amount: (row) => decimal(row.refunded_amount),
  currency: ({ currency }) => currency,
  description: ({ description }) => description,
  merchant_reference: (row) => row.merchant_reference,
  customer_id: ({ customer }) => customer?.id ?? null,
  external_customer_id: ({ customer }) => customer?.external_customer_id ?? null,
  email: ({ customer }) => customer?.email ?? null,
  method: (row) => row.payment_method?.type ?? null,
  last4: (row) => row.payment_method?.last4 ?? null,
  failure_code: (row) => row.failure_code,
  rail: ({ rail }) => rail,
  rail_order_id: (row) => row.rail_order_id,
  order_id: (row) => row.order_id,
  dispute_status: (row) => row.dispute_status,
  disputed_amount: (row) => decimal(row.disputed_amount),
};

export function exportPaymentsRoute(context: ApiContext, gate: MerchantGate): Route {
  const { pool, readerPool = pool } = context;
  const exportAll: RequestHandler = async (request, response) => {
    const filter = paymentFilter(request, response);
    await sendCsv(context, response, {
      name: 'payments',
      columns: COLUMNS,
      filter,
      read: (after) =>
        searchPayments(
          readerPool,
          { ...filter, limit: EXPORT_BATCH_ROWS },
          after && [Date.parse(after.created_at), after.id],
        ),
    });
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/exports/payments',
    handlers: [...gate.read, exportAll],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'exportPayments',
  tag: 'Dashboard',
  summary: 'Export payments as CSV',
  description:
    'All rows of `GET …/search/payments`, streamed. UTF-8 with a header line; amounts with a decimal ' +
    'point. A text that a spreadsheet would run as a formula begins with an apostrophe, even after a ' +
    'semicolon, a `|`, a tab or a line break inside a value. The audit log names who took the list and how many ' +
    'rows.',
  security: 'apiKeyOrPerson',
  path: merchantIdPath,
  query: exportPaymentsQuery,
  answers: {
    200: {
      description: 'The payments.',
      schema: z.string(),
      example: csvLine(Object.keys(COLUMNS)),
      contentType: 'text/csv',
    },
  },
  errors: ['invalid_request'],
};
