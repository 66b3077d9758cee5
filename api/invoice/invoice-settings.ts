/**
 * PATCH /v1/invoice-settings and its subpaths echo the body and store nothing
 * (docs/contract.md#routes-that-move-no-money).
 */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { exampleSingle } from '../../contract/core/examples.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { invoiceSettings, invoiceSettingsAnswer } from '../../contract/invoice/invoice-settings.ts';
import { authenticate } from '../http/authentication/api-key.ts';
import { refuseOtherMerchantInBody } from '../http/authentication/own-merchant.ts';
import type { ApiContext } from '../http/context.ts';
import { exchangeOf } from '../http/exchange.ts';
import { readJsonBody } from '../http/request/json-body.ts';
import type { Route } from '../http/route.ts';

export function invoiceSettingsRoutes(context: ApiContext): readonly Route[] {
  const handlers = [authenticate(context), readJsonBody, refuseOtherMerchantInBody, echo];
  return [
    { method: 'patch', path: '/v1/invoice-settings', handlers, describe: ofAll },
    { method: 'patch', path: '/v1/invoice-settings/:id', handlers, describe: ofOne },
  ];
}

const echo: RequestHandler = (request, response) => {
  response.json({ ...request.body, request_id: exchangeOf(response).requestId });
};

const ofAll: OperationDescription = {
  operationId: 'echoInvoiceSettings',
  tag: 'Manual charges and invoice settings',
  summary: 'Echo invoice settings',
  description:
    '**Nothing is stored.** The response echoes the body; invoices stay unchanged, and the next ' +
    'response does not include this one’s values.',
  security: 'apiKey',
  body: { schema: invoiceSettings, example: { prefix: 'RE-', days_to_pay: 14 }, required: false },
  answers: {
    200: {
      description: 'The body, with `request_id` beside its members.',
      schema: invoiceSettingsAnswer,
      example: exampleSingle({ prefix: 'RE-', days_to_pay: 14 }),
    },
  },
  errors: [],
};

const ofOne: OperationDescription = {
  ...ofAll,
  operationId: 'echoInvoiceSettingsById',
  summary: 'Echo one of the invoice settings',
  path: z.object({ id: z.string().min(1).meta({ description: 'Any name.', example: 'footer' }) }),
};
