/**
 * Queries of the sweep and the relay about sessions. Overdue sessions are found regardless of whether their row records
 * that a workflow was started (rules 16 and 27).
 */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import type { SessionToStart } from '../../domain/session/session-steps.ts';
import { isLongOverdue } from '../core/overdue.ts';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';

const startableRow = {
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  product_name: z.string(),
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  expires_at: z.string(),
  ms_to_expiry: z.number(),
};
const startable = camelCased(startableRow) satisfies z.ZodType<SessionToStart>;

const startableColumns = sql.fragment`
  c.id, c.merchant_id, c.environment, c.terms #>> '{product,name}' as product_name, c.amount,
  c.currency, c.expires_at,
  ms_between(service_clock(), c.expires_at) as ms_to_expiry`;

/** Returns sessions older than a second whose workflow may not exist; normally the API has started it by then. */
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

/**
 * Returns open sessions whose workflow is a minute late, in random order, so that sessions that cannot move do not hide
 * the others.
 */
export function overdueSessions(db: Db, limit: number): Promise<readonly SessionToStart[]> {
  return db.any(sql.type(startable)`
    select ${startableColumns} from checkouts c where ${isOverdue} order by random() limit ${limit}
  `);
}

const overdue = camelCased({
  ...startableRow,
  is_long_overdue: z.boolean(),
  open_claim_id: z.string().nullable(),
});

/** Reads an overdue session again; null if its workflow has acted in the meantime. */
export function findOverdueSession(db: Db, checkoutId: string): Promise<z.infer<typeof overdue> | null> {
  return db.maybeOne(sql.type(overdue)`
    select ${startableColumns}, ${isLongOverdue()}, (
        select claim_id from payments where checkout_id = c.id and status = 'processing' limit 1
      ) as open_claim_id
    from checkouts c where ${isOverdue} and c.id = ${checkoutId}
  `);
}

const claimWithoutCall = camelCased({
  checkout_id: z.string(),
  claim_id: z.string(),
  payment_id: z.string(),
});
export type ClaimWithoutCall = z.infer<typeof claimWithoutCall>;

/**
 * Returns claimed attempts not sent to the rail in time, in random order: the update that created them may be lost
 * (rule 43).
 */
export function claimsWithoutCall(db: Db, limit: number): Promise<readonly ClaimWithoutCall[]> {
  return db.any(sql.type(claimWithoutCall)`
    select c.id as checkout_id, p.claim_id, p.id as payment_id
    from checkouts c join payments p on p.checkout_id = c.id
    where c.state not in ('succeeded', 'failed') and c.next_action_at < ${NOW}
      and p.status = 'processing' and p.call_started_at is null
    order by random() limit ${limit}
  `);
}

export function findSessionToStart(db: Db, checkoutId: string): Promise<SessionToStart | null> {
  return db.maybeOne(sql.type(startable)`
    select ${startableColumns} from checkouts c
    where c.id = ${checkoutId} and c.state not in ('succeeded', 'failed')
  `);
}

export async function markSessionsStarted(db: Db, checkoutIds: readonly string[]): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update checkouts set workflow_started_at = service_clock()
    where id = any (${sql.array([...checkoutIds], 'text')}) and workflow_started_at is null
  `);
}

const reminder = camelCased({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  weeks: z.number(),
});
export type Reminder = z.infer<typeof reminder>;

/** Selects sessions that were in reconciliation for another full week: one alert per week (rule 18). */
export function reconciliationsToRemindOf(db: Db) {
  return db.any(sql.type(reminder)`
    select id, merchant_id, environment,
      weeks_since(expires_at) as weeks
    from checkouts
    where state = 'reconciliation_required' and expires_at < ${NOW} - interval '7 days'
  `);
}
