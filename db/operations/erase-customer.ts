import { z } from 'zod';
import type { ErasedCustomer } from '../../contract/operations/customer-export-and-erasure.ts';
import type { Actor } from '../core/audit.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { FINISHED } from '../subscription/core/billed-statuses.ts';
import {
  aggregatesOf,
  audited,
  CustomerRefusal,
  findCustomer,
  type Owner,
  paymentsOf,
} from './customer-data.ts';

/**
 * Erases the customer's data. Idempotent. Keeps the books: amounts, states, ids, the merchant's order references, and
 * invoices and credit notes as issued (GDPR, Article 17(3)(b)).
 * @throws CustomerRefusal while something that needs the data is open
 */
export async function eraseCustomer(pool: Pool, id: string, by: Actor): Promise<ErasedCustomer> {
  return pool.transaction(async (tx) => {
    const customer = await findCustomer(tx, id);
    // The lock makes the creation of a session for this customer wait, so that it no longer finds the customer.
    await tx.query(sql.typeAlias('void')`select from customers where id = ${id} for update`);
    await refuseWhileOpen(tx, id);
    await tx.query(sql.typeAlias('void')`
      update customers set external_customer_id = null, email = null, email_confirmed_at = null, name = null,
        billing_details = null, tax_value = null, tax_type = null, updated_at = service_clock(),
        erased_at = coalesce(erased_at, service_clock())
      where id = ${id}`);
    await tx.query(sql.typeAlias('void')`
      update checkouts set success_url = null, fail_url = null, buyer = null where customer_id = ${id}`);
    await tx.query(sql.typeAlias('void')`
      update subscriptions set trial_card = null where customer_id = ${id} and trial_card is not null`);
    await tx.query(sql.typeAlias('void')`
      update invoices set customer = jsonb_build_object('id', ${id}::text, 'external_customer_id', null, 'email', null,
        'name', null, 'billing_details', null, 'tax_value', null, 'tax_type', null), prints_codes = false
      where customer_id = ${id} and number is null`);
    await eraseRefundReasons(tx, customer);
    await tx.query(sql.typeAlias('void')`
      update audit_log set before = null, after = null where action = 'customer.update' and subject_id = ${id}`);
    await eraseFromCommandAnswers(tx, customer);
    const clicks = await tx.query(sql.typeAlias('void')`
      update clicks p set email = null, method_token = null, address = null, card = null
      from checkouts c where c.id = p.checkout_id and c.customer_id = ${id}`);
    const erased = {
      events: await eraseEvents(tx, id),
      clicks: clicks.rowCount,
      invoices_kept: await tx.oneFirst(sql.type(z.object({ count: z.int() }))`
        select count(*)::int4 as count from invoices where customer_id = ${id} and number is not null`),
    };
    await audited(tx, customer, 'customer.erased', by, erased);
    return erased;
  });
}

/** Throws if something open needs the data: a session its buyer, a subscription its invoices. */
async function refuseWhileOpen(tx: Transaction, id: string): Promise<void> {
  const open = await tx.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from checkouts where customer_id = ${id} and state not in ('succeeded', 'failed')
    union all select id from subscriptions where customer_id = ${id} and status not in ${FINISHED}
    union all select r.id from refunds r join ${paymentsOf(id)} p on p.id = r.payment_id
      where r.status not in ('succeeded', 'failed')
    union all select d.id from disputes d join ${paymentsOf(id)} p on p.id = d.payment_id where d.status = 'open'
    union all select payment_id from invoices_due where payment_id in ${aggregatesOf(id)}
    limit 10`);
  if (open.length === 0) return;
  throw new CustomerRefusal(
    `Still open: ${open.join(', ')}. Sessions end by themselves; end subscriptions first, and wait for refunds, disputes and invoices.`,
  );
}

/** Erases the reasons that the merchant gave for refunds, including those in the audit log and in stored responses. */
async function eraseRefundReasons(
  tx: Transaction,
  { id, merchant_id: merchantId, environment }: Owner,
): Promise<void> {
  const payments = sql.fragment`(select id from ${paymentsOf(id)} payment)`;
  await tx.query(sql.typeAlias('void')`update refunds set reason = null where payment_id in ${payments}`);
  await tx.query(sql.typeAlias('void')`
    update audit_log set after = after || '{"reason": null}'
    where action = 'refund.create' and subject_id in ${payments}`);
  await tx.query(sql.typeAlias('void')`
    update idempotency_keys
    set answer = jsonb_set(answer, '{body}', to_jsonb(((answer ->> 'body')::jsonb || '{"reason": null}')::text))
    where (scope = ${`merchant:${merchantId}:${environment}`} and path = '/v1/refunds'
        or scope = ${`merchant:${merchantId}:people`} and path = ${`/v1/merchants/${merchantId}/refunds`})
      and answer ? 'body'
      and (answer ->> 'body')::jsonb ->> 'payment_id' in ${payments}`);
}

/** Erases stored responses to people's commands about the customer's subscriptions. */
async function eraseFromCommandAnswers(
  tx: Transaction,
  { id, merchant_id: merchantId }: Owner,
): Promise<void> {
  const body = sql.fragment`(answer ->> 'body')::jsonb`;
  const isAnswer = sql.fragment`
    scope = ${`merchant:${merchantId}:people`}
    and path in (
      select ${`/v1/merchants/${merchantId}/subscriptions/`} || id || '/commands'
      from subscriptions where customer_id = ${id})`;
  // An encrypted response cannot be edited, so it is deleted: a repeated command is refused, because the subscription
  // has ended.
  await tx.query(sql.typeAlias('void')`
    delete from idempotency_keys where ${isAnswer} and answer ? 'sealedBody'`);
  await tx.query(sql.typeAlias('void')`
    update idempotency_keys
    set answer = jsonb_set(answer, '{body}', to_jsonb(jsonb_set(${body}, '{customer}',
      ${body} -> 'customer' || '{"email": null, "name": null}')::text))
    where ${isAnswer} and answer ? 'body' and ${body} ? 'customer'`);
}

/**
 * Removes the customer from stored event bodies, which keep their structure, and from receivers' responses, which may
 * quote the bodies.
 */
async function eraseEvents(tx: Transaction, id: string): Promise<number> {
  const events = await tx.any(sql.type(z.object({ id: z.string(), body: z.string() }))`
    select id, body from events where aggregate_id in ${aggregatesOf(id)} and erased_at is null`);
  const bodies = events.map(({ body }) => bodyWithoutPerson(body));
  const ids = sql.array(
    events.map((event) => event.id),
    'text',
  );
  await tx.query(sql.typeAlias('void')`
    update events e set body = erased.body, erased_at = service_clock()
    from unnest(${ids}, ${sql.array(bodies, 'text')}) as erased (id, body) where e.id = erased.id`);
  // Also clears events erased earlier: a delivery then in flight may have stored its response afterwards.
  await tx.query(sql.typeAlias('void')`
    update delivery_attempts set response = null where response is not null and event_id in (
      select id from events where aggregate_id in ${aggregatesOf(id)} and erased_at is not null)`);
  return events.length;
}

function bodyWithoutPerson(body: string): string {
  const event = JSON.parse(body);
  if (!event.customer) return body;
  return JSON.stringify({
    ...event,
    customer: { ...event.customer, external_customer_id: null, email: null },
  });
}
