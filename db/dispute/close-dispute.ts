/** An operator records how a dispute ended that the rail no longer reports, with an audit row (rule 34). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inSettlement } from '../core/settlement.ts';
import { lockSubscription } from '../subscription/subscription-row.ts';
import { recordIn } from './record-disputes.ts';

export interface ClosedByOperator {
  readonly status: 'won' | 'lost';
  readonly operator: string;
  readonly reason: string;
  readonly evidence: string;
}

/** `closed`: it was decided before. */
export type CloseAnswer = 'recorded' | 'closed' | 'unknown';

export function closeDispute(pool: Pool, disputeId: string, words: ClosedByOperator): Promise<CloseAnswer> {
  return inSettlement(pool, async (tx) => {
    const found = await findDispute(tx, disputeId);
    if (!found) return 'unknown';
    // Before the dispute's row, as everywhere.
    if (found.subscriptionId) await lockSubscription(tx, found.subscriptionId);
    await tx.query(sql.unsafe`select from disputes where id = ${disputeId} for update`);
    const dispute = await findDispute(tx, disputeId);
    if (dispute?.status !== 'open') return 'closed';
    const { status } = words;
    await recordIn(tx, { ...dispute, railEventIds: [] }, [{ ...dispute, status, evidenceDueBy: null }]);
    await writeAudit(tx, {
      merchantId: dispute.merchantId,
      environment: dispute.environment,
      actor: words.operator,
      action: 'dispute.close',
      subjectId: disputeId,
      before: { status: dispute.status },
      after: { ...words },
    });
    return 'recorded';
  });
}

const stored = z.object({
  paymentId: z.string(),
  subscriptionId: z.string().nullable(),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  railAccountId: z.string(),
  railDisputeId: z.string(),
  status: z.enum(['open', 'won', 'lost']),
  amountCents: z.number(),
  currency: z.string(),
  reason: z.string(),
  openedAt: z.string(),
});

function findDispute(tx: Transaction, disputeId: string): Promise<z.infer<typeof stored> | null> {
  return tx.maybeOne(sql.type(stored)`
    select payment_id as "paymentId", subscription_id as "subscriptionId", merchant_id as "merchantId", environment,
      rail_account_id as "railAccountId", rail_dispute_id as "railDisputeId", status, amount as "amountCents",
      currency, reason, opened_at as "openedAt"
    from disputes where id = ${disputeId}
  `);
}
