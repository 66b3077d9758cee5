/** One payment with its complete history, from the rows that recorded it. */
import type { z } from 'zod';
import { happening, type PaymentDetails, paymentDetails } from '../../contract/payment/search.ts';
import type { Environment } from '../../domain/core/environment.ts';
import { type Db, sql } from '../core/pool.ts';
import { isoInstant } from '../core/service-clock.ts';
import { isHeld } from '../webhook/backlog.ts';
import { creditNoteOfRefund } from './credit-note-of-refund.ts';
import { creditedPart } from './credited-part.ts';
import { OPEN_STATUSES } from './open-payment.ts';
import { paymentColumns, paymentJoins } from './search-payments.ts';

const row = paymentDetails.omit({ timeline: true });

/**
 * @param publicUrl base URL of the credit notes' PDF links
 * @param environment the environment to search in; null means both
 */
export async function findPaymentDetails(
  db: Db,
  publicUrl: string,
  merchantId: string,
  environment: Environment | null,
  id: string,
): Promise<PaymentDetails | null> {
  const found = await db.maybeOne(sql.type(row)`
    select ${paymentColumns}, p.environment, p.checkout_id,
      i.id as invoice_id, i.number as invoice_number, coalesce(i.subscription_id, s.id) as subscription_id,
      case when p.status in ('succeeded', 'partially_refunded') and p.rail_order_id is not null
        then p.amount - p.refunded_amount - ${creditedPart} else 0 end as refundable_amount,
      coalesce((select capabilities -> 'refunds' = 'true' from rail_accounts where id = p.rail_account_id), false)
        as refunds_supported,
      coalesce(o.line_items, '[]') as line_items,
      coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'amount', r.amount, 'status', r.status,
        'reason', r.reason, 'created_at', ${isoInstant(sql.fragment`r.created_at`)}, 'credit_note', ${creditNoteOfRefund(publicUrl)}) order by r.created_at)
        from refunds r where r.payment_id = p.id), '[]') as refunds
    from payments p ${paymentJoins}
    left join lateral (
      select id, number, subscription_id from invoices
      where id = p.invoice_id or order_id = p.order_id order by id limit 1
    ) i on true
    left join subscriptions s on s.checkout_id = p.checkout_id
    where p.id = ${id} and p.merchant_id = ${merchantId}
      and (${environment}::text is null or p.environment = ${environment})`);
  return found && { ...found, timeline: [...(await paymentTimeline(db, id))] };
}

/** Maximum number of look-ups shown with a payment: the newest. */
const LOOKUPS = 50;

export type Happening = z.infer<typeof happening>;

export function paymentTimeline(db: Db, id: string): Promise<readonly Happening[]> {
  return db.any(sql.type(happening)`
    with ${rowsOf(id)}
    select at, what, reference, amount, detail from (
      select 1 as place, c.created_at as at, 'checkout_created' as what, c.id as reference, c.amount, null as detail
      from checkouts c, p where c.id = p.checkout_id
      union all
      select 2, min(r.opened_at), 'page_opened', r.checkout_id, null, null
      from clicks r, p where r.checkout_id = p.checkout_id and r.opened_at <= p.created_at
      group by r.checkout_id
      union all
      select 2, r.created_at, 'pay_clicked', null, null, r.method_type
      from clicks r, p where r.claim_id = p.claim_id
      union all
      select 3, created_at, 'attempt_made', id, amount, attempt_no::text from p
      union all
      select 4, call_started_at, 'sent_to_rail', rail_account_id, amount, rail from p where call_started_at is not null
      union all
      select 5, at, what, reference, null, outcome from asked
      union all
      select 5, updated_at, 'challenge_open', null, null, null from p
      where status = 'requires_action' and not exists (select from asked where outcome = 'challenge')
      union all
      select 6, coalesce((select min(created_at) from recorded
          where aggregate_id = p.id and type in ('payment.succeeded', 'payment.failed')), updated_at),
        case when status in ('failed', 'cancelled') then status else 'succeeded' end, rail_order_id, amount, failure_code
      from p where status not in ${OPEN_STATUSES}
      union all
      select 7, issued_at, 'invoice_issued', id, amount, number from inv where issued_at is not null
      union all
      select 8, r.created_at, 'refund_requested', r.id, r.amount, r.reason from refunds r, p where r.payment_id = p.id
      union all
      select 9, r.updated_at, 'refund_' || r.status, r.id, r.amount, r.failure_code
      from refunds r, p where r.payment_id = p.id and r.status <> 'pending'
      union all
      select 10, d.opened_at, 'dispute_opened', d.id, d.amount, d.reason from disputes d, p where d.payment_id = p.id
      union all
      select 11, d.updated_at, 'dispute_' || d.status, d.id, d.amount, null
      from disputes d, p where d.payment_id = p.id and d.status <> 'open'
      union all
      select 12, created_at, 'event_recorded', id, null, type from recorded
      union all
      select 13, delivery.last_attempt_at,
        case
          when delivery.succeeded_at is not null then 'event_delivered'
          when delivery.status = 'exhausted' then 'delivery_given_up'
          when ${isHeld} then 'delivery_held'
          else 'delivery_failed'
        end,
        delivery.event_id, null, endpoint.url
      from recorded t join deliveries delivery on delivery.event_id = t.id
      join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
      where delivery.last_attempt_at is not null
    ) as happened
    order by at, place`);
}

/** Builds common table expressions: the payment, its invoices, its events, and the rail calls about it. */
function rowsOf(id: string) {
  return sql.fragment`
    p as (select * from payments where id = ${id}),
    inv as (select i.* from invoices i, p where i.id = p.invoice_id or i.order_id = p.order_id),
    recorded as (
      select e.* from events e, p
      where e.merchant_id = p.merchant_id and e.aggregate_id in (
        select p.id from p union all select p.checkout_id from p union all select id from inv
        union all select r.id from refunds r, p where r.payment_id = p.id
        union all select p.id || '-orphaned' from p
        union all select d.id || '-' || d.status from disputes d, p where d.payment_id = p.id)
    ), asked as (
      select a.at, case when a.operation like 'lookup%' then 'looked_up' else 'challenge_open' end as what, a.reference,
        a.outcome
      from rail_answers a
      where a.reference in (select id from p union all select r.id from refunds r, p where r.payment_id = p.id)
        and (a.operation in ('lookup', 'lookupRefund') or a.outcome = 'challenge')
      -- While the processor does not answer, look-ups repeat every few minutes without limit.
      order by a.id desc limit ${LOOKUPS}
    )`;
}
