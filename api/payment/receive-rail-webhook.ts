/**
 * POST /rails/:rail/:railAccountId/webhooks: webhooks from a rail. A webhook is verified by the adapter, stored under
 * the rail's event id, answered with 200, and forwarded only as a hint: the workflow asks the rail first (rule 24). The
 * sweep forwards webhooks that this process could not forward.
 */
import express, { type RequestHandler } from 'express';
import { z } from 'zod';
import { requestId } from '../../contract/core/answers.ts';
import { anyJson } from '../../contract/core/fields.ts';
import type { DescribedOperation } from '../../contract/core/operation.ts';
import {
  applyAgreeingWebhooks,
  HINTS_THAT_AGREE,
  type StoredWebhook,
  storeRailWebhook,
} from '../../db/payment/rail-webhooks.ts';
import { presentWebhookTo } from '../../platform/temporal/messages.ts';
import { tellReconcile } from '../../platform/temporal/start-workflows.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { type RailWebhook, RailWebhookInvalid } from '../../rail/webhook.ts';
import type { ApiContext } from '../http/context.ts';
import { invalidRequest } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import type { Route } from '../http/route.ts';
import { railAccountOfRequest } from '../merchant/rail-accounts/rail-account-of-request.ts';

const BODY_LIMIT_BYTES = 102_400;
const PASS_ON_DEADLINE_MS = 2_000;

export function receiveRailWebhookRoute(context: ApiContext): Route {
  const { pool, temporal, logger, config } = context;

  const receive: RequestHandler<{ rail: string; railAccountId: string }> = async (request, response) => {
    const row = await railAccountOfRequest(context, request.params);
    const { rail, account } = openRailAccount(context, row);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const webhook = verified(() => rail.parseWebhook(account, body, singleHeaders(request.headers)));
    if (!webhook) {
      logger.info({ railAccountId: account.id }, 'signed rail webhook ignored: it is about another account');
      response.json({ request_id: exchangeOf(response).requestId });
      return;
    }
    if (!isStorable(webhook)) {
      const { railEventId, reference } = webhook;
      logger.warn(
        { railAccountId: account.id, railEventId: cut(railEventId), reference: reference && cut(reference) },
        'signed rail webhook ignored: malformed ids',
      );
      response.json({ request_id: exchangeOf(response).requestId });
      return;
    }
    const stored = await storeRailWebhook(pool, { railAccountId: account.id, ...webhook });
    response.json({ request_id: exchangeOf(response).requestId });
    if (!stored.applied) await passOn(stored, webhook.hint);
  };

  async function passOn(webhook: StoredWebhook, hint: string): Promise<void> {
    const {
      payment_id: paymentId,
      owner_id: ownerId,
      in_call: inCall,
      status,
      merchant_id,
      environment,
    } = webhook;
    if (!paymentId || !status || !merchant_id || !environment) return;
    // Disputes are left to the sweep.
    if (hint === 'dispute') return;
    try {
      if (HINTS_THAT_AGREE[status]?.includes(hint))
        return await applyAgreeingWebhooks(pool, paymentId, status);
      // A call to the rail is in progress, and its answer will settle this webhook (rule 38).
      if (inCall) return;
      await temporal.withDeadline(Date.now() + PASS_ON_DEADLINE_MS, async () => {
        const open = status === 'processing' || status === 'requires_action';
        if (!open) {
          await tellReconcile(temporal, { paymentId, merchantId: merchant_id, environment });
        } else if (ownerId) {
          await presentWebhookTo({ pool, client: temporal, session: config.session }, ownerId, paymentId);
        }
      });
    } catch (error) {
      logger.warn(
        { paymentId, err: error },
        'rail webhook not passed to its workflow; the sweep will pass it on',
      );
    }
  }

  return {
    method: 'post',
    path: '/rails/:rail/:railAccountId/webhooks',
    handlers: [
      express.raw({ type: () => true, limit: BODY_LIMIT_BYTES }),
      receive as unknown as RequestHandler,
    ],
    describe,
  };
}

/**
 * Neither this service's references nor any rail's ids are longer. PostgreSQL rejects NUL in text and long values in
 * an index.
 */
const LONGEST_ID = 255;

function isStorable({ railEventId, reference, railReference }: RailWebhook): boolean {
  return [railEventId, reference ?? '', railReference ?? ''].every(
    (id) => id.length <= LONGEST_ID && !id.includes('\0'),
  );
}

/** Truncates an id for the log, because a signed webhook may contain any text. */
function cut(id: string): string {
  return id.length <= 100 ? id : `${id.slice(0, 100)}…`;
}

function verified<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RailWebhookInvalid)
      throw invalidRequest('The signature of the webhook is not valid.', null);
    throw error;
  }
}

function singleHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
}

const describe: DescribedOperation = {
  operationId: 'receiveRailWebhook',
  tag: 'Operation',
  summary: 'Receive a webhook of a card processor',
  description:
    'For card processors, not for merchants. The signature is verified as the processor defines it; the webhook is ' +
    'stored once, and acted on only after a look-up at the processor.',
  security: 'none',
  path: z.object({
    rail: z.string().min(1).meta({ example: 'sandbox' }),
    railAccountId: z.string().min(1).meta({ example: 'ap_rac_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8' }),
  }),
  body: {
    contentType: 'application/json',
    schema: z
      .record(z.string(), anyJson)
      .meta({ id: 'RailWebhook', description: 'As the processor defines it.' }),
    example: { id: 'evt_1', type: 'charge.approved' },
    required: true,
  },
  answers: {
    200: {
      description:
        'Stored now or earlier, or ignored because it is about another account or its ids are not storable.',
      schema: z.object({ request_id: requestId }).meta({ id: 'RailWebhookAnswer' }),
      example: {},
    },
  },
  errors: ['route_not_found'],
};
