/** Finds subjects by an id or reference of the service, the rail, the merchant or the buyer, and merchants by name. */
import { type Subject, subject } from '../../contract/operations/subjects.ts';
import { LATE_AFTER, SWEEP } from '../core/heartbeats.ts';
import { type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { isHeld } from '../webhook/backlog.ts';
import { listIncidents } from './incidents.ts';
import { STATE_OF_REQUEST } from './operator-requests.ts';

/**
 * Searches subjects. For each customer that matches the term, returns the newest `limit` sessions and subscriptions. A
 * subject without a row, such as the sweep, is found through an incident with its id.
 * @param merchants the merchants to search; null means all
 */
export async function searchSubjects(
  db: Db,
  named: string,
  merchants: readonly string[] | null,
  limit: number,
): Promise<readonly Subject[]> {
  const found = await searchRows(db, named, merchants, limit);
  return found.length > 0 ? found : searchIncidents(db, named, merchants);
}

async function searchIncidents(
  db: Db,
  named: string,
  merchants: readonly string[] | null,
): Promise<readonly Subject[]> {
  const incidents = await listIncidents(db, { about: [named], merchants });
  const incident = incidents.find(({ id }) => id === named);
  if (!incident) return [];
  const { id, kind, merchant_id: merchantId, environment, amount, currency, since } = incident;
  const common = { environment, amount, currency, created_at: since, rail_reference: null, found_by: 'id' };
  return [{ kind: 'incident', id, state: kind, merchant_id: merchantId ?? '', ...common }];
}

function searchRows(
  db: Db,
  named: string,
  merchants: readonly string[] | null,
  limit: number,
): Promise<readonly Subject[]> {
  const among = merchants && sql.array([...merchants], 'text');
  return db.any(sql.type(subject)`
    with ${purchasesOf(named, limit)}, found as (
      select 'session' as kind, c.id, c.state, c.merchant_id, c.environment, c.amount, c.currency, c.created_at,
        null as rail_reference, found_by
      from session join checkouts c on c.id = session.id
      union all
      select 'payment', p.id, p.status, p.merchant_id, p.environment, p.amount, p.currency, p.created_at,
        p.rail_order_id, found_by
      from payment join payments p on p.id = payment.id
      union all
      select 'subscription', s.id, s.status, s.merchant_id, s.environment, s.amount, s.currency, s.created_at,
        null, case when s.id = ${named} then 'id' else 'customer' end
      from subscriptions s
      where s.id = any (array(
        select ${named}::text union select subscription_id from invoices where id = ${named}
        union select newest.id from customer cross join lateral (
          select id from subscriptions where customer_id = customer.id order by id desc limit ${limit}) newest))
      union all
      select 'refund', id, status, merchant_id, environment, amount, currency, created_at, rail_refund_id,
        case when id = ${named} then 'id' else 'rail' end
      from refunds where id = ${named} or rail_refund_id = ${named}
      union all
      select 'dispute', id, status, merchant_id, environment, amount, currency, opened_at, rail_dispute_id,
        case when id = ${named} then 'id' else 'rail' end
      from disputes where id = ${named} or rail_dispute_id = ${named}
      union all
      select 'invoice', i.id, case when i.status = 'uncollectible' and exists (
          select from credit_notes n where n.invoice_id = i.id and n.reversed_by is null) then 'credited' else i.status end,
        i.merchant_id, i.environment, i.amount, i.currency, i.created_at, null, 'id'
      from invoices i where i.id = ${named}
      union all
      select 'event', e.id, coalesce((
          select case when bool_or(delivery.status = 'exhausted') then 'exhausted' when bool_or(${isHeld}) then 'held'
            when bool_or(delivery.status = 'pending') then 'pending'
            when bool_and(delivery.status = 'succeeded') then 'delivered' end
          from deliveries delivery join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
          where delivery.event_id = e.id
        ), 'unaddressed'), e.merchant_id, e.environment, null, null, e.occurred_at, null, 'id'
      from events e where e.id = ${named}
      union all
      select 'endpoint', id, status, merchant_id, environment, null, null, created_at, null, 'id'
      from webhook_endpoints where id = ${named}
      union all
      select 'rail_account', id, status, merchant_id, environment, null, null, created_at, null, 'id'
      from rail_accounts where id = ${named}
      union all
      select 'merchant', id, status, id, null, null, null, created_at, null,
        case when id = ${named} then 'id' else 'name' end
      from merchants where id = ${named} or lower(name) = lower(${named})
      union all
      select 'rail', ${named}, coalesce((select state from rail_breakers where scope = 'rail:' || ${named}), 'closed'), '',
        environment, null, null, min(created_at), null, 'id'
      from rail_accounts where position(':' in ${named}) > 0 and rail || ':' || environment = ${named}
      group by environment
      union all
      select 'incident', name, 'swept', '', null, null, null, at, null, 'id' from heartbeats
        where name = ${named} and name = ${SWEEP} and at >= ${NOW} - ${LATE_AFTER}
      union all
      select 'request', id, ${STATE_OF_REQUEST}, merchant_id, environment, amount, currency, asked_at, null, 'id'
      from operator_requests where id = ${named}
    )
    select * from found
    where ${among === null ? sql.fragment`true` : sql.fragment`merchant_id = any (${among})`}
    order by (id = ${named}) desc, created_at desc, id limit ${limit}
  `);
}

/**
 * Matches the term with the references of customers, sessions and payments; `found_by` names the reference that
 * matched.
 */
function purchasesOf(named: string, limit: number) {
  return sql.fragment`
    customer as materialized (
      select u.id from merchants m cross join (values ('sandbox'), ('production')) e (name)
        join customers u on u.merchant_id = m.id and u.environment = e.name and u.external_customer_id = ${named}
      union select id from customers where id = ${named} or lower(email) = lower(${named})
    ), session as (
      select c.id, found_by from (
        select id, 'id' as found_by from checkouts where id = ${named}
        union select id, 'sessionId' from checkouts where page_token_hash = sha256(convert_to(${named}, 'UTF8'))
        union select id, 'merchantReference' from checkouts where merchant_reference = ${named}
        union select newest.id, 'customer' from customer cross join lateral (
          select id from checkouts where customer_id = customer.id order by id desc limit ${limit}) newest
        union select checkout_id, 'order' from orders where id = ${named}
        union select o.checkout_id, 'invoice' from invoices i join orders o on o.id = i.order_id where i.id = ${named}
      ) c
    ), payment as (
      select id, 'id' as found_by from payments where id = ${named}
      union select p.id, 'rail' from rail_accounts a
        join payments p on p.rail_account_id = a.id and p.rail_order_id = ${named}
    )`;
}
