/**
 * GET /invoices/<token>.pdf: an invoice for whoever has its link. What is handed out first is kept, and handed out
 * for ever.
 */
import type { RequestHandler } from 'express';
import { findPrintableInvoice, keepPdf } from '../../db/invoice-pdfs.ts';
import type { ApiContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { renderInvoice } from '../invoice-pdf/render.ts';
import type { Route } from '../route.ts';

const FILE = /^([0-9a-f]{64})\.pdf$/;

export function showInvoiceRoute({ pool }: ApiContext): Route {
  const show: RequestHandler = async (request, response) => {
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
  return { method: 'get', path: '/invoices/:file', handlers: [show] };
}
