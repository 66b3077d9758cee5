/** The rows of a subscription that its state machine needs, besides those that the service reads. */
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { mandateOf, railCredentialOf } from '../../../platform/secrets/places.ts';
import { insertShop, type Shop, testSecretBox } from '../../support/db/fixtures.ts';
import type { SessionWorld } from '../../support/world/checkout-world.ts';
import { subscribe } from '../../support/world/subscription-world.ts';

const charge = z.object({
  id: z.string(),
  status: z.string(),
  invoice_id: z.string(),
  invoice: z.string(),
  is_open: z.boolean(),
  is_call_over: z.boolean(),
});
export type Charge = z.infer<typeof charge>;

/** Oldest first. */
export function chargesOf({ pool }: SessionWorld, id: string): Promise<readonly Charge[]> {
  return pool.any(sql.type(charge)`
    select p.id, p.status, p.invoice_id, i.status as invoice, p.status in ('processing', 'requires_action') as is_open,
      p.status = 'processing' and coalesce(p.call_deadline < service_clock(), false) as is_call_over
    from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${id} and p.checkout_id is null order by p.created_at, p.id
  `);
}

export function wasResolved({ pool }: SessionWorld, id: string): Promise<boolean> {
  return pool.exists(sql.unsafe`
    select from audit_log where subject_id = ${id} and action = 'subscription.resolve'
  `);
}

export async function scheduledChange({ pool }: SessionWorld, id: string): Promise<string> {
  const found = await pool.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select id from subscription_changes where subscription_id = ${id} and status = 'scheduled'
  `);
  return found ?? 'none';
}

export async function cancelAsked({ pool }: SessionWorld, id: string): Promise<string | false> {
  const asked = await pool.exists(sql.unsafe`
    select from subscriptions where id = ${id} and cancel_requested_at is not null
  `);
  return asked && 'to be cancelled';
}

export function clockOf({ pool }: SessionWorld, id: string): Promise<string> {
  return pool.oneFirst(sql.type(z.object({ now: z.string() }))`select subscription_clock(${id}) as now`);
}

/** After this, a call unknown to the rail counts as never sent (rule 4). */
export async function endCalls({ pool }: SessionWorld, id: string): Promise<void> {
  await pool.query(sql.unsafe`
    update payments p set call_deadline = service_clock() - interval '1 minute' from invoices i
    where i.id = p.invoice_id and i.subscription_id = ${id} and p.status = 'processing' and p.call_deadline is not null
  `);
}

/** A mandate that the rail knows; it allows charges to any customer. */
export async function boughtMandate(world: SessionWorld): Promise<string> {
  const id = await subscribe(world);
  const row = z.object({ credential_secret_ref: z.instanceof(Buffer), customer_id: z.string() });
  const found = await world.pool.one(sql.type(row)`
    select p.credential_secret_ref, s.customer_id
    from subscriptions s join payments p on p.checkout_id = s.checkout_id where s.id = ${id}
  `);
  return testSecretBox.open(found.credential_secret_ref, mandateOf(found.customer_id));
}

export async function useMandate({ pool }: SessionWorld, id: string, mandate: string): Promise<void> {
  const customer = await pool.oneFirst(sql.type(z.object({ customer_id: z.string() }))`
    select customer_id from subscriptions where id = ${id}
  `);
  const sealed = testSecretBox.seal(mandate, mandateOf(customer));
  await pool.query(sql.unsafe`
    update subscriptions set credential_secret_ref = ${sql.binary(sealed)} where id = ${id}
  `);
}

/**
 * A merchant moves at most two clocks at a time, so each subscription has its own merchant, on one account at the
 * rail.
 */
export async function anotherShop({ pool, shop }: SessionWorld): Promise<Shop> {
  const another = await insertShop(pool);
  const sealed = await pool.oneFirst(sql.type(z.object({ credential: z.instanceof(Buffer) }))`
    select credential from rail_accounts where id = ${shop.railAccountId}
  `);
  const opened = testSecretBox.open(sealed, railCredentialOf(shop.railAccountId));
  const credential = testSecretBox.seal(opened, railCredentialOf(another.railAccountId));
  await pool.query(sql.unsafe`
    update rail_accounts set credential = ${sql.binary(credential)} where id = ${another.railAccountId}
  `);
  return another;
}
