/** Queries of the sweep: rail webhooks that no look-up has covered yet (rule 24). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { OPEN_STATUSES } from './open-payment.ts';
import { IN_CALL, isWebhookAbout } from './rail-webhooks.ts';
import { roundRobin } from './round-robin.ts';

const paymentWithWebhooks = camelCased({
  payment_id: z.string(),
  /** The session or subscription whose workflow owns the payment. */
  owner_id: z.string().nullable(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  open: z.boolean(),
  /** True if the workflow that judges this webhook has been signalled. */
  presented: z.boolean(),
});

export function paymentsWithUnappliedWebhooks(db: Db, limit: number) {
  return db.any(sql.type(paymentWithWebhooks)`
    ${roundRobin(
      sql.fragment`
        select p.id as payment_id, coalesce(p.checkout_id, i.subscription_id) as owner_id,
          p.merchant_id, p.environment, p.status in ${OPEN_STATUSES} as open,
          bool_and(n.presented_at is not null) as presented,
          -- Presented webhooks stay in random order, because restarting a workflow does not change their rows.
          case when bool_and(n.presented_at is not null) then timestamptz 'infinity' end as asked_at
        from rail_webhooks n join payments p on p.id = n.reference and p.rail_account_id = n.rail_account_id
        left join invoices i on i.id = p.invoice_id
        where n.applied_at is null and n.hint <> 'dispute' and n.received_at < ${NOW} - interval '5 seconds'
          and not ${IN_CALL}
        group by p.id, i.subscription_id`,
      limit,
    )}
  `);
}

/** Marks webhooks older than 5 s as presented; later ones are presented in the next round. */
export async function markWebhooksPresented(db: Db, paymentId: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update rail_webhooks set presented_at = service_clock()
    where ${isWebhookAbout(paymentId)} and applied_at is null and presented_at is null
      and received_at < ${NOW} - interval '5 seconds'
  `);
}

/**
 * Sets aside webhooks about payments unknown to the rail account that sent them, and returns them to be logged once
 * (rule 32). Does nothing while no money may move, because an adopted charge may get its processor's id later.
 */
export function takeUnknownWebhooks(db: Db) {
  return db.any(sql.type(
    z.object({
      rail_account_id: z.string(),
      rail_event_id: z.string(),
      reference: z.string().nullable(),
      rail_reference: z.string().nullable(),
    }),
  )`
    update rail_webhooks n set applied_at = service_clock()
    where n.applied_at is null and n.received_at < ${NOW} - interval '5 minutes' and (select money_may_move())
      and not exists (
        select from payments p where p.id = n.reference and p.rail_account_id = n.rail_account_id)
      and not exists (
        select from refunds r where r.id = n.reference and r.rail_account_id = n.rail_account_id)
      and not exists (
        select from orphaned_charges o join payments p on p.id = o.payment_id
        where o.payment_id || '-return' = n.reference and p.rail_account_id = n.rail_account_id)
      and not exists (
        select from payments p
        where n.reference is null and p.rail_order_id = n.rail_reference and p.rail_account_id = n.rail_account_id)
    returning n.rail_account_id, n.rail_event_id, n.reference, n.rail_reference
  `);
}
