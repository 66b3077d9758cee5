/**
 * GET /invoices/<token>.pdf: an invoice for anyone who has its link. The first rendering is stored and served
 * from then on.
 */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { findPrintableInvoice, keepPdf } from '../../db/invoice/invoice-pdfs.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import type { Route } from '../http/route.ts';
import { renderInvoice } from './pdf/render.ts';

const FILE = /^([0-9a-f]{64})\.pdf$/;

export function downloadInvoiceRoute({ pool }: ApiContext): Route {
  const download: RequestHandler = async (request, response) => {
    const token = FILE.exec(String(request.params.file))?.[1];
    const invoice = token ? await findPrintableInvoice(pool, token) : null;
    if (!invoice) throw new ApiError('invoice_not_found');
    const bytes = invoice.pdf ?? (await keepPdf(pool, invoice.id, await renderInvoice(invoice)));
    response.set({
      'Content-Disposition': `inline; filename="${invoice.number}.pdf"`,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    });
    response.type('application/pdf').send(bytes);
  };
  return { method: 'get', path: '/invoices/:file', handlers: [download], describe };
}

const describe: OperationDescription = {
  operationId: 'showInvoicePdf',
  tag: 'Billing',
  summary: 'An invoice as a PDF',
  description:
    'The `pdf_url` of an invoice. Anyone with the link can open it without a key: share it with the customer ' +
    'only. The document never changes.',
  security: 'none',
  path: z.object({
    file: z
      .string()
      .min(1)
      .meta({ description: 'The last part of `pdf_url`.', example: `${'4f2d0c7a'.repeat(8)}.pdf` }),
  }),
  answers: {
    200: {
      description: 'The invoice.',
      contentType: 'application/pdf',
      schema: z.string().meta({ format: 'binary', description: 'A PDF document.' }),
    },
  },
  errors: ['invoice_not_found'],
};
