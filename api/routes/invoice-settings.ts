/** PATCH /v1/invoice-settings and below it: echoes the body, and stores nothing (contract: What the service does). */
import type { RequestHandler } from 'express';
import { authenticate } from '../auth.ts';
import type { ApiContext } from '../context.ts';
import { exchangeOf } from '../exchange.ts';
import { readJsonBody } from '../json-body.ts';
import { refuseOtherMerchantInBody } from '../own-merchant.ts';
import type { Route } from '../route.ts';

export function invoiceSettingsRoutes(context: ApiContext): readonly Route[] {
  return ['/v1/invoice-settings', '/v1/invoice-settings/:id'].map((path) => ({
    method: 'patch',
    path,
    handlers: [authenticate(context), readJsonBody, refuseOtherMerchantInBody, echo],
  }));
}

const echo: RequestHandler = (request, response) => {
  response.json({ ...request.body, request_id: exchangeOf(response).requestId });
};
