/** Payment search in one environment, newest first, paginated by key. Each kind of search has its own index. */
import { z } from 'zod';
import { type FoundPayment, foundPayment } from '../../contract/payment/search.ts';
import type { Scope } from '../../domain/core/environment.ts';
import type { SearchTerm } from '../../domain/core/search.ts';
import { PAYMENT_STATUSES } from '../../domain/payment/payment.ts';
import type { DatedPosition } from '../core/lists/dated-search.ts';
import { customersNamed, type ListSearch } from '../core/lists/list-search.ts';
import { type Db, type Fragment, sql } from '../core/pool.ts';
import { disputedPart } from './disputed-part.ts';

export type PaymentSearch = Omit<ListSearch, 'after'>;

export async function searchPayments(
  db: Db,
  search: PaymentSearch,
  after: DatedPosition | null,
): Promise<readonly FoundPayment[]> {
  const { scope, term } = search;
  const narrowed = narrowing(search, after);
  const matching = term === null ? sql.fragment`` : await matches(db, search, term, after);
  return db.any(sql.type(foundPayment)`
    select ${paymentColumns}
    from (select * from payments p where ${ofScope(scope)} ${matching} ${narrowed}) p ${paymentJoins}
    order by unix_ms(p.created_at) desc, p.id desc`);
}

/** Builds the page's conditions, each with a leading `and`, and its order and limit. */
function narrowing(search: PaymentSearch, after: DatedPosition | null): Fragment {
  const { status, from, to, limit } = search;
  return sql.fragment`
    ${status === null ? sql.fragment`` : sql.fragment`and p.status = ${status}`}
    ${from === null ? sql.fragment`` : sql.fragment`and unix_ms(p.created_at) >= unix_ms(${from}::timestamptz)`}
    ${to === null ? sql.fragment`` : sql.fragment`and unix_ms(p.created_at) < unix_ms(${to}::timestamptz)`}
    ${after === null ? sql.fragment`` : sql.fragment`and (unix_ms(p.created_at), p.id) < (${after[0]}::bigint, ${after[1]})`}
    order by unix_ms(p.created_at) desc, p.id desc
    limit ${limit}`;
}

export const paymentColumns = sql.fragment`
  p.id, p.order_id, p.rail_account_id, p.rail_order_id, p.rail, p.payment_method, p.status, p.amount, p.currency,
  p.failure_code, p.failure_message, p.created_at, p.updated_at, p.refunded_amount,
  d.status as dispute_status, d.amount as disputed_amount,
  case when u.id is not null then jsonb_build_object('id', u.id, 'external_customer_id', u.external_customer_id,
    'email', u.email, 'name', u.name) end as customer,
  coalesce(o.external_reference, c.merchant_reference) as merchant_reference,
  coalesce(o.line_items #>> '{0,description}', c.terms #>> '{product,name}') as description`;

export const paymentJoins = sql.fragment`
  left join orders o on o.id = p.order_id
  left join checkouts c on c.id = p.checkout_id
  left join customers u on u.id = coalesce(o.customer_id, c.customer_id)
  ${disputedPart}`;

function ofScope({ merchantId, environment }: Scope) {
  return sql.fragment`p.merchant_id = ${merchantId} and p.environment = ${environment}`;
}

/** Finds ids through indexes in every branch, so that no search reads all payments of a merchant. */
async function matches(
  db: Db,
  search: PaymentSearch,
  term: SearchTerm,
  after: DatedPosition | null,
): Promise<Fragment> {
  const { scope } = search;
  const { merchantId, environment } = scope;
  if (term.kind === 'id' && term.prefix !== 'ap_cus') return matchesId(term);
  if (term.kind === 'amount' && !(await isReference(db, scope, term.text))) {
    const ofAmount = newestPaymentsOfAmount(search, term.cents, after);
    if (!/^\d+$/.test(term.text)) return among(ofAmount);
    const ofCard = /^\d{4}$/.test(term.text)
      ? sql.fragment`union all (${newestPaymentsOfCard(search, { last4: term.text }, after)})`
      : sql.fragment``;
    return among(sql.fragment`
      ${ofAmount} ${ofCard} union all ${newestOfCustomers(search, term, after)}
      union all ${paymentsOfRailOrder(scope, term.text)}`);
  }
  const ofCustomers = newestOfCustomers(search, term, after);
  if (term.kind === 'id' || term.kind === 'email') return among(ofCustomers);
  const ofCard =
    term.kind === 'card'
      ? sql.fragment`(${newestPaymentsOfCard(search, term, after)}) union all`
      : sql.fragment``;
  return among(sql.fragment`
    ${ofCard}
    select a.id from payments a join orders b on b.id = a.order_id
    where b.merchant_id = ${merchantId} and b.environment = ${environment} and b.external_reference = ${term.text}
    union all ${ofCustomers}
    union all ${paymentsOfRailOrder(scope, term.text)}`);
}

function paymentsOfRailOrder({ merchantId }: Scope, railOrderId: string): Fragment {
  return sql.fragment`
    select a.id from payments a
    where a.rail_order_id = ${railOrderId}
      and a.rail_account_id = any (array(select id from rail_accounts where merchant_id = ${merchantId}))`;
}

function matchesId({ prefix, id }: Extract<SearchTerm, { kind: 'id' }>): Fragment {
  switch (prefix) {
    case 'ap_pay':
      return sql.fragment`and p.id = ${id}`;
    case 'ap_ord':
      return sql.fragment`and p.order_id = ${id}`;
    case 'ap_chk':
      return sql.fragment`and p.checkout_id = ${id}`;
    case 'ap_ref':
      return sql.fragment`and p.id = (select payment_id from refunds where id = ${id})`;
    case 'ap_dis':
      return sql.fragment`and p.id = (select payment_id from disputes where id = ${id})`;
    case 'ap_inv':
      return sql.fragment`and p.order_id = (select order_id from invoices where id = ${id})`;
    case 'ap_sub':
      return among(sql.fragment`
        select a.id from payments a join invoices i on i.order_id = a.order_id where i.subscription_id = ${id}
        union all
        select a.id from payments a join subscriptions s on s.checkout_id = a.checkout_id where s.id = ${id}`);
    default:
      return sql.fragment`and false`;
  }
}

/** Selects payments by amount, as `newestOfAmount` of db/core/lists/list-search.ts does for other lists. */
function newestPaymentsOfAmount(search: PaymentSearch, cents: number, after: DatedPosition | null): Fragment {
  const { merchantId, environment } = search.scope;
  const statuses = search.status === null ? PAYMENT_STATUSES : [search.status];
  const before = after
    ? sql.fragment`${after[0]}::bigint, ${after[1]}`
    : sql.fragment`coalesce(unix_ms(${search.to}::timestamptz), 9223372036854775807), ''`;
  return sql.fragment`
    select newest.id
    from unnest(${sql.array([...statuses], 'text')}) of_status (status) cross join lateral (
      select p.id, p.merchant_id, p.environment, p.amount, p.status from payments p
      where (p.merchant_id, p.environment, p.amount, p.status, unix_ms(p.created_at), p.id)
        < (${merchantId}, ${environment}, ${cents}::integer, of_status.status, ${before})
      order by p.merchant_id desc, p.environment desc, p.amount desc, p.status desc, unix_ms(p.created_at) desc, p.id desc
      limit ${search.limit}
    ) newest
    where newest.merchant_id = ${merchantId} and newest.environment = ${environment} and newest.amount = ${cents}
      and newest.status = of_status.status`;
}

/**
 * Reads one page per brand that has these last four digits. Each brand costs one index lookup; filtering by brand would
 * read every payment with common digits.
 */
function newestPaymentsOfCard(
  search: PaymentSearch,
  { brand = null, last4, cents = null }: { brand?: string | null; last4: string; cents?: number | null },
  after: DatedPosition | null,
): Fragment {
  const ofDigits = sql.fragment`${ofScope(search.scope)} and p.payment_method ->> 'last4' = ${last4}`;
  return sql.fragment`
    with recursive brands (brand) as (
      (select ${brandOfCard} from payments p where ${ofDigits} order by 1 limit 1)
      union all
      select (select ${brandOfCard} from payments p where ${ofDigits} and ${brandOfCard} > brands.brand order by 1 limit 1)
      from brands where brands.brand is not null
    )
    select newest.id
    from brands cross join lateral (
      select p.id from payments p
      where ${ofDigits} and ${brandOfCard} = brands.brand
        ${cents === null ? sql.fragment`` : sql.fragment`and p.amount = ${cents}`}
        ${narrowing(search, after)}
    ) newest
    where ${brand === null ? sql.fragment`true` : sql.fragment`strpos(brands.brand, ${brand}) > 0`}`;
}

const brandOfCard = sql.fragment`lower(coalesce(p.payment_method ->> 'brand', ''))`;

/**
 * Selects a page per customer and status, from an index on both. Every status is named, because otherwise a rare status
 * would cause a scan of all payments of a buyer with many.
 */
function newestOfCustomers(search: PaymentSearch, term: SearchTerm, after: DatedPosition | null): Fragment {
  const statuses = search.status === null ? PAYMENT_STATUSES : [search.status];
  return sql.fragment`
    select newest.id
    from (${customersNamed(search.scope, term)}) named
    cross join unnest(${sql.array([...statuses], 'text')}) of_status (status)
    cross join lateral (
      select p.id from payments p
      where p.customer_id = named.id and p.status = of_status.status
        ${narrowing({ ...search, status: null }, after)}
    ) newest`;
}

/** Restricts the ids to an array, because PostgreSQL expects arrays to have few elements (db/core/lists/list-search.ts). */
function among(ids: Fragment): Fragment {
  return sql.fragment`and p.id = any (array(${ids}))`;
}

/** True if a number is an order's reference; otherwise it is an amount. */
function isReference(db: Db, { merchantId, environment }: Scope, text: string): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ found: z.boolean() }))`
    select exists (
      select from orders
      where merchant_id = ${merchantId} and environment = ${environment} and external_reference = ${text}
    ) as found`);
}
