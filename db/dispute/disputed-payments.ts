/** Payments whose disputes are due for a look-up at the rail. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { presentWebhooks } from '../payment/rail-webhooks.ts';
import { roundRobin } from '../payment/round-robin.ts';

const disputedPaymentRow = {
  payment_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  rail_account_id: z.string(),
  /** The ids of the webhooks received so far; one received during the look-up causes another look-up. */
  rail_event_ids: z.array(z.string()),
};
const disputedPayment = camelCased(disputedPaymentRow);
export type DisputedPayment = z.infer<typeof disputedPayment>;
const askedPayment = camelCased({
  ...disputedPaymentRow,
  /** True if the latest webhook is at least a day old: by then, the rail should find its dispute. */
  webhook_is_old: z.boolean(),
});
export type AskedPayment = z.infer<typeof askedPayment>;

/** Dispute webhooks that no look-up has answered yet. */
const UNHEARD = sql.fragment`
  select p.id, n.rail_event_id, n.received_at, n.presented_at
  from rail_webhooks n join payments p on p.id = n.reference and p.rail_account_id = n.rail_account_id
  where n.applied_at is null and n.hint = 'dispute'
  union all
  -- The webhook arrived before the processor's id was stored.
  select p.id, n.rail_event_id, n.received_at, n.presented_at
  from rail_webhooks n join payments p on p.rail_order_id = n.rail_reference and p.rail_account_id = n.rail_account_id
  where n.applied_at is null and n.hint = 'dispute' and n.reference is null`;

/**
 * After an operator has closed a dispute, the rail is asked for this time: it may report the dispute again, and a bank
 * decides within months.
 */
const ASKED_AFTER_OPERATOR = sql.fragment`interval '120 days'`;

/**
 * Returns up to `limitEach` payments with webhooks about a dispute, and up to `limitEach` that are looked up daily,
 * because webhooks can be lost: payments with an open dispute, or with one that an operator has closed.
 */
export function disputedPayments(db: Db, limitEach: number): Promise<readonly AskedPayment[]> {
  return db.any(sql.type(askedPayment)`
    with unheard as (
      select id, array_agg(rail_event_id) as webhooks, max(received_at) < ${NOW} - interval '1 day' as is_old,
        max(presented_at) as asked_at
      from (${UNHEARD}) u group by id
    ), asked as (
      (${roundRobin(sql.fragment`select u.*, p.merchant_id, p.environment from unheard u join payments p on p.id = u.id`, limitEach)})
      union all
      (${roundRobin(
        sql.fragment`
          select payment_id, '{}'::text[], false, min(asked_at) as asked_at, merchant_id, environment from disputes
          where asked_at < ${NOW} - interval '1 day'
            and (status = 'open' or closed_by_operator)
            and (status = 'open' or updated_at > ${NOW} - ${ASKED_AFTER_OPERATOR})
            and payment_id not in (select id from unheard)
          group by payment_id, merchant_id, environment`,
        limitEach,
      )})
    )
    select p.id as payment_id, p.merchant_id, p.environment,
      p.rail_account_id, asked.webhooks as rail_event_ids,
      asked.is_old as webhook_is_old
    from asked join payments p on p.id = asked.id
    order by cardinality(asked.webhooks) = 0
  `);
}

/**
 * Call before querying the rail: a dispute that the rail no longer reports is then looked up daily too, and an
 * unanswered look-up moves to the end of the merchant's queue.
 */
export async function markDisputesAsked(db: Db, asked: readonly AskedPayment[]): Promise<void> {
  const paymentIds = asked.map(({ paymentId }) => paymentId);
  await db.query(sql.typeAlias('void')`
    update disputes set asked_at = service_clock() where payment_id = any(${sql.array(paymentIds, 'text')})
  `);
  await presentWebhooks(db, asked);
}

/**
 * Call when webhooks about a bank's decision, which are not repeated, may have been lost. The next rounds then look up
 * every dispute that is otherwise looked up daily.
 */
export async function askAboutAllDisputes(db: Db): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update disputes set asked_at = service_clock() - interval '2 days' where status = 'open' or closed_by_operator
  `);
}

/** The ids of the webhooks that no look-up has answered yet. */
export function unheardWebhooksOfDisputes(db: Db, paymentId: string): Promise<readonly string[]> {
  return db.anyFirst(sql.type(z.object({ rail_event_id: z.string() }))`
    select rail_event_id from (${UNHEARD}) webhooks where id = ${paymentId}
  `);
}
