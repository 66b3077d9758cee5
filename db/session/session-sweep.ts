/**
 * Queries of the sweep and the relay: sessions, news of rails, charges after the end. They find overdue sessions
 * whether or not the row says that a workflow was started (rules 16 and 27).
 */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import type { SessionToStart } from '../../domain/session/session-plan.ts';
import { isLongOverdue } from '../core/overdue.ts';
import { type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { IN_CALL, isNewsOf } from '../payment/rail-news.ts';

const startable = z.object({
  id: z.string(),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  productName: z.string(),
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  expiresAt: z.string(),
  msToExpiry: z.number(),
}) satisfies z.ZodType<SessionToStart>;

const startableColumns = sql.fragment`
  c.id, c.merchant_id as "merchantId", c.environment, c.terms #>> '{product,name}' as "productName", c.amount,
  c.currency, c.expires_at as "expiresAt",
  extract(epoch from c.expires_at - service_clock()) * 1000 as "msToExpiry"`;

/** Sessions older than a second whose workflow is not known to exist: normally the API starts it. */
export function unstartedSessions(db: Db, limit: number): Promise<readonly SessionToStart[]> {
  return db.any(sql.type(startable)`
    select ${startableColumns} from checkouts c
    where c.workflow_started_at is null and c.state not in ('succeeded', 'failed')
      and c.created_at < ${NOW} - interval '1 second'
    order by c.created_at limit ${limit}
  `);
}

const isOverdue = sql.fragment`
  c.state not in ('succeeded', 'failed') and c.next_action_at < ${NOW} - interval '1 minute'`;

/** Open sessions whose workflow is a minute late. */
export function overdueSessions(db: Db, limit: number): Promise<readonly SessionToStart[]> {
  return db.any(sql.type(startable)`
    select ${startableColumns} from checkouts c where ${isOverdue} order by c.next_action_at limit ${limit}
  `);
}

const overdue = startable.extend({ isLongOverdue: z.boolean() });

/** An overdue session, read again; null if its workflow has acted since. */
export function findOverdueSession(db: Db, checkoutId: string): Promise<z.infer<typeof overdue> | null> {
  return db.maybeOne(sql.type(overdue)`
    select ${startableColumns}, ${isLongOverdue()}
    from checkouts c where ${isOverdue} and c.id = ${checkoutId}
  `);
}

const claimWithoutCall = z.object({ checkoutId: z.string(), claimId: z.string(), paymentId: z.string() });
export type ClaimWithoutCall = z.infer<typeof claimWithoutCall>;

/** Claimed attempts not sent to the rail in time: the update that made them may be lost (rule 43). */
export function claimsWithoutCall(db: Db, limit: number): Promise<readonly ClaimWithoutCall[]> {
  return db.any(sql.type(claimWithoutCall)`
    select c.id as "checkoutId", p.claim_id as "claimId", p.id as "paymentId"
    from checkouts c join payments p on p.checkout_id = c.id
    where c.state not in ('succeeded', 'failed') and c.next_action_at < ${NOW}
      and p.status = 'processing' and p.call_started_at is null
    order by c.next_action_at limit ${limit}
  `);
}

export function findSessionToStart(db: Db, checkoutId: string): Promise<SessionToStart | null> {
  return db.maybeOne(sql.type(startable)`
    select ${startableColumns} from checkouts c
    where c.id = ${checkoutId} and c.state not in ('succeeded', 'failed')
  `);
}

export async function markSessionsStarted(db: Db, checkoutIds: readonly string[]): Promise<void> {
  await db.query(sql.unsafe`
    update checkouts set workflow_started_at = service_clock()
    where id = any (${sql.array([...checkoutIds], 'text')}) and workflow_started_at is null
  `);
}

const paymentRef = z.object({
  paymentId: z.string(),
  /** The session or subscription whose workflow owns the payment. */
  ownerId: z.string().nullable(),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  open: z.boolean(),
  /** The payment's reconcile workflow has been signalled about this news. */
  presented: z.boolean(),
});

/** Payments with unapplied rail news (rule 24). */
export function paymentsWithUnappliedNews(db: Db, limit: number) {
  return db.any(sql.type(paymentRef)`
    select p.id as "paymentId", coalesce(p.checkout_id, i.subscription_id) as "ownerId",
      p.merchant_id as "merchantId", p.environment, p.status in ('processing', 'requires_action') as open,
      bool_and(n.presented_at is not null) as presented
    from rail_news n join payments p on p.id = n.reference and p.rail_account_id = n.rail_account_id
    left join invoices i on i.id = p.invoice_id
    where n.applied_at is null and n.hint <> 'dispute' and n.received_at < ${NOW} - interval '5 seconds'
      and not ${IN_CALL}
    group by p.id, i.subscription_id
    limit ${limit}
  `);
}

/** Covers news more than 5 s old: what arrived after the list was read is presented in the next round. */
export async function markNewsPresented(db: Db, paymentId: string): Promise<void> {
  await db.query(sql.unsafe`
    update rail_news set presented_at = service_clock()
    where ${isNewsOf(paymentId)} and applied_at is null and presented_at is null
      and received_at < ${NOW} - interval '5 seconds'
  `);
}

/**
 * News about payments unknown to the rail account that sent it: logged once, then put aside (rule 32). Leaves out news
 * about charges that a restored database may still adopt (rule 29): a charge may get its processor's id only then.
 */
export function takeUnknownNews(db: Db) {
  return db.any(sql.type(
    z.object({
      rail_account_id: z.string(),
      rail_event_id: z.string(),
      reference: z.string().nullable(),
      rail_reference: z.string().nullable(),
    }),
  )`
    update rail_news n set applied_at = service_clock()
    where n.applied_at is null and n.received_at < ${NOW} - interval '5 minutes' and (select not is_fenced())
      and not exists (
        select from restore_findings f
        where f.state in ('open', 'later') and f.rail_account_id = n.rail_account_id
          and f.reference = coalesce(n.reference, f.reference))
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

export function unreturnedOrphans(db: Db, limit: number) {
  return db.any(sql.type(paymentRef.omit({ open: true, ownerId: true, presented: true }))`
    select payment_id as "paymentId", merchant_id as "merchantId", environment
    from orphaned_charges where returned_at is null order by found_at limit ${limit}
  `);
}

const reminder = z.object({
  id: z.string(),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  weeks: z.number(),
});
export type Reminder = z.infer<typeof reminder>;

/** Sessions in reconciliation for another full week: one alert per week (rule 18). */
export function reconciliationsToRemindOf(db: Db) {
  return db.any(sql.type(reminder)`
    select id, merchant_id as "merchantId", environment,
      floor(extract(epoch from service_clock() - expires_at) / 604800)::integer as weeks
    from checkouts
    where state = 'reconciliation_required' and expires_at < ${NOW} - interval '7 days'
  `);
}
