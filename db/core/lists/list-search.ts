/**
 * Shared by the dashboard's searches. Each search finds the ids of a page through indexes, then reads those rows. The
 * ids are passed as an array, for which the planner expects few elements: with joined rows, it expected an email to
 * match thousands of customers and scanned the table (9 s with 500,000 invoices).
 */
import type { Scope } from '../../../domain/core/environment.ts';
import type { SearchTerm } from '../../../domain/core/search.ts';
import { type Fragment, sql } from '../pool.ts';

/** The filters of a search in one environment's list. */
export interface ListSearch {
  readonly scope: Scope;
  readonly term: SearchTerm | null;
  readonly status: string | null;
  /** For invoices: only those whose PDF prints a code in place of a character that no font contains. */
  readonly printsCodes?: boolean;
  /** ISO 8601; from inclusive, to exclusive. */
  readonly from: string | null;
  readonly to: string | null;
  /** The last id of the previous page. */
  readonly after: string | null;
  readonly limit: number;
}

const MOST_NAMED = 100;
/** The characters of a document number, whose prefix contains a non-digit; excludes amounts with cents. */
const PART_OF_NUMBER = /^(?!\d+\.\d+$)[\w.-]+$/;

/**
 * A condition for numbers that contain this text. The condition calls a function, because the planner then expects many
 * rows and reads the index of numbers, newest first, instead of the table.
 */
export function numberHas(part: string): Fragment {
  return PART_OF_NUMBER.test(part)
    ? sql.fragment`strpos(lower(row.number), lower(${part})) > 0`
    : sql.fragment`false`;
}

/** The customers that match a search, as a fragment that selects their ids. */
export function customersNamed({ merchantId, environment }: Scope, term: SearchTerm): Fragment {
  const ofScope = sql.fragment`merchant_id = ${merchantId} and environment = ${environment}`;
  switch (term.kind) {
    case 'id':
      return sql.fragment`select id from customers where ${ofScope} and id = ${term.id}`;
    case 'email':
      return sql.fragment`
        select id from customers where ${ofScope} and lower(email) = ${term.email}
        union ${customersLike(ofScope, term.email)}`;
    default:
      return sql.fragment`
        select id from customers where ${ofScope} and external_customer_id = ${term.text}
        union ${customersLike(ofScope, term.text)}`;
  }
}

/**
 * The newest customers whose email or name contains this text. The index customers_by_part is on the same expression.
 * It contains trigrams: two letters match a trigram only at the start of a word, and a single letter matches none, so
 * every row would be read.
 */
function customersLike(ofScope: Fragment, given: string): Fragment {
  // Matches PostgreSQL's lower(): JavaScript lowercases the Turkish İ to two characters.
  const part = given.toLowerCase().replaceAll('i\u0307', 'i');
  if (/^[ -~]$/.test(part)) return sql.fragment`select null::text where false`;
  const before = /^[ -~]{2}$/.test(part) ? '% ' : '%';
  return sql.fragment`(
    select id from customers
    where ${ofScope} and searchable(' ' || coalesce(email, '') || ' ' || coalesce(name, ''))
      like ${before} || regexp_replace(searchable(${part}), '[\\\\%_]', '\\\\\\&', 'g') || '%'
    order by id desc
    limit ${MOST_NAMED})`;
}

/**
 * The newest ids of each customer, so that only one page is read even for a buyer with 20,000 purchases.
 * @param narrowed further conditions on the rows of `table`: empty, or starting with "and"
 */
export function newestOfCustomers(
  table: 'checkouts' | 'subscriptions' | 'invoices' | 'credit_notes',
  { scope, limit }: ListSearch,
  term: SearchTerm,
  narrowed: Fragment,
): Fragment {
  return sql.fragment`
    select newest.id
    from (${customersNamed(scope, term)}) named cross join lateral (
      select row.id from ${sql.identifier([table])} row
      where row.customer_id = named.id ${narrowed}
      order by row.id desc
      limit ${limit}
    ) newest`;
}

/** The newest ids that meet a condition on `row`. */
export function newestWhere(
  table: 'checkouts' | 'invoices' | 'credit_notes',
  { scope, limit }: ListSearch,
  condition: Fragment,
  narrowed: Fragment,
): Fragment {
  return sql.fragment`(
    select row.id from ${sql.identifier([table])} row
    where row.merchant_id = ${scope.merchantId} and row.environment = ${scope.environment} and ${condition} ${narrowed}
    order by row.id desc
    limit ${limit})`;
}

/**
 * The newest ids with an amount. Reads a page from the amount index, in an order that only this index has, and filters
 * by amount and status afterwards. The planner assumes that both are independent of time: used as conditions, they made
 * it scan half a million newer rows.
 * @param statuses every status, for a search that names none
 */
export function newestOfAmount(
  table: 'checkouts' | 'invoices',
  { scope, status, after, limit }: ListSearch,
  cents: number,
  statuses: readonly string[],
): Fragment {
  const state = sql.identifier(['row', table === 'checkouts' ? 'state' : 'status']);
  const key = sql.fragment`row.merchant_id, row.environment, row.amount, ${state}`;
  const place = sql.fragment`${scope.merchantId}, ${scope.environment}, ${cents}::integer, of_status.status`;
  return sql.fragment`
    select newest.id
    from unnest(${sql.array(status === null ? [...statuses] : [status], 'text')}) of_status (status) cross join lateral (
      select row.id, ${key} from ${sql.identifier([table])} row
      where ${after === null ? sql.fragment`(${key}) <= (${place})` : sql.fragment`(${key}, row.id) < (${place}, ${after})`}
        ${table === 'checkouts' ? sql.fragment`and row.subscription_id is null` : sql.fragment``}
      order by row.merchant_id desc, row.environment desc, row.amount desc, ${state} desc, row.id desc
      limit ${limit}
    ) newest (id, merchant_id, environment, amount, status)
    where newest.merchant_id = ${scope.merchantId} and newest.environment = ${scope.environment}
      and newest.amount = ${cents} and newest.status = of_status.status`;
}

/**
 * The conditions of a list's period and page on `row`.
 * @param at the date that the period filters; if absent, the time in the row's id
 */
export function within(prefix: string, { from, to, after }: ListSearch, at?: Fragment): Fragment {
  const idAt = (instant: string, later: string) =>
    sql.fragment`${prefix}::text || lpad(to_hex(unix_ms(${instant}::timestamptz + ${later}::interval)), 12, '0')`;
  const of = at ?? sql.fragment`row.id`;
  const bound = (instant: string) => (at ? sql.fragment`${instant}::timestamptz` : idAt(instant, '0'));
  // A row is inserted at most a second after its date, so the date limits which ids have to be read.
  return sql.fragment`
    ${to === null ? sql.fragment`` : sql.fragment`and ${of} < ${bound(to)} and row.id < ${idAt(to, '1 day')}`}
    ${from === null ? sql.fragment`` : sql.fragment`and ${of} >= ${bound(from)}`}
    ${after === null ? sql.fragment`` : sql.fragment`and row.id < ${after}`}`;
}

/** True if the search has a period, which limits the rows that it reads. */
export const hasPeriod = ({ from, to }: ListSearch) => from !== null || to !== null;

/** @param ids selects the ids; null without a search */
export function among(column: readonly [string, string], ids: Fragment | null): Fragment {
  return ids ? sql.fragment`and ${sql.identifier([...column])} = any (array(${ids}))` : sql.fragment``;
}
