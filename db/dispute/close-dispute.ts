/** An operator records the end of a dispute that the rail no longer reports, with an audit row (rule 34). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { camelCased, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inSettlementTransaction } from '../invoice/invoices.ts';
import { lockSubscription } from '../subscription/core/subscription-row.ts';
import { unheardWebhooksOfDisputes } from './disputed-payments.ts';
import { recordIn } from './record-disputes.ts';

export interface ClosedByOperator {
  readonly status: 'won' | 'lost';
  readonly operator: string;
  readonly reason: string;
  readonly evidence: string;
}

export interface CloseAnswer {
  /** `closed`: the dispute had already been decided. */
  readonly answer: 'recorded' | 'closed' | 'unknown';
  /** The subscription whose renewal was cancelled: its workflow must be signalled. */
  readonly stopped: string | null;
}

export function closeDispute(pool: Pool, disputeId: string, words: ClosedByOperator): Promise<CloseAnswer> {
  return inSettlementTransaction(pool, async (tx) => {
    const found = await findDispute(tx, disputeId);
    if (!found) return { answer: 'unknown', stopped: null };
    // Lock order: the subscription first.
    if (found.subscriptionId) await lockSubscription(tx, found.subscriptionId);
    await tx.query(sql.typeAlias('void')`select from disputes where id = ${disputeId} for update`);
    const dispute = await findDispute(tx, disputeId);
    if (dispute?.status !== 'open') return { answer: 'closed', stopped: null };
    const { status } = words;
    // Mark earlier webhooks as applied: otherwise every round would ask the rail, which no longer reports the dispute.
    const railEventIds = [...(await unheardWebhooksOfDisputes(tx, dispute.paymentId))];
    const closed = { ...dispute, status, evidenceDueBy: null };
    const { stopped } = await recordIn(tx, { ...dispute, railEventIds }, [closed]);
    await tx.query(
      sql.typeAlias('void')`update disputes set closed_by_operator = true where id = ${disputeId}`,
    );
    await writeAudit(tx, {
      merchantId: dispute.merchantId,
      environment: dispute.environment,
      actor: words.operator,
      action: 'dispute.close',
      subjectId: disputeId,
      before: { status: dispute.status },
      after: { ...words },
    });
    return { answer: 'recorded', stopped };
  });
}

const stored = camelCased({
  payment_id: z.string(),
  subscription_id: z.string().nullable(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  rail_account_id: z.string(),
  rail_dispute_id: z.string(),
  status: z.enum(['open', 'won', 'lost']),
  amount_cents: z.number(),
  currency: z.string(),
  reason: z.string(),
  opened_at: z.string(),
});

function findDispute(tx: Transaction, disputeId: string): Promise<z.infer<typeof stored> | null> {
  return tx.maybeOne(sql.type(stored)`
    select payment_id, subscription_id, merchant_id, environment,
      rail_account_id, rail_dispute_id, status, amount as amount_cents,
      currency, reason, opened_at
    from disputes where id = ${disputeId}
  `);
}
