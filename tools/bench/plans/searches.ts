/**
 * The dashboard's lists and the operators' search: each search and each filter, for a merchant with all the
 * rows. Each reads only the rows it shows, or those of its one customer: `npm run bench -- plans` measures
 * this, test/db/core/plans.test.ts guards it.
 */
import type pg from 'pg';
import type { DatedPosition, DatedSearch } from '../../../db/core/lists/dated-search.ts';
import type { ListSearch } from '../../../db/core/lists/list-search.ts';
import type { Db } from '../../../db/core/pool.ts';
import { searchDisputes } from '../../../db/dispute/search-disputes.ts';
import { searchCreditNotes } from '../../../db/invoice/search-credit-notes.ts';
import { searchInvoices } from '../../../db/invoice/search-invoices.ts';
import { searchCustomers } from '../../../db/merchant/search-customers.ts';
import { searchSubjects } from '../../../db/operations/search.ts';
import { type PaymentSearch, searchPayments } from '../../../db/payment/search-payments.ts';
import { searchRefunds } from '../../../db/refund/search-refunds.ts';
import { searchSessions } from '../../../db/session/read/search-sessions.ts';
import { searchSubscriptions } from '../../../db/subscription/read/search-subscriptions.ts';
import { readSearch } from '../../../domain/core/search.ts';
import { SEEDED } from '../core/seed-purchases.ts';

export interface Search {
  readonly name: string;
  ask(db: Db): Promise<unknown>;
}

const scope = { merchantId: SEEDED.merchantId, environment: SEEDED.environment };
/** A page plus the row that shows whether another follows. */
const limit = 26;

const LISTS = {
  checkouts: searchSessions,
  customers: searchCustomers,
  subscriptions: searchSubscriptions,
  invoices: searchInvoices('https://pay.example'),
  'credit notes': searchCreditNotes('https://pay.example'),
};
type ListName = Exclude<keyof typeof LISTS, 'credit notes'>;

function ofList(
  list: keyof typeof LISTS,
  what: string,
  { q, ...filter }: Partial<ListSearch> & { readonly q?: string },
): Search {
  const none = { status: null, from: null, to: null, after: null };
  const search = { scope, term: q ? readSearch(q) : null, ...none, limit, ...filter };
  return { name: `${list}: ${what}`, ask: (db) => LISTS[list](db, search) };
}

function ofPayments(
  what: string,
  { q, ...filter }: Partial<PaymentSearch> & { readonly q?: string },
  after: readonly [number, string] | null = null,
): Search {
  const none = { term: null, status: null, from: null, to: null };
  const search: PaymentSearch = { scope, limit, ...none, ...filter, ...(q && { term: readSearch(q) }) };
  return { name: `payments: ${what}`, ask: (db) => searchPayments(db, search, after) };
}

const DATED = { refunds: searchRefunds('https://pay.example'), disputes: searchDisputes };

function ofDated(
  list: keyof typeof DATED,
  what: string,
  filter: Partial<DatedSearch>,
  after: DatedPosition | null = null,
): Search {
  const search: DatedSearch = { scope, status: null, from: null, to: null, limit, ...filter };
  return { name: `${list}: ${what}`, ask: (db) => DATED[list](db, search, after) };
}

/** Search terms, tried in every list; an id of a kind that the list does not hold finds nothing. */
const TERMS = {
  'an email': 'buyer777@example.com',
  'the email of a busy customer': SEEDED.busyEmail,
  'an unknown email': 'unknown@example.com',
  'a part of an email': 'uyer777@ex',
  'a part of every email': 'example.com',
  'a part of no email': 'unknown@ex',
  'a name of two letters': 'xu',
  'a name of two characters': '李明',
  'the end of an invoice number': '-779',
  'a part of every invoice number': '2026-',
  'a part of no invoice number': '2026-779-',
  'the last digits of a common card': '4242',
  'the last digits of an unknown card': '7777',
  'a common card with its amount': '4242 19.00',
  'a common card with another amount': '4242 77.77',
  'a brand with the last digits of a common card': 'Visa 4242',
  'another brand with the last digits of a common card': 'Mastercard 4242',
  'a merchant reference': 'order-778',
  'a customer reference': 'customer-777',
  'the reference of a busy customer': SEEDED.busyReference,
  'an invoice number': '2026-779',
  'a common amount': '19.00',
  'a rare amount': '42.00',
  'an unknown amount': '77.77',
  'the id of a busy customer': SEEDED.busyCustomerId,
};
const STATUSES: Readonly<Record<Exclude<ListName, 'customers'>, readonly string[]>> = {
  checkouts: ['created', 'processing', 'succeeded', 'failed'],
  subscriptions: ['active', 'past_due', 'cancelled'],
  invoices: ['created', 'open', 'uncollectible'],
};
const LIST_NAMES: readonly ListName[] = ['checkouts', 'customers', 'subscriptions', 'invoices'];
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
/** The first digits of an id are its timestamp in milliseconds. */
const idOf79DaysAgo = (prefix: string) =>
  `${prefix}${(Date.now() - 79 * DAY_MS).toString(16).padStart(12, '0')}`;
const OLD_PAGE: Readonly<Record<ListName, string>> = {
  checkouts: idOf79DaysAgo('ap_chk_'),
  customers: idOf79DaysAgo('ap_cus_'),
  subscriptions: idOf79DaysAgo('ap_sub_'),
  invoices: idOf79DaysAgo('ap_inv_'),
};

/** Ids of one purchase and one subscription; they differ between seedings. */
export async function readSeededIds(client: pg.ClientBase): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query(`
    select p.id as "a payment id", p.order_id as "an order id", p.checkout_id as "a checkout id",
      p.invoice_id as "an invoice id", (select customer_id from orders where id = p.order_id) as "a customer id",
      (select id from subscriptions order by id limit 1) as "a subscription id",
      (select id from refunds order by id limit 1) as "a refund id"
    from payments p where p.rail_order_id = 'pi_777'`);
  return rows[0];
}

/** @param ids of `readSeededIds` */
export function searchesOf(ids: Readonly<Record<string, string>>): readonly Search[] {
  const terms = Object.entries({ ...TERMS, ...ids });
  return [
    ofPayments('the newest', {}),
    ofPayments('an old page', {}, [Date.now() - 79 * DAY_MS, 'ap_pay_0']),
    ofPayments('common status', { status: 'succeeded' }),
    ofPayments('rare status', { status: 'failed' }),
    ofPayments('status that does not occur', { status: 'cancelled' }),
    ofPayments('an old day', { from: daysAgo(79), to: daysAgo(78) }),
    ofPayments('rare status in a period', { status: 'failed', from: daysAgo(79), to: daysAgo(1) }),
    ofPayments('common amount, rare status', { q: '19.00', status: 'failed' }),
    ofPayments('rare amount, common status', { q: '42.00', status: 'succeeded' }),
    ofPayments('common amount, an old day', { q: '19.00', from: daysAgo(79), to: daysAgo(78) }),
    ofPayments('a busy customer, rare status', { q: SEEDED.busyEmail, status: 'failed' }),
    ...terms.map(([what, q]) => ofPayments(what, { q })),
    ...(['refunds', 'disputes'] as const).flatMap((list) => [
      ofDated(list, 'the newest', {}),
      ofDated(list, 'an old page', {}, [Date.now() - 79 * DAY_MS, '']),
      ofDated(list, 'an old day', { from: daysAgo(79), to: daysAgo(78) }),
      ofDated(list, 'rare status', { status: list === 'disputes' ? 'open' : 'failed' }),
      ofDated(list, 'status that does not occur', { status: list === 'disputes' ? 'lost' : 'pending' }),
    ]),
    ofList('invoices', 'printed codes', { printsCodes: true }),
    ofList('invoices', 'printed codes, a common amount', { printsCodes: true, q: '19.00' }),
    ofList('invoices', 'printed codes, a busy customer', { printsCodes: true, q: SEEDED.busyEmail }),
    ofList('credit notes', 'the newest', {}),
    ofList('credit notes', 'the end of a number', { q: '-781' }),
    ofList('credit notes', 'a common end of a number', { q: '1' }),
    ofList('credit notes', 'the number of an invoice', { q: '2026-781' }),
    ofList('credit notes', 'printed codes', { printsCodes: true }),
    ofList('credit notes', 'printed codes, a busy customer', { printsCodes: true, q: SEEDED.busyEmail }),
    ...terms.map(([what, q]) => ({
      name: `operators: ${what}`,
      ask: (db: Db) => searchSubjects(db, q, null, limit),
    })),
    ...LIST_NAMES.flatMap((list) => [
      ofList(list, 'the newest', {}),
      ofList(list, 'an old page', { after: OLD_PAGE[list] }),
      ofList(list, 'an old day', { from: daysAgo(79), to: daysAgo(78) }),
      ...terms.map(([what, q]) => ofList(list, what, { q })),
      ...(list === 'customers'
        ? []
        : STATUSES[list].flatMap((status) => [
            ofList(list, `status ${status}`, { status }),
            ofList(list, `status ${status}, a common amount`, { status, q: '19.00' }),
          ])),
    ]),
  ];
}
