/** Payments in the form that look-ups at the rail need, and answers that are yet to be recorded. */
import { z } from 'zod';
import { CURRENCIES } from '../../domain/core/money.ts';
import { DECLINE_CODES, type FinalOutcome } from '../../domain/payment/attempt.ts';
import { type Db, sql } from '../core/pool.ts';
import { railAccountColumns, railAccountRow } from '../merchant/rail-account-row.ts';
import { OPEN_STATUSES } from './open-payment.ts';
import { type AnswerDetails, detailsAsColumns } from './rail-calls.ts';

const finalOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['approved', 'cancelled']) }),
  z.object({ kind: z.literal('declined'), code: z.enum(DECLINE_CODES), retryable: z.boolean() }),
]);

const paymentAtRail = z.object({
  ...railAccountRow,
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  customer_id: z.string(),
  rail_order_id: z.string().nullable(),
  rail_customer_id: z.string().nullable(),
  begun_at: z.string(),
  /**
   * Time since the last call's deadline; negative while a call may still be running. For an attempt that ended without
   * a call, the time since its claim.
   */
  ms_past_deadline: z.number(),
  /** A final answer that could not be recorded yet. */
  kept_answer: finalOutcome.nullable(),
});
export type PaymentAtRail = z.infer<typeof paymentAtRail>;

/** @returns null if the row does not exist (rule 30) */
export function paymentAtRailOf(db: Db, paymentId: string): Promise<PaymentAtRail | null> {
  return db.maybeOne(sql.type(paymentAtRail)`
    select ${railAccountColumns}, p.amount, p.currency, p.customer_id, p.rail_order_id, p.rail_customer_id, p.kept_answer,
      -- From the claim on: a lost copy of the database may have sent it before this one set its mark (rule 4).
      least(p.created_at, p.call_started_at) as begun_at,
      coalesce(ms_between(coalesce(p.call_deadline, case when p.status not in ${OPEN_STATUSES} then p.created_at end),
        service_clock()), 0) as ms_past_deadline
    from payments p
    join rail_accounts a on a.id = p.rail_account_id
    where p.id = ${paymentId}
  `);
}

/** Stores a final answer that could not be recorded (rule 40), with its details. */
export async function storeUnrecordedAnswer(
  db: Db,
  paymentId: string,
  answer: FinalOutcome,
  details: AnswerDetails | null,
): Promise<void> {
  const columns = details ? sql.fragment`, ${detailsAsColumns(details)}` : sql.fragment``;
  await db.query(sql.typeAlias('void')`
    update payments p set kept_answer = ${sql.jsonb(answer)}${columns}
    where p.id = ${paymentId} and p.status in ${OPEN_STATUSES}
  `);
}

/**
 * Extends the deadline of a call whose reference the rail has already seen, so that "not found" becomes final only
 * after the rail's search lag (rule 4).
 */
export async function waitForUsedName(db: Db, paymentId: string, searchLagMs: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update payments
    set call_deadline = greatest(call_deadline, service_clock() + ${searchLagMs}::float8 * interval '1 ms')
    where id = ${paymentId}
  `);
}
