/**
 * PATCH /v1/invoice-settings and its subpaths echo the body and store nothing
 * (docs/contract.md#routes-that-move-no-money).
 */
import { z } from 'zod';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { invoiceSettings, invoiceSettingsAnswer } from '../../contract/invoice/invoice-settings.ts';
import { keyRoute } from '../http/routes/gated-route.ts';

const echo = (path: string, describe: OperationDescription) =>
  keyRoute(() => ({ method: 'patch', path, describe, answer: ({ body }) => body }));

const ofAll: OperationDescription = {
  operationId: 'echoInvoiceSettings',
  tag: 'Manual charges and invoice settings',
  summary: 'Echo invoice settings',
  description:
    '**Nothing is stored.** The response echoes the body; invoices stay unchanged, and the next ' +
    'response does not include this one’s values.',
  body: { schema: invoiceSettings, example: { prefix: 'RE-', days_to_pay: 14 }, required: false },
  answers: {
    200: {
      description: 'The body, with `request_id` beside its members.',
      schema: invoiceSettingsAnswer,
      example: { prefix: 'RE-', days_to_pay: 14 },
    },
  },
};

const ofOne: OperationDescription = {
  ...ofAll,
  operationId: 'echoInvoiceSettingsById',
  summary: 'Echo one of the invoice settings',
  path: z.object({ id: z.string().min(1).meta({ description: 'Any name.', example: 'footer' }) }),
};

export const invoiceSettingsRoute = echo('/v1/invoice-settings', ofAll);
export const oneInvoiceSettingRoute = echo('/v1/invoice-settings/:id', ofOne);
