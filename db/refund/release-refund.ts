/**
 * Refunds withheld after a restore: the buyer may already have the money (rule 29). An operator's decision
 * covers one of them (rule 44).
 */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { disputedPart } from '../payment/disputed-part.ts';
import { isUncompared } from './refund-calls.ts';

/** Also true of a refund whose first call is in flight: only its answer shows whether it is withheld. */
const isWithheld = sql.fragment`(r.status = 'pending' and r.rail_refund_id is null and ${isUncompared})`;

/**
 * The refunds that would be sent without another check if the listed object were settled. @param reference of
 * an account that could not be compared, or of a refund that only the rail has
 */
export function refundsWithheldBy(db: Db, reference: string): Promise<readonly string[]> {
  return db.anyFirst(sql.type(z.object({ id: z.string() }))`
    select r.id from refunds r join payments p on p.id = r.payment_id join rail_accounts a on a.id = r.rail_account_id
    where ${isWithheld} and (a.id = ${reference} or exists (
      select from restore_findings f
      where f.rail_account_id = a.id and f.reference = ${reference} and f.kind = 'refund' and f.state = 'person'
        and f.payment_reference in (p.id, p.rail_order_id)))
    order by r.id
  `);
}

/**
 * The buyer is still owed this refund: it is sent at its next look-up. A restore that is compared later
 * withholds it again. `payment_disputed`: it returns disputed money, and the operator has not confirmed that.
 */
export function releaseRefund(
  pool: Pool,
  by: {
    readonly refundId: string;
    readonly operator: string;
    readonly evidence: string;
    readonly confirmDispute?: boolean;
  },
): Promise<'released' | 'not_withheld' | 'payment_disputed'> {
  const { refundId, operator, evidence, confirmDispute = false } = by;
  return pool.transaction(async (tx) => {
    const refund = await lockWithheld(tx, refundId);
    if (!refund) return 'not_withheld';
    const { disputed, ...scope } = refund;
    if (disputed && !confirmDispute) return 'payment_disputed';
    await tx.query(sql.typeAlias('void')`
      update refunds set released_at = service_clock(), updated_at = service_clock() where id = ${refundId}`);
    await writeAudit(tx, {
      ...scope,
      actor: operator,
      action: 'refund.release',
      subjectId: refundId,
      requestId: null,
      before: null,
      after: { evidence },
    });
    return 'released';
  });
}

const withheld = z.object({
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  /** Too little would be left for the amount that the buyer's bank returns. */
  disputed: z.boolean(),
});

function lockWithheld(tx: Transaction, refundId: string): Promise<z.infer<typeof withheld> | null> {
  return tx.maybeOne(sql.type(withheld)`
    select r.merchant_id as "merchantId", r.environment, p.refunded_amount + d.amount > p.amount as disputed
    from refunds r join payments p on p.id = r.payment_id join rail_accounts a on a.id = r.rail_account_id
      ${disputedPart}
    where r.id = ${refundId} and ${isWithheld}
    for update of r
  `);
}
