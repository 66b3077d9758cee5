/**
 * Rows of sessions, subscriptions and refunds whose workflow is late or in doubt. Late rows are found whether or not
 * they record that their workflow was started (rules 16 and 27).
 */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { isLongOverdue } from '../core/overdue.ts';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { OPEN_STATUSES } from '../payment/open-payment.ts';
import { lateByOwnClock } from '../subscription/read/subscription-sweep.ts';

/** Selects `id` and `since` of open rows that are a minute late. */
const LATE = {
  session: sql.fragment`
    select id, next_action_at as since from checkouts
    where state not in ('succeeded', 'failed') and next_action_at < ${NOW} - interval '1 minute'`,
  subscription: lateByOwnClock(1),
  refund: sql.fragment`
    select id, next_action_at as since from refunds
    where status = 'pending' and next_action_at < ${NOW} - interval '1 minute'`,
};
export type KindOfRow = keyof typeof LATE;

/** Returns the ids of late rows, in random order, so that rows that cannot progress do not hide others. */
export function overdueRows(db: Db, kind: KindOfRow, limit: number): Promise<readonly string[]> {
  return db.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from (${LATE[kind]}) late order by random() limit ${limit}
  `);
}

const overdue = camelCased({
  is_long_overdue: z.boolean(),
  /** The click of a session's attempt whose outcome is open. */
  open_claim_id: z.string().nullable(),
});

/** Reads a late row again; null if its workflow has acted in the meantime. */
export function findOverdue(db: Db, kind: KindOfRow, id: string): Promise<z.infer<typeof overdue> | null> {
  return db.maybeOne(sql.type(overdue)`
    select ${isLongOverdue(sql.fragment`late.since`)}, (
        select claim_id from payments where checkout_id = late.id and status = 'processing' limit 1
      ) as open_claim_id
    from (${LATE[kind]}) late where id = ${id}
  `);
}

const reminder = camelCased({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  weeks: z.number(),
  /** Identifies the outcome in doubt: another doubtful charge starts a new series of reminders. */
  doubt: z.string(),
});

/** Returns rows whose outcome has been in doubt for another full week: one alert per week (rule 18). */
export function doubtsToRemindOf(db: Db) {
  return db.any(sql.type(reminder)`
    select id, merchant_id, environment, weeks_since(since) as weeks, doubt
    from (
      select id, merchant_id, environment, expires_at as since, id as doubt from checkouts
      where state = 'reconciliation_required'
      union all
      select s.id, s.merchant_id, s.environment, s.reconciling_since, p.id
      from subscriptions s
      join invoices i on i.subscription_id = s.id
      join payments p on p.invoice_id = i.id and p.status in ${OPEN_STATUSES}
      union all
      select id, merchant_id, environment, reconciling_since, id from refunds
      where status = 'pending'
    ) doubts
    where since < ${NOW} - interval '7 days'
  `);
}
