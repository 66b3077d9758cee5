/**
 * Leases of deliveries (rule 23): each is a token with a short validity, and no lock is held during the HTTP request. A
 * result counts only while its lease is valid, and a success is never overwritten.
 */
import { z } from 'zod';
import { camelCased, type Db, type Pool, sql } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { sealedSecrets, secretsAt } from './encrypted-secrets.ts';
import { alertOfExhausted, disableEndpoint, keepHealth } from './endpoint-health.ts';
import type { EndpointRef } from './events.ts';

const leased = camelCased({
  event_id: z.string(),
  body: z.string(),
  /** All attempts so far, for the header, and those of the current round of the schedule. */
  attempts: z.int(),
  round_attempts: z.int(),
  url: z.string(),
  ...sealedSecrets,
  standard_headers: z.boolean(),
  /** The trace in which the event was recorded; null without tracing. */
  trace: z
    .object({ traceparent: z.string(), requestId: z.string().optional(), flowId: z.string().optional() })
    .nullable(),
  failing: z.boolean(),
  /** PostgreSQL's clock at the lease, in Unix milliseconds. */
  leased_at_ms: z.number(),
});
/** A leased delivery and everything needed to send it. Secrets are encrypted. */
export type LeasedDelivery = z.infer<typeof leased>;

export interface Lease {
  readonly endpointId: string;
  readonly token: string;
  readonly limit: number;
  /** Duration of the lease; must exceed the longest attempt. */
  readonly leaseSeconds: number;
}

/**
 * Leases due deliveries, longest due first; none unless the endpoint is enabled and its missed deliveries are held.
 * @throws while money may not move (rule 29)
 */
export async function leaseDeliveries(db: Db, lease: Lease): Promise<readonly LeasedDelivery[]> {
  const { endpointId, token, limit, leaseSeconds } = lease;
  return db.any(
    sql.type(leased)`
    with moment as materialized (
      select service_clock() as at
    ), endpoint as materialized (
      select id, url, standard_headers, failing_since is not null as failing, ${secretsAt(sql.fragment`moment.at`)}
      from webhook_endpoints, moment 
      where id = ${endpointId} and status = 'enabled' and hold_before is null and assert_money_may_move()
    ), due as materialized (
      select delivery.event_id
      from deliveries delivery
      where delivery.endpoint_id = (select id from endpoint) and delivery.status = 'pending'
        and delivery.next_attempt_at <= (select at from moment)
        and (delivery.leased_until is null or delivery.leased_until <= (select at from moment))
      order by delivery.next_attempt_at
      limit ${limit}
      for update of delivery skip locked
    )
    update deliveries delivery
    set lease_token = ${token}, leased_until = moment.at + make_interval(secs => ${leaseSeconds})
    from due join events event on event.id = due.event_id, endpoint, moment
    where delivery.endpoint_id = ${endpointId} and delivery.event_id = due.event_id
    returning delivery.event_id, event.body, delivery.attempts,
      delivery.round_attempts, endpoint.url, endpoint.secret,
      endpoint.previous_secret, endpoint.standard_headers,
      event.trace, endpoint.failing, unix_ms(moment.at) as leased_at_ms`,
  );
}

/** Releases deliveries that were not sent, or whose outcome is unknown; they do not count as attempts. */
export async function releaseDeliveries(
  db: Db,
  { endpointId, token }: Pick<Lease, 'endpointId' | 'token'>,
  eventIds: readonly string[],
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update deliveries set lease_token = null, leased_until = null
    where endpoint_id = ${endpointId} and event_id = any (${sql.array([...eventIds], 'text')})
      and lease_token = ${token}`);
}

export interface DeliveryResult {
  readonly eventId: string;
  /** Where the delivery was sent; the endpoint's URL may have changed since. */
  readonly url: string;
  /** PostgreSQL's clock at the lease, in Unix milliseconds. */
  readonly leasedAtMs: number;
  readonly delivered: boolean;
  readonly httpStatus: number | null;
  /** The error's text; null when delivered. */
  readonly error: string | null;
  readonly response: string;
  /** The headers as sent, including the signature. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly durationMs: number;
  /** Seconds from now; null when delivered or after the last attempt. */
  readonly nextInSeconds: number | null;
}

export interface ResultGroup {
  readonly endpoint: EndpointRef;
  readonly token: string;
  readonly results: readonly DeliveryResult[];
  /** True if the caller knows that the endpoint is failing. */
  readonly failing: boolean;
}

/**
 * Records a group of results and the log of their attempts. Failures also update the endpoint's health: when it began
 * to fail, one alert a day about exhausted deliveries, and disabling after five days of failures or after a 410 from
 * its current URL. Alerts go to the merchant's other endpoints.
 * @returns whether an alert was recorded
 */
export async function recordResults(pool: Pool, group: ResultGroup): Promise<boolean> {
  const failures = group.results.filter((result) => !result.delivered);
  if (failures.length === 0 && !group.failing) {
    await writeResults(pool, group);
    return false;
  }
  return inTransaction(pool, async (tx) => {
    const health = await keepHealth(tx, group.endpoint.endpointId, failures.length < group.results.length);
    const gone = failures.some(({ httpStatus, url }) => httpStatus === 410 && url === health?.url);
    const exhausted = await writeResults(tx, group);
    const reason = gone ? 'gone' : health?.failedTooLong ? 'failing' : undefined;
    const disabled = reason !== undefined && (await disableEndpoint(tx, group.endpoint, reason));
    const alerted = exhausted > 0 && (await alertOfExhausted(tx, group.endpoint));
    return disabled || alerted;
  });
}

const writtenResults = z.object({ exhausted: z.int() });

/** Writes the whole group and its log in one statement. @returns how many deliveries are exhausted */
function writeResults(db: Db, { endpoint, token, results }: ResultGroup): Promise<number> {
  return db.oneFirst(sql.type(writtenResults)`
    with moment as materialized (
      select service_clock() as at
    ), result as (
      select result.*, moment.at, moment.at + make_interval(secs => next_in_seconds) as next_attempt_at
      from ${rowsOf(results)} as result
        (event_id, leased_at_ms, delivered, http_status, error, response, request_headers, duration_ms, next_in_seconds),
        moment
    ), written as (
      update deliveries delivery
      set attempts = delivery.attempts + 1,
        round_attempts = case when ${askedAgain} then 0 else delivery.round_attempts + 1 end,
        status = case
          when ${askedAgain} then delivery.status
          when result.delivered or delivery.succeeded_at is not null then 'succeeded'
          when delivery.status = 'held' then 'held'
          when result.next_attempt_at is null then 'exhausted'
          else 'pending' end,
        next_attempt_at = case when ${askedAgain} then delivery.next_attempt_at
          else coalesce(result.next_attempt_at, delivery.next_attempt_at) end,
        lease_token = null,
        leased_until = null,
        last_attempt_at = result.at,
        last_status = result.http_status,
        last_error = result.error,
        succeeded_at = coalesce(delivery.succeeded_at, case when result.delivered then result.at end)
      from result
      where delivery.endpoint_id = ${endpoint.endpointId} and ${isOneOf(results)}
        and delivery.event_id = result.event_id and delivery.lease_token = ${token}
      returning delivery.event_id, delivery.attempts, delivery.status,
        case when delivery.status = 'pending' then delivery.next_attempt_at end as next_attempt_at
    ), logged as (
      insert into delivery_attempts
        (endpoint_id, event_id, attempt, at, duration_ms, status, error, response, request_headers, next_attempt_at)
      select ${endpoint.endpointId}, written.event_id, written.attempts, result.at, result.duration_ms,
        result.http_status, result.error, result.response, result.request_headers, written.next_attempt_at
      from written join result using (event_id)
    )
    select count(*) filter (where status = 'exhausted')::int4 as exhausted from written`);
}

/** VALUES for a single result, so that the plan is reused; arrays for several: each length of VALUES needs a plan. */
function rowsOf(results: readonly DeliveryResult[]) {
  const rows = results.map((result) => [
    result.eventId,
    result.leasedAtMs,
    result.delivered,
    result.httpStatus,
    result.error,
    result.response || null,
    JSON.stringify(result.requestHeaders),
    Math.round(result.durationMs),
    result.nextInSeconds,
  ]);
  const [only, ...others] = rows;
  if (!only || others.length > 0) return sql.fragment`${sql.unnest(rows, COLUMN_TYPES)}`;
  const values = only.map((value, index) => sql.fragment`${value}::${typeOf(index)}`);
  return sql.fragment`(values (${sql.join(values, sql.fragment`, `)}))`;
}

/**
 * Keeps the look-up on the primary key: the planner has no statistics for the CTE's rows and, with statistics from when
 * the table was emptier, read all of the endpoint's deliveries (measured: 210 blocks instead of 34).
 */
function isOneOf(results: readonly DeliveryResult[]) {
  const [only, ...others] = results;
  if (only && others.length === 0) return sql.fragment`delivery.event_id = ${only.eventId}`;
  const eventIds = results.map(({ eventId }) => eventId);
  return sql.fragment`delivery.event_id = any (${sql.array(eventIds, 'text')})`;
}

const COLUMN_TYPES = ['text', 'float8', 'bool', 'int4', 'text', 'text', 'jsonb', 'int4', 'float8'];
const typeOf = (index: number) => sql.identifier([COLUMN_TYPES[index] ?? '']);

/** Leased deliveries were due: a later instant means that a redelivery or a recovery was requested since. */
const askedAgain = sql.fragment`delivery.next_attempt_at > to_timestamp((result.leased_at_ms + 1) / 1000)`;
