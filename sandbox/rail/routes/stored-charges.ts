/** `POST /v1/stored-charges`: charges a mandate off-session. */
import { Router } from 'express';
import { z } from 'zod';
import { chargeStored } from '../operations/charge-stored.ts';
import type { Context } from '../operations/context.ts';
import { chargeAnswer } from './answers.ts';
import { amountSchema, assertCurrency, currencySchema, referenceSchema } from './fields-of-calls.ts';
import { idempotently } from './idempotently.ts';
import { railCall } from './rail-call.ts';

const schema = z.object({
  reference: referenceSchema,
  amount: amountSchema.min(1),
  currency: currencySchema,
  mandate: z.string().min(1).max(200),
  at: z.iso.datetime().optional(),
});

export function storedChargeRoutes(context: Context): Router {
  const router = Router();
  router.post(
    '/v1/stored-charges',
    railCall(context, 'chargeStored', async (call) => {
      const { at, ...body } = schema.parse(call.request.body);
      assertCurrency(call.account, body.currency);
      const { answer } = await idempotently(context, call, 'chargeStored', body, async (db) =>
        chargeAnswer(context.publicUrl, await chargeStored(db, call.account, { ...body, at })),
      );
      return { body: answer };
    }),
  );
  return router;
}
