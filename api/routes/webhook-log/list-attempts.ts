/** GET …/webhook-attempts: single attempts, newest first, by event, type, time, outcome and endpoint. */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { attemptLogQuery } from '../../../contract/webhook-endpoints.ts';
import { listLoggedAttempts } from '../../../db/delivery-log.ts';
import type { ApiContext } from '../../context.ts';
import type { MerchantGate } from '../../merchant-gate.ts';
import type { Route } from '../../route.ts';
import { positionInstant, readLogQuery, sendPage } from './log-query.ts';

const id = z.string().max(64);
const position = z.tuple([positionInstant, id, id, z.string().regex(/^\d{1,9}$/)]);

export function listWebhookAttemptsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const { filter, after } = readLogQuery(attemptLogQuery, position, request, response);
    sendPage(response, await listLoggedAttempts(pool, filter, after));
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/webhook-attempts',
    handlers: [...gate.read, list],
  };
}
