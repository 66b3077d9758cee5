/**
 * Orphaned charges, which succeeded after their attempt had ended (rule 7). They stay listed until the buyer has the
 * money back.
 */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { camelCased, type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { recordEvent } from '../webhook/events.ts';
import { applyWebhooks } from './rail-webhooks.ts';
import { roundRobin } from './round-robin.ts';

/**
 * Lists the charge and alerts, once. Sends no `payment.succeeded`. A charge that was returned by a cancel, but is still
 * approved at the rail, is listed again.
 * @returns false if the charge was already listed
 */
export async function recordOrphan(tx: Transaction, paymentId: string): Promise<boolean> {
  const orphan = await tx.maybeOne(sql.type(
    camelCased({ merchant_id: z.string(), environment: z.enum(ENVIRONMENTS), reopened: z.number() }),
  )`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency)
    select id, merchant_id, environment, amount, currency from payments where id = ${paymentId}
    on conflict (payment_id) do update
    set returned_at = null, returned_by = null, reopened = orphaned_charges.reopened + 1
    where orphaned_charges.returned_by = 'cancel' and orphaned_charges.amount > 0
    returning merchant_id, environment, reopened
  `);
  if (!orphan) return false;
  await recordEvent(tx, {
    scope: { merchantId: orphan.merchantId, environment: orphan.environment },
    type: 'billing.operational_alert',
    aggregateId: `${paymentId}-orphaned`,
    aggregateVersion: 1 + orphan.reopened,
    alert: { code: 'orphaned_charge', reference: paymentId },
  });
  return true;
}

/**
 * Alerts about a payment that is paid in the database but not charged at the rail: once if the buyer has not passed a
 * challenge, and once when the rail's answer is final. Only an operator changes the payment.
 * @returns false if the alert was already sent
 */
export async function recordContradiction(
  tx: Transaction,
  paymentId: string,
  kind: 'contradicted' | 'challenged' = 'contradicted',
): Promise<boolean> {
  const aggregateId = `${paymentId}-${kind}`;
  if (await tx.exists(sql.typeAlias('void')`select from events where aggregate_id = ${aggregateId}`))
    return false;
  const scope = await tx.one(sql.type(
    camelCased({ merchant_id: z.string(), environment: z.enum(ENVIRONMENTS) }),
  )`
    select merchant_id, environment from payments where id = ${paymentId}
  `);
  await recordEvent(tx, {
    scope,
    type: 'billing.operational_alert',
    aggregateId,
    aggregateVersion: 1,
    alert: { code: 'payment_not_at_rail', reference: paymentId },
  });
  return true;
}

/** This call's deadline (`until`) and the previous call's, at full precision, and the number of rejected returns. */
const returnMark = z.object({ until: z.string(), before: z.string().nullable(), refused: z.number() });
export type ReturnMark = z.infer<typeof returnMark>;

/**
 * Sets the mark before a call that returns the money (rule 3): until its deadline no operator can record a manual
 * return.
 *
 * @returns null if the charge is not an orphan, or was already returned
 */
export function beginReturn(db: Db, paymentId: string, timeoutSeconds: number): Promise<ReturnMark | null> {
  return db.maybeOne(sql.type(returnMark)`
    update orphaned_charges o
    set return_deadline = service_clock() + ${timeoutSeconds}::float8 * interval '1 second'
    from (select payment_id, return_deadline from orphaned_charges where payment_id = ${paymentId} for update) former
    where o.payment_id = former.payment_id and o.returned_at is null
    returning o.return_deadline::text as until, former.return_deadline::text as before,
      o.refused_returns as refused
  `);
}

/** Restores the deadline of the previous call, which may still be running, unless another run has set a mark since. */
export async function takeBackMark(db: Db, paymentId: string, { until, before }: ReturnMark): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update orphaned_charges set return_deadline = ${before}::timestamptz
    where payment_id = ${paymentId} and return_deadline = ${until}::timestamptz
  `);
}

/**
 * Counts a rejection of the marked call, which changes the next call's key: with the same key, the rail would repeat
 * the rejection.
 */
export async function countRefusedReturn(db: Db, paymentId: string, { until }: ReturnMark): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update orphaned_charges set refused_returns = refused_returns + 1
    where payment_id = ${paymentId} and return_deadline = ${until}::timestamptz
  `);
}

const RETURNED_BY = ['cancel', 'refund', 'operator', 'dispute'] as const;
export type ReturnedBy = (typeof RETURNED_BY)[number];

/**
 * Records a return. `cancel`: no money is left at the rail, or there never was any. `operator`: an operator returned
 * the money; not recorded while a call is in flight. `dispute`: the buyer's bank has returned the remaining amount.
 *
 * @returns whether this call recorded the return
 */
export async function recordOrphanReturned(db: Db, paymentId: string, by: ReturnedBy): Promise<boolean> {
  const { rowCount } = await db.query(sql.typeAlias('void')`
    update orphaned_charges set returned_at = service_clock(), returned_by = ${by}
    where payment_id = ${paymentId} and returned_at is null
      and (${by} <> 'operator' or return_deadline is null or return_deadline < service_clock())
  `);
  return rowCount > 0;
}

const orphan = camelCased({
  returned_by: z.enum(RETURNED_BY).nullable(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  amount: z.number(),
  currency: z.string(),
  /** Number of times the charge was listed again, because the rail still reported it as approved after a cancel. */
  reopened: z.number(),
});
export type Orphan = z.infer<typeof orphan>;

/** @returns null if the charge is not an orphan */
export function findOrphan(db: Db, paymentId: string): Promise<Orphan | null> {
  return db.maybeOne(sql.type(orphan)`
    select merchant_id, environment, amount, currency, returned_by, reopened
    from orphaned_charges where payment_id = ${paymentId}
  `);
}

/**
 * Records that an operator returned the money in a way that the rail does not show. Changes nothing after a return, or
 * while a call that returns the money may be in flight: `returnedBy` is then null.
 *
 * @throws if the charge is not an orphan
 */
export function recordReturnedByOperator(
  pool: Pool,
  paymentId: string,
  words: { readonly operator: string; readonly reason: string; readonly evidence: string },
): Promise<{ readonly recorded: boolean; readonly returnedBy: ReturnedBy | null }> {
  return pool.transaction(async (tx) => {
    const recorded = await recordOrphanReturned(tx, paymentId, 'operator');
    const row = await findOrphan(tx, paymentId);
    if (!row) throw new Error(`${paymentId} is not an orphaned charge.`);
    const { merchantId, environment, amount, currency, returnedBy } = row;
    if (recorded) {
      await writeAudit(tx, {
        merchantId,
        environment,
        actor: words.operator,
        action: 'orphaned_charge.returned',
        subjectId: paymentId,
        before: { returned_by: null },
        after: { returned_by: returnedBy, amount, currency, ...words },
      });
    }
    return { recorded, returnedBy };
  });
}

/**
 * Lists the charge again after the bank has reversed its decision. The money that a lost dispute had returned, all of
 * it or the part that a refund left, belongs to the merchant again and must be refunded. The remaining amount follows
 * from the rail's total.
 */
export async function reopenAfterReversal(tx: Transaction, paymentId: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update orphaned_charges set returned_at = null, returned_by = null
    where payment_id = ${paymentId} and returned_by in ('dispute', 'refund')
  `);
}

/** Counts the returns of this charge that the rail has reported as failed. */
export function countFailedReturns(db: Db, paymentId: string): Promise<number> {
  return db.oneFirst(sql.type(z.object({ times: z.number() }))`
    select count(*)::integer as times from rail_webhooks
    where reference = ${`${paymentId}-return`} and hint = 'refund_failed'
      and rail_account_id = (select rail_account_id from payments where id = ${paymentId})
  `);
}

const reopened = camelCased({
  payment_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
});

/**
 * Returns charges that are not yet returned and whose return has new rail webhooks, received by `before`: their
 * reconcile workflows look the return up again.
 */
export function returnsWithWebhooks(db: Db, before: string) {
  return db.any(sql.type(reopened)`
    select distinct o.payment_id, o.merchant_id, o.environment
    from orphaned_charges o join payments p on p.id = o.payment_id
    join rail_webhooks n on n.reference = o.payment_id || '-return' and n.rail_account_id = p.rail_account_id
    where o.returned_at is null and n.applied_at is null and n.presented_at is null
      and n.received_at < ${before}::timestamptz - interval '5 seconds'
  `);
}

/**
 * Marks webhooks about returns as applied, except a failed refund of a charge that was refunded or is not returned yet:
 * that webhook is judged after the return is recorded, because the recorded answer may be older than the failure.
 *
 * @param unsignalled charges whose workflows have not been signalled
 */
export async function applyWebhooksOfReturns(
  db: Db,
  before: string,
  unsignalled: readonly string[] = [],
): Promise<void> {
  const saysNothing = sql.fragment`(n.hint <> 'refund_failed' or coalesce(o.returned_by, 'refund') <> 'refund')`;
  await db.query(sql.typeAlias('void')`
    update rail_webhooks n
    set presented_at = service_clock(), applied_at = case when ${saysNothing} then service_clock() end
    from orphaned_charges o join payments p on p.id = o.payment_id
    where n.reference = o.payment_id || '-return' and n.rail_account_id = p.rail_account_id and n.applied_at is null
      and n.received_at < ${before}::timestamptz - interval '5 seconds'
      and (n.presented_at is null or ${saysNothing})
      and o.payment_id <> all (${sql.array([...unsignalled], 'text')})
  `);
}

const doubted = camelCased({
  payment_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  rail_account_id: z.string(),
  /** Ids of the webhooks received so far; a webhook received during the look-up causes another look-up. */
  rail_event_ids: z.array(z.string()),
});
export type DoubtedReturn = z.infer<typeof doubted>;

/** Finds charges returned by a refund, while a webhook of their rail account reports that a refund of them failed. */
export function returnsInDoubt(db: Db, limit: number): Promise<readonly DoubtedReturn[]> {
  return db.any(sql.type(doubted)`
    ${roundRobin(
      sql.fragment`
        select o.payment_id, o.merchant_id, o.environment,
          n.rail_account_id, array_agg(n.rail_event_id) as rail_event_ids, max(n.presented_at) as asked_at
        from orphaned_charges o join payments p on p.id = o.payment_id
        join rail_webhooks n on n.reference = o.payment_id || '-return' and n.rail_account_id = p.rail_account_id
        where o.returned_by = 'refund' and n.applied_at is null
          and n.hint = 'refund_failed'
        group by o.payment_id, n.rail_account_id`,
      limit,
    )}
  `);
}

/**
 * Records what a look-up found (rule 32). If the return failed after all, lists the charge again with an alert, because
 * the buyer does not have the money; the sweep then returns it again.
 */
export function applyReturnLookup(
  pool: Pool,
  { paymentId, railAccountId, railEventIds, ...scope }: DoubtedReturn,
  isBack: boolean,
): Promise<void> {
  return inTransaction(pool, async (tx) => {
    await applyWebhooks(tx, railAccountId, railEventIds);
    if (isBack) return;
    await tx.query(sql.typeAlias('void')`
      update orphaned_charges set returned_at = null, returned_by = null
      where payment_id = ${paymentId} and returned_by = 'refund'
    `);
    await recordEvent(tx, {
      scope,
      type: 'billing.operational_alert',
      aggregateId: `${paymentId}-return-failed`,
      aggregateVersion: await countFailedReturns(tx, paymentId),
      alert: { code: 'orphaned_charge', reference: paymentId },
    });
  });
}

const unreturned = camelCased({
  payment_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
});

/** Charges that no call has tried to return come first, so that charges whose return is rejected do not starve them. */
export function unreturnedOrphans(db: Db, limit: number) {
  return db.any(sql.type(unreturned)`
    ${roundRobin(
      sql.fragment`
        select payment_id, merchant_id, environment, return_deadline as asked_at
        from orphaned_charges where returned_at is null`,
      limit,
    )}
  `);
}
