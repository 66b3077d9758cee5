/** Sets the mark before the call of an off-session charge (rule 3). */
import { z } from 'zod';
import { CURRENCIES } from '../../domain/core/money.ts';
import { type Db, sql } from '../core/pool.ts';
import { railAccountColumns, railAccountRow } from '../merchant/rail-account-row.ts';

const begunStoredCharge = z.object({
  ...railAccountRow,
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  /** Encrypted reference of the mandate; null if none was stored. */
  mandate: z.instanceof(Buffer).nullable(),
  customer_id: z.string(),
  /** The time by the subscription's clock. */
  at: z.string(),
  ms_left: z.number(),
});
export type BegunStoredCharge = z.infer<typeof begunStoredCharge>;

/**
 * True if charge `p` of an invoice must no longer be made, with or without the buyer: its subscription has lost a
 * dispute or was cancelled by the merchant, or the time for which a plan change charges is over.
 */
export const isStopped = sql.fragment`exists (
  select from invoices i join subscriptions s on s.id = i.subscription_id
  where i.id = p.invoice_id and (s.charging_stopped_at is not null or s.cancel_requested_at is not null
    or i.status = 'draft' and i.period_end <= subscription_clock(s.id)))`;

/** Returns whether a charge whose mark is set was stopped before it was sent. */
export function isChargeStopped(db: Db, paymentId: string): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ is: z.boolean() }))`
    select ${isStopped} as is from payments p where p.id = ${paymentId}
  `);
}

/** Sets the mark of an off-session charge (see `beginAuthorize`). A charge stopped after its claim is never sent. */
export async function beginChargeStored(
  db: Db,
  paymentId: string,
  timeoutSeconds: number,
): Promise<BegunStoredCharge | null> {
  const begun = await db.maybeOne(sql.type(begunStoredCharge)`
    update payments p
    set call_started_at = service_clock(),
      call_deadline = service_clock()
        + case when ${isStopped} then 0 else ${timeoutSeconds}::float8 end * interval '1 second'
    from rail_accounts a, orders o
    where p.id = ${paymentId} and p.call_started_at is null and p.status = 'processing' and p.checkout_id is null
      and o.id = p.order_id and a.id = p.rail_account_id
    returning ${railAccountColumns}, p.amount, p.currency, p.credential_secret_ref as mandate, o.customer_id,
      (select subscription_clock(i.subscription_id) from invoices i where i.id = p.invoice_id) as at,
      ms_between(service_clock(), p.call_deadline) as ms_left
  `);
  return begun && begun.ms_left > 0 ? begun : null;
}
