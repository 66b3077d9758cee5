/**
 * GET /invoices/<token>.pdf and /credit-notes/<token>.pdf: a document for anyone who has its link. The first rendering
 * is stored and served from then on.
 */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AnswerDescription, DescribedOperation } from '../../contract/core/operation.ts';
import {
  findCreditNoteDocument,
  findInvoiceDocument,
  keepPdf,
  type LinkedDocument,
} from '../../db/invoice/invoice-pdfs.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import type { Route } from '../http/route.ts';
import { renderInvoice } from './pdf/render-invoice.ts';
import { invoiceWords } from './pdf/words.ts';

const FILE = /^([0-9a-f]{64})\.pdf$/;

export function downloadInvoiceRoute(context: ApiContext): Route {
  return documentRoute(context, '/invoices/:file', findInvoiceDocument, describe);
}

export function downloadCreditNoteRoute(context: ApiContext): Route {
  return documentRoute(context, '/credit-notes/:file', findCreditNoteDocument, describeCreditNote);
}

function documentRoute(
  { pool }: ApiContext,
  path: string,
  find: typeof findInvoiceDocument,
  description: DescribedOperation,
): Route {
  const download: RequestHandler = async (request, response) => {
    const token = FILE.exec(String(request.params.file))?.[1];
    const found = token ? await find(pool, token) : null;
    if (!token || !found) throw new ApiError('invoice_not_found');
    const bytes = found.pdf ?? (await keepPdf(pool, token, await drawn(found)));
    response.set({
      'Content-Disposition': `inline; filename="${found.document.number}.pdf"`,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    });
    response.type('application/pdf').send(bytes);
  };
  return { method: 'get', path, handlers: [download], describe: description };
}

function drawn({ document, language }: LinkedDocument) {
  return renderInvoice(document, invoiceWords(language));
}

const describe: DescribedOperation = {
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

const describeCreditNote: DescribedOperation = {
  ...describe,
  operationId: 'showCreditNotePdf',
  summary: 'A credit note as a PDF',
  description:
    'The `pdf_url` of a credit note. Anyone with the link can open it without a key: share it with the customer ' +
    'only. The document never changes.',
  answers: { 200: { ...describe.answers[200], description: 'The credit note.' } as AnswerDescription },
};
