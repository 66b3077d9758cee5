/**
 * The outbox. A state change commits with its event and with one delivery per subscribed endpoint. After the commit,
 * `endpointsToWake` returns the workflows to signal.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  type EventContent,
  type EventDraft,
  type EventType,
  eventContent,
  type TEST_EVENT_TYPE,
} from '../../contract/webhook/events.ts';
import { ENVIRONMENTS, type Scope } from '../../domain/core/environment.ts';
import { carrierOfActive } from '../../platform/observability/spans.ts';
import { camelCased, type Db, sql, type Transaction } from '../core/pool.ts';
import { noteEvent } from '../core/transaction.ts';

/** The envelope's objects, and the merchant they belong to. */
export interface EventParts
  extends Pick<EventContent, 'customer' | 'product' | 'subscription' | 'payment' | 'checkout'> {
  readonly scope: Scope;
}

export interface EventToRecord extends Partial<EventContent> {
  readonly scope: Scope;
  readonly type: EventType;
  /** The changed row, and the version that the guarded update gave it (rule 21). */
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  /** The time of a sandbox subscription's clock; defaults to now. Delivery is immediate either way. */
  readonly occurredAt?: string;
  /** An alert about an endpoint goes to the merchant's other endpoints. */
  readonly exceptEndpointId?: string;
}

/** An endpoint, as its workflow is started or woken. */
export const endpointRefRow = {
  endpoint_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
};
export const endpointRef = camelCased(endpointRefRow);
export type EndpointRef = z.infer<typeof endpointRef>;

/** One change recorded with two different bodies: a bug, not to be hidden. */
export class EventConflictError extends Error {
  constructor(eventId: string, type: string, aggregateId: string, aggregateVersion: number) {
    super(
      `event ${eventId} (${type} of ${aggregateId}, version ${aggregateVersion}) exists with another body`,
    );
    this.name = 'EventConflictError';
  }
}

/**
 * The same change always gets the same id (rule 21). A restored database uses the same versions again, for
 * other changes: its epoch enters the id (rule 29).
 */
export function eventIdOf(
  type: string,
  aggregateId: string,
  aggregateVersion: number,
  epoch: number,
): string {
  const change = [type, aggregateId, aggregateVersion];
  const key = JSON.stringify(epoch === 0 ? change : [...change, epoch]);
  return `evt_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
}

/** Spares a round trip; each insert verifies it. */
let lastEpoch = 0;

/**
 * Inserts the event and its deliveries in the caller's transaction, which must be one of `inTransaction`. Missing parts
 * are null (the envelope's four) or absent (invoice, refund, payment_method, alert). Idempotent.
 * @returns the event's id
 * @throws EventConflictError when it was recorded before with another body
 */
export async function recordEvent(tx: Transaction, event: EventToRecord): Promise<string> {
  const [id = ''] = await insertEvents(tx, [event]);
  return id;
}

/** `recordEvent` for the events of one change, in one statement. All are of the first one's merchant. */
export async function recordEvents(tx: Transaction, events: readonly EventToRecord[]): Promise<void> {
  await insertEvents(tx, events);
}

const recordedEvents = z.object({ inserted: z.array(z.string()), epoch: z.number() });

/** @returns their ids */
async function insertEvents(
  tx: Transaction,
  events: readonly EventToRecord[],
  epoch = lastEpoch,
): Promise<readonly string[]> {
  const [first] = events;
  if (!first) return [];
  const { merchantId, environment } = first.scope;
  const given: DraftedEvent[] = [];
  for (const event of events) given.push(await draftOf(tx, event, epoch));
  const trace = carrierOfActive();
  const recorded = await tx.one(
    sql.type(recordedEvents)`
    with moment as materialized (
      select service_clock() as at, event_epoch() as epoch
    ), given as materialized (
      -- A microsecond apart: lists show the events of one change in their order.
      select given.*, moment.at + given.place * interval '1 microsecond' as at
      from (values ${sql.join(given.map(rowOf), sql.fragment`, `)}) as given
        (place, id, type, aggregate_id, aggregate_version, occurred_at, head, tail, except_endpoint_id), moment
      where moment.epoch = ${epoch}
    ), inserted as (
      insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, occurred_at, body,
        trace)
      select id, ${merchantId}, ${environment}, type, aggregate_id, aggregate_version, coalesce(occurred_at, at),
        head || to_char(coalesce(occurred_at, at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || tail,
        ${trace && JSON.stringify(trace)}::jsonb
      from given
      on conflict (id) do nothing
      returning id
    ), addressed as (
      insert into deliveries (endpoint_id, event_id, status, next_attempt_at)
      select endpoint.id, given.id, case endpoint.status when 'disabled' then 'held' else 'pending' end, given.at
      from inserted join given using (id), webhook_endpoints endpoint
      where endpoint.merchant_id = ${merchantId} and endpoint.environment = ${environment}
        and endpoint.status <> 'deleted'
        and (endpoint.event_types is null or given.type = any (endpoint.event_types))
        and endpoint.id is distinct from given.except_endpoint_id
    )${events.some(({ alert }) => alert) ? keepAlerts(first.scope, given) : NOTHING_MORE}
    select coalesce((select array_agg(id) from inserted), '{}') as inserted, epoch from moment`,
  );
  if (recorded.epoch !== epoch) {
    lastEpoch = recorded.epoch;
    return insertEvents(tx, events, recorded.epoch);
  }
  for (const event of given) {
    noteEvent(tx, event.id);
    if (!recorded.inserted.includes(event.id)) await expectSameBody(tx, event);
  }
  return given.map(({ id }) => id);
}

/** An event with its id and the text of its body. */
interface DraftedEvent {
  readonly event: EventToRecord;
  readonly id: string;
  readonly head: string;
  readonly tail: string;
}

async function draftOf(tx: Transaction, event: EventToRecord, epoch: number): Promise<DraftedEvent> {
  const id = await idInEpoch(tx, event, epoch);
  const [head, tail] = bodyAround(id, event.type, event.scope.merchantId, event);
  return { event, id, head, tail };
}

function rowOf({ event, id, head, tail }: DraftedEvent, place: number) {
  const { type, aggregateId, aggregateVersion, occurredAt = null, exceptEndpointId = null } = event;
  return sql.fragment`(${place}::integer, ${id}::text, ${type}::text, ${aggregateId}::text,
    ${aggregateVersion}::integer, ${occurredAt}::timestamptz, ${head}::text, ${tail}::text, ${exceptEndpointId}::text)`;
}

/** @throws EventConflictError */
async function expectSameBody(tx: Transaction, { event, id, head, tail }: DraftedEvent): Promise<void> {
  const { body, erased } = await tx.one(sql.type(z.object({ body: z.string(), erased: z.boolean() }))`
    select body, erased_at is not null as erased from events where id = ${id}`);
  const sameLength = body.length === head.length + INSTANT_LENGTH + tail.length;
  const isSame = sameLength && body.startsWith(head) && body.endsWith(tail);
  if (!isSame && !erased) {
    throw new EventConflictError(id, event.type, event.aggregateId, event.aggregateVersion);
  }
}

const NOTHING_MORE = sql.fragment``;

/** For operators, in the statement that inserts the events (`npm run ops -- list`). */
function keepAlerts({ merchantId, environment }: Scope, given: readonly DraftedEvent[]) {
  const alerts = given.flatMap(({ event: { alert }, id }) =>
    alert ? [sql.fragment`(${id}, ${alert.code}, ${alert.reference})`] : [],
  );
  return sql.fragment`, kept as (
      insert into operator_alerts (event_id, code, reference, merchant_id, environment)
      select id, code, reference, ${merchantId}, ${environment}
      from inserted join (values ${sql.join(alerts, sql.fragment`, `)}) as alert (id, code, reference) using (id)
      -- Alerts outlive their events, which retention deletes: one that is raised again is listed already.
      on conflict (event_id) do update
      set at = case when operator_alerts.closed_at is null then operator_alerts.at else service_clock() end,
        closed_at = null
    )`;
}

/** A change that was recorded before the restore keeps its id. */
async function idInEpoch(
  tx: Transaction,
  { type, aggregateId, aggregateVersion }: EventToRecord,
  epoch: number,
): Promise<string> {
  const recorded =
    epoch > 0 &&
    (await tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
      select id from events
      where aggregate_id = ${aggregateId} and type = ${type} and aggregate_version = ${aggregateVersion}`));
  return recorded || eventIdOf(type, aggregateId, aggregateVersion, epoch);
}

const INSTANT_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/**
 * The body's text around the value of `occurred_at`, which PostgreSQL's clock fills in: the only part in which two
 * recordings of the same event may differ.
 */
export function bodyAround(
  id: string,
  type: EventType | typeof TEST_EVENT_TYPE,
  merchantId: string,
  content: Partial<EventContent>,
): readonly [head: string, tail: string] {
  // Parsing drops fields outside the contract and fixes the order of the keys.
  const parsed = eventContent.parse({
    ...content,
    customer: content.customer ?? null,
    product: content.product ?? null,
    subscription: content.subscription ?? null,
    payment: content.payment ?? null,
  });
  const rest = { merchant_id: merchantId, ...parsed } satisfies Omit<EventDraft, 'type'>;
  const head = `${JSON.stringify({ id, type }).slice(0, -1)},"occurred_at":"`;
  const tail = `",${JSON.stringify(rest).slice(1)}`;
  return [head, tail];
}

const toldEndpoint = camelCased({ ...endpointRefRow, asleep: z.boolean() });

/**
 * Announces new deliveries: notifies running drains, and returns the sleeping endpoints to wake. Call it in a separate
 * statement after the commit; earlier, wake-ups get lost (rule 22). Statements that notify write nothing, so that
 * NOTIFY's lock delays no other commit.
 */
export async function endpointsToWake(db: Db, eventIds: readonly string[]): Promise<readonly EndpointRef[]> {
  const [only, ...others] = eventIds;
  if (only === undefined) return [];
  const isOne = others.length === 0;
  // Deliveries first, by the events' index: a plan that begins with endpoints reads a dead endpoint's backlog with
  // every event (measured: 614 blocks instead of 7).
  const statement = sql.type(toldEndpoint)`
    with written as materialized (
      select endpoint_id, next_attempt_at, status from deliveries
      where event_id = ${isOne ? only : sql.fragment`any (${sql.array([...eventIds], 'text')})`}
    )
    select endpoint_id, merchant_id, environment, asleep,
      case when not asleep then pg_notify('delivery_due', endpoint_id)::text end as notified
    from (
      select endpoint.id as endpoint_id, endpoint.merchant_id, endpoint.environment,
        bool_or(endpoint.wakes_at > written.next_attempt_at) as asleep
      from written join webhook_endpoints endpoint on endpoint.id = written.endpoint_id
      where written.status = 'pending' and endpoint.status = 'enabled' and endpoint.hold_before is null
      group by endpoint.id
    ) as told`;
  const told = await db.any(statement);
  const asleep = told.filter((endpoint) => endpoint.asleep).map(({ asleep, ...endpoint }) => endpoint);
  return asleep.length === 0 ? [] : takeTurnsToWake(db, asleep);
}

const wokenEndpoint = z.object({ id: z.string() });

/**
 * Leaves out endpoints woken a moment ago. Each signal is a workflow task, and a stream of them keeps the
 * drain from starting (measured: ten events a second delayed it by five seconds). Later writers rely on the
 * first: `planSleep` clears the flag as it commits, then looks again, and so sees deliveries committed
 * before. A row locked by another writer is skipped and signalled once too often.
 */
async function takeTurnsToWake(db: Db, asleep: readonly EndpointRef[]): Promise<readonly EndpointRef[]> {
  const ids = sql.array(
    asleep.map(({ endpointId }) => endpointId),
    'text',
  );
  const recent = await db.anyFirst(sql.type(wokenEndpoint)`
    with moment as materialized (
      select service_clock() as at
    ), recent as materialized (
      select id from webhook_endpoints, moment
      where id = any (${ids}) and woken_at between moment.at - interval '1 second' and moment.at
    ), free as materialized (
      select id from webhook_endpoints
      where id = any (${ids}) and id not in (select id from recent)
      for no key update skip locked
    ), flagged as (
      update webhook_endpoints set woken_at = moment.at
      from moment, free where webhook_endpoints.id = free.id
    )
    select id from recent`);
  return asleep.filter(({ endpointId }) => !recent.includes(endpointId));
}
