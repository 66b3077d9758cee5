/**
 * Results of delivery attempts (rule 23): a result counts only while its lease is still held, and a success is never
 * overwritten. Updates the endpoint's health as well.
 */
import { z } from 'zod';
import {
  DISABLED_AFTER_SECONDS,
  EXHAUSTED_ALERT_EVERY_SECONDS,
  FAILING_AFTER_SECONDS,
} from '../../domain/webhook/retry-schedule.ts';
import { camelCased, type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { inTransaction } from '../core/transaction.ts';
import { IS_SLOW } from './endpoint-failure.ts';
import { type EndpointRef, endpointRefRow, recordEvent } from './events.ts';

export interface DeliveryResult {
  readonly eventId: string;
  /** PostgreSQL's clock at the lease, in Unix milliseconds. */
  readonly leasedAtMs: number;
  readonly delivered: boolean;
  readonly httpStatus: number | null;
  /** Error text; null when delivered. */
  readonly error: string | null;
  readonly response: string;
  /** As sent, signature included. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly durationMs: number;
  /** Seconds from now; null when delivered or after the last attempt. */
  readonly nextInSeconds: number | null;
}

export interface ResultGroup {
  readonly endpoint: EndpointRef;
  readonly token: string;
  readonly results: readonly DeliveryResult[];
  /** Whether the caller knows the endpoint to be failing. */
  readonly failing: boolean;
}

/**
 * Records a group of results and the log of their attempts. Failures also update the endpoint's health: when it began
 * to fail, one alert a day for exhausted deliveries, and its disabling after five days of failures or at a 410.
 * Alerts go to the merchant's other endpoints.
 * @returns whether an alert was recorded
 */
export async function recordResults(pool: Pool, group: ResultGroup): Promise<boolean> {
  const failures = group.results.filter((result) => !result.delivered);
  if (failures.length === 0 && !group.failing) {
    await writeResults(pool, group);
    return false;
  }
  return inTransaction(pool, async (tx) => {
    const gone = failures.some((result) => result.httpStatus === 410);
    const health = await keepHealth(tx, group.endpoint.endpointId, failures.length < group.results.length);
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

/** VALUES for one result, whose plan is reused; arrays for several, because a plan for one length suits no other. */
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
 * Keeps the look-up on the primary key: the planner has no statistics for the CTE's rows and, with stale statistics
 * of an emptier table, read all of the endpoint's deliveries (measured: 210 blocks instead of 34).
 */
function isOneOf(results: readonly DeliveryResult[]) {
  const [only, ...others] = results;
  if (only && others.length === 0) return sql.fragment`delivery.event_id = ${only.eventId}`;
  const eventIds = results.map(({ eventId }) => eventId);
  return sql.fragment`delivery.event_id = any (${sql.array(eventIds, 'text')})`;
}

const COLUMN_TYPES = ['text', 'float8', 'bool', 'int4', 'text', 'text', 'jsonb', 'int4', 'float8'];
const typeOf = (index: number) => sql.identifier([COLUMN_TYPES[index] ?? '']);

/** Leased deliveries were due. A later instant means that a redelivery or a recovery has made it due since. */
const askedAgain = sql.fragment`delivery.next_attempt_at > to_timestamp((result.leased_at_ms + 1) / 1000)`;

/** The first failure sets `failing_since`, a success clears it. */
async function keepHealth(tx: Transaction, endpointId: string, anySuccess: boolean) {
  return tx.maybeOne(sql.type(camelCased({ failed_too_long: z.boolean() }))`
    update webhook_endpoints
    set failing_since = ${anySuccess ? sql.fragment`null` : sql.fragment`coalesce(failing_since, service_clock())`}
    where id = ${endpointId}
    returning coalesce(
      failing_since <= service_clock() - make_interval(secs => ${DISABLED_AFTER_SECONDS}), false
    ) as failed_too_long`);
}

const ALERTED_AT_ONCE = 100;

const versioned = z.object({ version: z.int() });

/**
 * Disables the endpoint and alerts. Its backlog is held afterwards (`backlog.ts`).
 * @returns false if the endpoint was no longer enabled
 */
async function disableEndpoint(
  tx: Transaction,
  endpoint: EndpointRef,
  reason: 'gone' | 'failing',
): Promise<boolean> {
  const disabled = await tx.maybeOne(sql.type(versioned)`
    update webhook_endpoints
    set status = 'disabled', disabled_reason = ${reason}, version = version + 1, updated_at = service_clock(),
      recover_since = null, recover_until = null, hold_before = service_clock()
    where id = ${endpoint.endpointId} and status = 'enabled'
    returning version`);
  if (!disabled) return false;
  await alert(tx, endpoint, 'webhook_endpoint_disabled', disabled.version);
  return true;
}

const failingEndpoint = camelCased({ ...endpointRefRow, version: z.int() });

/**
 * One alert for each run of failures that has lasted 15 minutes, whether or not another attempt is due; for slow
 * responses, one a day.
 */
export function alertOfFailingEndpoints(pool: Pool): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const due = await tx.any(sql.type(failingEndpoint)`
      update webhook_endpoints set last_failing_alert_at = service_clock(), version = version + 1
      where id = any (array(
        select id from webhook_endpoints
        where status = 'enabled' and failing_since <= ${NOW} - make_interval(secs => ${FAILING_AFTER_SECONDS})
            and coalesce(last_failing_alert_at, '-infinity') < failing_since
          or ${IS_SLOW} and coalesce(last_failing_alert_at, '-infinity') < ${NOW} - interval '1 day'
        order by failing_since limit ${ALERTED_AT_ONCE} for update skip locked))
      returning id as endpoint_id, merchant_id, environment, version`);
    for (const endpoint of due) await alert(tx, endpoint, 'webhook_endpoint_failing', endpoint.version);
  });
}

/** @returns false if the last such alert is too recent */
async function alertOfExhausted(tx: Transaction, endpoint: EndpointRef): Promise<boolean> {
  const due = await tx.maybeOne(sql.type(versioned)`
    update webhook_endpoints set last_exhausted_alert_at = service_clock(), version = version + 1
    where id = ${endpoint.endpointId}
      and coalesce(last_exhausted_alert_at, '-infinity')
        <= service_clock() - make_interval(secs => ${EXHAUSTED_ALERT_EVERY_SECONDS})
    returning version`);
  if (due) await alert(tx, endpoint, 'webhook_deliveries_exhausted', due.version);
  return due !== null;
}

async function alert(tx: Transaction, endpoint: EndpointRef, code: string, version: number): Promise<void> {
  const { endpointId, merchantId, environment } = endpoint;
  await recordEvent(tx, {
    scope: { merchantId, environment },
    type: 'billing.operational_alert',
    aggregateId: endpointId,
    aggregateVersion: version,
    alert: { code, reference: endpointId },
    exceptEndpointId: endpointId,
  });
}
