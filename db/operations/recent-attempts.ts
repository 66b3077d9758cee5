/** Recent results of payment attempts, and the rail's response times, to diagnose lost sales or a slow rail. */
import { z } from 'zod';
import { type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';

const LATEST_ANSWERS = 50_000;
/** Maximum number of rows in each list. */
export const MOST_ROWS = 20;

interface Recent {
  readonly minutes: number;
  readonly merchantId: string | undefined;
}

const attempts = z.object({
  merchant_id: z.string(),
  merchant_name: z.string(),
  environment: z.string(),
  rail: z.string().nullable(),
  status: z.string(),
  code: z.string().nullable(),
  attempts: z.int(),
  customers: z.int(),
  latest: z.string(),
});
export type RecentAttempts = z.infer<typeof attempts>;

/** Counts results, most frequent first. */
export function countRecentAttempts(
  db: Db,
  { minutes, merchantId = undefined }: Recent,
): Promise<readonly RecentAttempts[]> {
  return db.any(sql.type(attempts)`
    select p.merchant_id, m.name as merchant_name, p.environment, p.rail, p.status, answer.code,
      count(*)::int as attempts, count(distinct p.customer_id)::int as customers, max(p.created_at) as latest
    -- Filtered by merchant and environment, for which an index exists.
    from merchants m cross join (values ('sandbox'), ('production')) e (name)
    join payments p on p.merchant_id = m.id and p.environment = e.name
      and unix_ms(p.created_at) > unix_ms(${NOW} - ${minutes} * interval '1 minute')
    -- A payment with an unknown outcome has no failure code, but its call may have one.
    cross join lateral (
      select coalesce(p.failure_code, case when p.status <> 'succeeded' then (
        select code from rail_answers where reference = p.id order by id desc limit 1) end) as code) answer
    where (${merchantId ?? null}::text is null or p.merchant_id = ${merchantId ?? null})
    group by p.merchant_id, m.name, p.environment, p.rail, p.status, answer.code
    order by attempts desc limit ${MOST_ROWS + 1}`);
}

const calls = z.object({
  rail_account_id: z.string(),
  rail: z.string(),
  environment: z.string(),
  operation: z.string(),
  outcome: z.string(),
  code: z.string().nullable(),
  calls: z.int(),
  median_ms: z.int(),
  p95_ms: z.int(),
  slowest_ms: z.int(),
});
export type RecentCalls = z.infer<typeof calls>;

/** Counts calls that charge, slowest account first. */
export function countRecentCalls(
  db: Db,
  { minutes, merchantId = undefined }: Recent,
): Promise<readonly RecentCalls[]> {
  return db.any(sql.type(calls)`
    select rail_account_id, rail, environment, operation, outcome, code, count(*)::int as calls,
      percentile_disc(0.5) within group (order by took_ms) as median_ms,
      percentile_disc(0.95) within group (order by took_ms) as p95_ms, max(took_ms) as slowest_ms
    from rail_answers
    -- The time is not indexed, so only the latest answers are read.
    where id > (select max(id) - ${LATEST_ANSWERS} from rail_answers) and is_attempt
      and at > ${NOW} - ${minutes} * interval '1 minute'
      and (${merchantId ?? null}::text is null or rail_account_id in (
        select id from rail_accounts where merchant_id = ${merchantId ?? null}))
    group by rail_account_id, rail, environment, operation, outcome, code
    order by p95_ms desc limit ${MOST_ROWS + 1}`);
}
