/** `/v1/refunds`: refund, look up, list; the refunded total of a charge. */
import { Router } from 'express';
import { z } from 'zod';
import { Refusal } from '../core/refusal.ts';
import { findCharge } from '../db/charges.ts';
import { findRefund, listRefunds, refundedAmount } from '../db/refunds.ts';
import type { Context } from '../operations/context.ts';
import { unlessNew } from '../operations/lag.ts';
import { refund } from '../operations/refund.ts';
import { refundAnswer } from './answers.ts';
import { amountSchema, currencySchema, listSchema, PAGE_SIZE, referenceSchema } from './fields-of-calls.ts';
import { idempotently } from './idempotently.ts';
import { type Reply, railCall } from './rail-call.ts';

const schema = z.object({
  reference: referenceSchema,
  chargeReference: referenceSchema,
  amount: amountSchema.min(1),
  currency: currencySchema,
});

export function refundRoutes(context: Context): Router {
  const router = Router();

  router.post(
    '/v1/refunds',
    railCall(context, 'refund', async (call) => {
      const body = schema.parse(call.request.body);
      const { answer } = await idempotently(context, call, 'refund', body, async (db) =>
        refundAnswer(await refund(db, call.account, body)),
      );
      return { body: answer };
    }),
  );

  router.get(
    '/v1/refunds',
    railCall(context, 'listSince', async ({ account, request }): Promise<Reply> => {
      const { since, after } = listSchema.parse(request.query);
      const { refunds, next } = await listRefunds(context.pool, account.id, since, after ?? null, PAGE_SIZE);
      return { body: { data: refunds.map(refundAnswer), next } };
    }),
  );

  router.get(
    '/v1/refunds/:reference',
    railCall(context, 'lookupRefund', async ({ account, request }): Promise<Reply> => {
      const reference = referenceSchema.parse(request.params.reference);
      const found = unlessNew(context, await findRefund(context.pool, account.id, reference));
      if (!found) throw new Refusal(404, 'refund_not_found', 'there is no refund with this reference');
      return { body: refundAnswer(found) };
    }),
  );

  router.get(
    '/v1/charges/:reference/refunds',
    railCall(context, 'refundedTotal', async ({ account, request }): Promise<Reply> => {
      const reference = referenceSchema.parse(request.params.reference);
      if (!(await findCharge(context.pool, account.id, reference)))
        throw new Refusal(404, 'charge_not_found', 'there is no charge with this reference');
      return { body: { refunded: await refundedAmount(context.pool, account.id, reference) } };
    }),
  );

  return router;
}
