/** `/v1/charges`: authorize, look up, cancel, list. */
import { type Request, Router } from 'express';
import { z } from 'zod';
import { Refusal } from '../core/refusal.ts';
import { cardByName } from '../core/test-cards.ts';
import type { Account } from '../db/accounts.ts';
import { type Charge, findCharge, listCharges } from '../db/charges.ts';
import { countRequests } from '../db/requests.ts';
import { peekToken } from '../db/tokens.ts';
import { authorize } from '../operations/authorize.ts';
import { cancel } from '../operations/cancel.ts';
import type { Context } from '../operations/context.ts';
import { unlessNew } from '../operations/lag.ts';
import { chargeAnswer } from './answers.ts';
import {
  amountSchema,
  assertCurrency,
  currencySchema,
  listSchema,
  PAGE_SIZE,
  referenceSchema,
} from './fields-of-calls.ts';
import { idempotently } from './idempotently.ts';
import { type RailCall, type Reply, railCall } from './rail-call.ts';

const authorizeSchema = z
  .object({
    reference: referenceSchema,
    amount: amountSchema,
    currency: currencySchema,
    quantity: z.number().int().positive().nullable().default(null),
    token: z.string().min(1).max(200),
    saveMandate: z.boolean().default(false),
    challengeReturnUrl: z.url({ protocol: /^https?$/ }),
  })
  .refine(({ amount, saveMandate }) => amount > 0 || saveMandate, 'an amount of 0 requires saveMandate');

export function chargeRoutes(context: Context): Router {
  const { pool, publicUrl, settleAfterMs } = context;
  const router = Router();

  router.post(
    '/v1/charges',
    railCall(context, 'authorize', async (call) => {
      const body = authorizeSchema.parse(call.request.body);
      assertCurrency(call.account, body.currency);
      const drop = await dropOf(context, call, body);
      if (drop === 'before') return null;
      const { answer, fresh } = await idempotently(context, call, 'authorize', body, async (db) =>
        chargeAnswer(publicUrl, await authorize(db, call.account, body, settleAfterMs)),
      );
      return { body: answer, drop: fresh && drop === 'after' };
    }),
  );

  router.get(
    '/v1/charges',
    railCall(context, 'listSince', async ({ account, request }): Promise<Reply> => {
      const { since, after } = listSchema.parse(request.query);
      const { charges, next } = await listCharges(pool, account.id, since, after ?? null, PAGE_SIZE);
      return { body: { data: charges.map((charge) => chargeAnswer(publicUrl, charge)), next } };
    }),
  );

  router.get(
    '/v1/charges/:reference',
    railCall(context, 'lookup', async ({ account, request }): Promise<Reply> => {
      return { body: chargeAnswer(publicUrl, await chargeOf(context, account, request)) };
    }),
  );

  router.post(
    '/v1/charges/:reference/cancel',
    railCall(context, 'cancel', async (call) => {
      const reference = referenceSchema.parse(call.request.params.reference);
      if (context.lagMs > 0) await chargeOf(context, call.account, call.request);
      const { answer } = await idempotently(context, call, 'cancel', { reference }, async (db) =>
        chargeAnswer(publicUrl, await cancel(db, call.account, reference, settleAfterMs)),
      );
      return { body: answer };
    }),
  );

  return router;
}

/** @throws Refusal if the charge does not exist, or is too new to be found */
async function chargeOf(context: Context, account: Account, request: Request): Promise<Charge> {
  const charge = await findCharge(context.pool, account.id, referenceSchema.parse(request.params.reference));
  const found = unlessNew(context, charge);
  if (!found) throw new Refusal(404, 'charge_not_found', 'there is no charge with this reference');
  return found;
}

/** Whether the card cuts the connection; `before` only on the first call, so that a retry succeeds. */
async function dropOf(
  { pool }: Context,
  { account }: RailCall,
  { token, reference }: { token: string; reference: string },
): Promise<'before' | 'after' | null> {
  const cardName = (await peekToken(pool, account.id, token))?.cardName;
  const first = cardName ? cardByName(cardName).first : null;
  if (first?.kind !== 'drop') return null;
  if (first.when === 'after') return 'after';
  return (await countRequests(pool, account.id, 'authorize', reference)) === 1 ? 'before' : null;
}
