/**
 * GET /v1/merchants/:merchantId/tax-summary: a month's invoices less its credit notes, by tax rate; and
 * GET /v1/merchants/:merchantId/exports/tax-summary, the same as CSV.
 */
import type { RequestHandler } from 'express';
import {
  exampleTaxSummaryRow,
  type TaxSummaryRow,
  taxSummaryAnswer,
  taxSummaryQuery,
} from '../../contract/invoice/tax-summary.ts';
import { readTaxSummary } from '../../db/invoice/tax-summary.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { environmentScope } from '../http/lists/environment-scope.ts';
import { type CsvColumns, csvAnswer, decimal, sendCsv } from '../http/lists/send-csv.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import type { Route } from '../http/route.ts';
import { merchantRoute } from '../http/routes/gated-route.ts';

const COLUMNS: CsvColumns<TaxSummaryRow> = {
  currency: ({ currency }) => currency,
  tax_rate: (row) => row.tax_rate,
  invoiced_net: ({ invoiced }) => decimal(invoiced.net),
  invoiced_tax: ({ invoiced }) => decimal(invoiced.tax),
  invoiced_gross: ({ invoiced }) => decimal(invoiced.gross),
  credited_net: ({ credited }) => decimal(credited.net),
  credited_tax: ({ credited }) => decimal(credited.tax),
  credited_gross: ({ credited }) => decimal(credited.gross),
  net: ({ total }) => decimal(total.net),
  tax: ({ total }) => decimal(total.tax),
  gross: ({ total }) => decimal(total.gross),
};

export const showTaxSummaryRoute = merchantRoute(({ pool, readerPool = pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/tax-summary',
  allow: ['read'],
  describe: {
    operationId: 'showTaxSummary',
    tag: 'Dashboard',
    summary: 'Sum a month’s invoices by tax rate',
    description:
      'Net, tax and gross of the invoices issued in a month, of its credit notes, and their difference.',
    query: taxSummaryQuery,
    answers: {
      200: {
        description: 'A row for each currency and rate.',
        schema: taxSummaryAnswer,
        example: { data: [exampleTaxSummaryRow] },
      },
    },
  },
  answer: async (request, _caller, response) => {
    const { month } = parseRequest(taxSummaryQuery, request.query);
    return { data: await readTaxSummary(readerPool, environmentScope(request, response), month) };
  },
}));

export function exportTaxSummaryRoute(context: ApiContext, gate: MerchantGate): Route {
  const { pool, readerPool = pool } = context;
  const send: RequestHandler = async (request, response) => {
    const { month } = parseRequest(taxSummaryQuery, request.query);
    const scope = environmentScope(request, response);
    await sendCsv(context, response, {
      name: 'tax-summary',
      columns: COLUMNS,
      filter: { scope, status: null, month },
      read: (after) => (after ? Promise.resolve([]) : readTaxSummary(readerPool, scope, month)),
    });
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/exports/tax-summary',
    handlers: [...gate.allow('read'), send],
    describe: {
      operationId: 'exportTaxSummary',
      tag: 'Dashboard',
      security: 'apiKeyOrPerson',
      summary: 'Export a month’s tax summary as CSV',
      description: 'The rows of `GET …/tax-summary`.',
      query: taxSummaryQuery,
      answers: { 200: csvAnswer('The summary.', COLUMNS) },
    },
  };
}
