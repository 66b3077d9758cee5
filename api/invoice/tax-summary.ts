/**
 * GET /v1/merchants/:merchantId/tax-summary: a month's invoices less its credit notes, by tax rate; and
 * GET /v1/merchants/:merchantId/exports/tax-summary, the same as CSV.
 */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import {
  exampleTaxSummaryRow,
  type TaxSummaryRow,
  taxSummaryAnswer,
  taxSummaryQuery,
} from '../../contract/invoice/tax-summary.ts';
import { readTaxSummary } from '../../db/invoice/tax-summary.ts';
import { csvLine } from '../../domain/core/csv.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { environmentScope } from '../http/lists/environment-scope.ts';
import { type CsvColumns, decimal, sendCsv } from '../http/lists/send-csv.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { sendResource } from '../http/resource.ts';
import type { Route } from '../http/route.ts';

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

const COMMON = {
  tag: 'Dashboard',
  security: 'apiKeyOrPerson',
  query: taxSummaryQuery,
} as const;

export function taxSummaryRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  const { pool, readerPool = pool } = context;
  const show: RequestHandler = async (request, response) => {
    const { month } = parseRequest(taxSummaryQuery, request.query);
    const scope = environmentScope(request, response);
    sendResource(response, 200, { data: await readTaxSummary(readerPool, scope, month) });
  };
  const send: RequestHandler = async (request, response) => {
    const { month } = parseRequest(taxSummaryQuery, request.query);
    const scope = environmentScope(request, response);
    await sendCsv(context, response, {
      name: 'tax-summary',
      columns: COLUMNS,
      filter: { scope, status: null, from: month },
      read: (after) => (after ? Promise.resolve([]) : readTaxSummary(readerPool, scope, month)),
    });
  };
  const path = '/v1/merchants/:merchantId' as const;
  return [
    {
      method: 'get',
      path: `${path}/tax-summary`,
      handlers: [...gate.allow('read'), show],
      describe: {
        ...COMMON,
        operationId: 'showTaxSummary',
        summary: 'Sum a month’s invoices by tax rate',
        description:
          'Net, tax and gross of the invoices issued in a month, of its credit notes, and their difference.',
        answers: {
          200: {
            description: 'A row for each currency and rate.',
            schema: taxSummaryAnswer,
            example: { data: [exampleTaxSummaryRow] },
          },
        },
      },
    },
    {
      method: 'get',
      path: `${path}/exports/tax-summary`,
      handlers: [...gate.allow('read'), send],
      describe: {
        ...COMMON,
        operationId: 'exportTaxSummary',
        summary: 'Export a month’s tax summary as CSV',
        description: 'The rows of `GET …/tax-summary`.',
        answers: {
          200: {
            description: 'The summary.',
            schema: z.string(),
            example: csvLine(Object.keys(COLUMNS)),
            contentType: 'text/csv',
          },
        },
      },
    },
  ];
}
