/** Rebuilds rows that a restore has removed, for attempts that the rail has (rule 29). */
import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../domain/payment.ts';
import { isRefundable } from '../../domain/refund.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { claimAttempt } from '../session/claim-attempt.ts';
import type { Finding } from './findings.ts';

/** The fence refuses new clicks and refunds, except from the restore itself. */
async function adopting(tx: Transaction): Promise<void> {
  await tx.query(sql.unsafe`select set_config('service.adopts', 'on', true)`);
}

/**
 * Claims the session's next attempt again, with the mark of the call that the rail has had: its workflow looks it up
 * and never sends it. Attempts between, which the rail never had, end as cancelled.
 * @returns the claim's id for the workflow; null if the session takes no attempt now
 */
export async function adoptAttempt(
  pool: Pool,
  { ownerId, at }: Finding & { readonly ownerId: string },
): Promise<string | null> {
  const claimId = await pool.transaction(async (tx) => {
    await adopting(tx);
    return tx.oneFirst(sql.type(z.object({ claim_id: z.string() }))`
      insert into pay_requests (claim_id, checkout_id, method_type, not_after)
      select md5('restored ' || ${ownerId} || count(*))::uuid::text, ${ownerId}, 'card',
        service_clock() + interval '1 minute'
      from payments where checkout_id = ${ownerId}
      on conflict (claim_id) do update set not_after = excluded.not_after
      returning claim_id
    `);
  });
  const answer = await claimAttempt(pool, { checkoutId: ownerId, claimId });
  if (answer.kind !== 'claimed') return null;
  await pool.query(sql.unsafe`
    update payments set call_started_at = ${at}, call_deadline = service_clock()
    where id = ${answer.paymentId} and call_started_at is null
  `);
  return claimId;
}

const refunded = z.object({
  id: z.string(),
  status: z.enum(PAYMENT_STATUSES),
  left: z.number(),
});

/**
 * Rebuilds a refund with the mark of its call, and reserves its amount. Its workflow looks it up.
 * @returns false if its payment is not here, or not in a state that can have been refunded
 */
export function adoptRefund(pool: Pool, finding: Finding): Promise<boolean> {
  const { reference, accountId, paymentReference, amount, at } = finding;
  return pool.transaction(async (tx) => {
    await adopting(tx);
    const payment = await tx.maybeOne(sql.type(refunded)`
      select id, status, amount - refunded_amount as left from payments
      where rail_account_id = ${accountId} and (id = ${paymentReference} or rail_order_id = ${paymentReference})
      for update
    `);
    if (!payment || !isRefundable(payment.status) || payment.left < amount) return false;
    await tx.query(sql.unsafe`
      update payments set refunded_amount = refunded_amount + ${amount} where id = ${payment.id}
    `);
    await tx.query(sql.unsafe`
      insert into refunds (id, merchant_id, environment, payment_id, order_id, rail_account_id, operation_id, amount,
        currency, call_started_at, call_deadline)
      select ${reference}, merchant_id, environment, id, order_id, rail_account_id, ${`restored:${reference}`},
        ${amount}, currency, ${at}, service_clock()
      from payments where id = ${payment.id}
    `);
    return true;
  });
}
