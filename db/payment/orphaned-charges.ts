/**
 * Orphaned charges: they succeeded after their attempt had ended (rule 7), and stay listed until the buyer
 * has the money back.
 */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inSettlement } from '../core/settlement.ts';
import { recordEvent } from '../webhook/events.ts';

/** Lists the charge and alerts, once. Sends no `payment.succeeded`. @returns false when it was listed before */
export async function recordOrphan(tx: Transaction, paymentId: string): Promise<boolean> {
  const orphan = await tx.maybeOne(sql.type(
    z.object({ merchant_id: z.string(), environment: z.enum(ENVIRONMENTS) }),
  )`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency)
    select id, merchant_id, environment, amount, currency from payments where id = ${paymentId}
    on conflict (payment_id) do nothing
    returning merchant_id, environment
  `);
  if (!orphan) return false;
  await recordEvent(tx, {
    scope: { merchantId: orphan.merchant_id, environment: orphan.environment },
    type: 'billing.operational_alert',
    aggregateId: `${paymentId}-orphaned`,
    aggregateVersion: 1,
    alert: { code: 'orphaned_charge', reference: paymentId },
  });
  return true;
}

/** Paid in the database, not charged at the rail: alerts once; only an operator changes the payment. */
export async function recordContradiction(tx: Transaction, paymentId: string): Promise<void> {
  const scope = await tx.one(sql.type(
    z.object({ merchantId: z.string(), environment: z.enum(ENVIRONMENTS) }),
  )`
    select merchant_id as "merchantId", environment from payments where id = ${paymentId}
  `);
  await recordEvent(tx, {
    scope,
    type: 'billing.operational_alert',
    aggregateId: `${paymentId}-contradicted`,
    aggregateVersion: 1,
    alert: { code: 'payment_not_at_rail', reference: paymentId },
  });
}

export async function markOrphanReturned(
  db: Db,
  paymentId: string,
  by: 'cancel' | 'refund' | 'operator',
): Promise<void> {
  await db.query(sql.unsafe`
    update orphaned_charges set returned_at = service_clock(), returned_by = ${by}
    where payment_id = ${paymentId} and returned_at is null
  `);
}

/** How many returns of this charge the rail has reported as failed. */
export function countFailedReturns(db: Db, paymentId: string): Promise<number> {
  return db.oneFirst(sql.type(z.object({ times: z.number() }))`
    select count(*)::integer as times from rail_news
    where reference = ${`${paymentId}-return`} and hint = 'refund_failed'
      and rail_account_id = (select rail_account_id from payments where id = ${paymentId})
  `);
}

const reopened = z.object({
  paymentId: z.string(),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
});

/**
 * Unreturned charges with rail news about their return received by `before`: their reconcile workflows look
 * again.
 */
export function returnsWithNews(db: Db, before: string) {
  return db.any(sql.type(reopened)`
    select distinct o.payment_id as "paymentId", o.merchant_id as "merchantId", o.environment
    from orphaned_charges o join payments p on p.id = o.payment_id
    join rail_news n on n.reference = o.payment_id || '-return' and n.rail_account_id = p.rail_account_id
    where o.returned_at is null and n.applied_at is null and n.received_at < ${before}::timestamptz - interval '5 seconds'
  `);
}

/**
 * Applies rail news about returns. A return that failed after all reopens its charge, because the buyer does not have
 * the money; the sweep then returns it again. The sweep's look-up verifies the news.
 * @returns the reopened payments
 */
export function hearOfReturns(pool: Pool, before: string): Promise<readonly string[]> {
  return inSettlement(pool, async (tx) => {
    const orphans = await tx.any(sql.type(reopened)`
      with heard as (
        update rail_news n set applied_at = service_clock()
        from orphaned_charges o join payments p on p.id = o.payment_id
        where n.reference = o.payment_id || '-return' and n.rail_account_id = p.rail_account_id and n.applied_at is null
          and n.received_at < ${before}::timestamptz - interval '5 seconds'
        returning o.payment_id, n.hint
      )
      update orphaned_charges set returned_at = null, returned_by = null
      where returned_at is not null and payment_id in (select payment_id from heard where hint = 'refund_failed')
      returning payment_id as "paymentId", merchant_id as "merchantId", environment
    `);
    for (const { paymentId, ...scope } of orphans) {
      await recordEvent(tx, {
        scope,
        type: 'billing.operational_alert',
        aggregateId: `${paymentId}-return-failed`,
        aggregateVersion: await countFailedReturns(tx, paymentId),
        alert: { code: 'orphaned_charge', reference: paymentId },
      });
    }
    return orphans.map(({ paymentId }) => paymentId);
  });
}
