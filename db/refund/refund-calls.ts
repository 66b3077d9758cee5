/** Rows around a refund's calls to the rail: the mark before each call (rule 3). */
import { z } from 'zod';
import { REFUND_STATUSES, type RefundView } from '../../domain/refund/refund.ts';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { rowOrNotFound } from '../core/row-not-found.ts';
import { railAccountColumns, railAccountRow } from '../merchant/rail-account-row.ts';

const refundAtRail = z.object({
  ...railAccountRow,
  payment_id: z.string(),
  /** The payment's id at the processor. */
  rail_order_id: z.string(),
  amount: z.number(),
  currency: z.string(),
  /** Before the first call, the creation time, because an operator may settle the refund before any call. */
  call_deadline: z.string(),
  /** Time since the last call's deadline; negative while a call may still be running. */
  ms_past_deadline: z.number(),
});
export type RefundAtRail = z.infer<typeof refundAtRail>;

const columns = sql.fragment`
  ${railAccountColumns}, p.id as payment_id, p.rail_order_id, r.amount, r.currency,
  coalesce(r.call_deadline, r.created_at) as call_deadline,
  ms_between(coalesce(r.call_deadline, r.created_at), service_clock()) as ms_past_deadline`;

/** Sets the mark with its deadline. Null if a call has already begun: look the refund up instead. */
export function beginRefund(db: Db, refundId: string, timeoutSeconds: number): Promise<RefundAtRail | null> {
  return db.maybeOne(sql.type(refundAtRail)`
    update refunds r
    set call_started_at = service_clock(),
      call_deadline = service_clock() + ${timeoutSeconds}::float8 * interval '1 second'
    from payments p, rail_accounts a
    where r.id = ${refundId} and r.status = 'pending' and r.call_started_at is null
      and p.id = r.payment_id and a.id = r.rail_account_id
    returning ${columns}
  `);
}

/** @throws RowNotFound */
export async function refundAtRailOf(db: Db, refundId: string): Promise<RefundAtRail> {
  const row = await db.maybeOne(sql.type(refundAtRail)`
    select ${columns}
    from refunds r join payments p on p.id = r.payment_id join rail_accounts a on a.id = r.rail_account_id
    where r.id = ${refundId}
  `);
  return rowOrNotFound(row, refundId);
}

/**
 * Withdraws the mark of a call that the rail does not know after the call's deadline and the search lag: the call never
 * took effect and may be sent again with the same key. Withdraws only the call that was looked up.
 */
export async function takeBackCall(db: Db, refundId: string, callDeadline: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update refunds set call_started_at = null
    where id = ${refundId} and status = 'pending' and date_trunc('milliseconds', call_deadline) = ${callDeadline}
  `);
}

/** Stores the refund's id at the processor, for support. */
export async function keepRailRefundId(db: Db, refundId: string, railRefundId: string): Promise<void> {
  await db.query(
    sql.typeAlias('void')`update refunds set rail_refund_id = ${railRefundId} where id = ${refundId}`,
  );
}

const view = camelCased({
  refund_id: z.string(),
  payment_id: z.string(),
  status: z.enum(REFUND_STATUSES),
  version: z.number(),
  called: z.boolean(),
  reconciling: z.boolean(),
});

/** @throws RowNotFound */
export async function loadRefundView(db: Db, refundId: string): Promise<RefundView> {
  const row = await db.maybeOne(sql.type(view)`
    select id as refund_id, payment_id, status, version, call_started_at is not null as called,
      reconciling_since is not null as reconciling
    from refunds where id = ${refundId}
  `);
  return rowOrNotFound(row, refundId);
}
