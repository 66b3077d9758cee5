/** Disputes: listed for the merchant; opened and decided from the loopback address only, as the buyer's bank would. */
import { Router } from 'express';
import { z } from 'zod';
import { Refusal } from '../core/refusal.ts';
import { findCharge } from '../db/charges.ts';
import { listDisputes, listDisputesSince } from '../db/disputes.ts';
import { inTransaction } from '../db/pool.ts';
import type { Context } from '../operations/context.ts';
import { decideDispute, openDispute } from '../operations/dispute.ts';
import { onlyFromLoopback } from './admin.ts';
import { disputeAnswer } from './answers.ts';
import { listSchema, referenceSchema } from './fields-of-calls.ts';
import { type Reply, railCall } from './rail-call.ts';

const subject = z.object({ account: z.string().min(1).max(100), reference: referenceSchema });
const decision = subject.extend({ status: z.enum(['won', 'lost']) });

export function disputeRoutes(context: Context): Router {
  const { pool, wake } = context;
  const router = Router();

  router.get(
    '/v1/charges/:reference/disputes',
    railCall(context, 'listDisputes', async ({ account, request }): Promise<Reply> => {
      const reference = referenceSchema.parse(request.params.reference);
      if (!(await findCharge(pool, account.id, reference)))
        throw new Refusal(404, 'charge_not_found', 'there is no charge with this reference');
      return { body: { data: (await listDisputes(pool, account.id, reference)).map(disputeAnswer) } };
    }),
  );

  router.get(
    '/v1/disputes',
    railCall(context, 'listSince', async ({ account, request }): Promise<Reply> => {
      const { since } = listSchema.parse(request.query);
      return { body: { data: await listDisputesSince(pool, account.id, since), next: null } };
    }),
  );

  router.post('/admin/disputes', onlyFromLoopback, async (request, response) => {
    const { account, reference } = subject.parse(request.body);
    const opened = await inTransaction(pool, (db) => openDispute(db, account, reference));
    wake();
    response.status(201).json(disputeAnswer(opened));
  });

  router.post('/admin/disputes/decision', onlyFromLoopback, async (request, response) => {
    const { account, reference, status } = decision.parse(request.body);
    const decided = await inTransaction(pool, (db) => decideDispute(db, account, reference, status));
    wake();
    response.json(disputeAnswer(decided));
  });

  return router;
}
