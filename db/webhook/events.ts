/**
 * The outbox. A state change and the event that tells of it commit in one transaction; so do the deliveries,
 * one per endpoint that subscribes. After the commit `endpointsToWake` says whose workflow has to be told.
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
import { ENVIRONMENTS, type Scope } from '../../domain/environment.ts';
import { type Db, prepared, readClock, sql, type Transaction } from '../core/pool.ts';
import { writeDocument } from '../core/settlement.ts';

/** What a transaction wrote, for `endpointsToWake` after its commit. */
export type EventIds = readonly string[];

/** The envelope's objects, and whose event it is. */
export interface EventParts extends Pick<EventContent, 'customer' | 'product' | 'subscription' | 'payment'> {
  readonly scope: Scope;
}

export interface EventToRecord extends Partial<EventContent> {
  readonly scope: Scope;
  readonly type: EventType;
  /** The row whose change the event tells of, and the version that the guarded update gave it (rule 21). */
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  /** For what carries a sandbox clock of its own; absent: this instant. It is delivered at once either way. */
  readonly occurredAt?: string;
  /** An alert about an endpoint is for the merchant's other ones. */
  readonly exceptEndpointId?: string;
}

/** An endpoint's workflow, as it is started or woken. */
export const endpointRef = z.object({
  endpointId: z.string(),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
});
export type EndpointRef = z.infer<typeof endpointRef>;

/** The same change of the same thing told in two ways: a bug that must not be papered over. */
export class EventConflictError extends Error {
  constructor(eventId: string, type: string, aggregateId: string, aggregateVersion: number) {
    super(
      `event ${eventId} (${type} of ${aggregateId}, version ${aggregateVersion}) exists with another body`,
    );
    this.name = 'EventConflictError';
  }
}

/** Rule 21: the same change gets the same id, however often it is recorded. */
export function eventIdOf(type: string, aggregateId: string, aggregateVersion: number): string {
  const key = JSON.stringify([type, aggregateId, aggregateVersion]);
  return `evt_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
}

/**
 * Inserts the event and its deliveries in the caller's transaction. Parts that are not given are null (the
 * four of the envelope) or absent (invoice, refund, payment_method, alert). Recording the same event again
 * changes nothing. In a transaction of `inSettlement` one that cannot be inserted is due instead.
 * @returns the event's id, for `endpointsToWake` after the commit
 * @throws EventConflictError when it was recorded before with another body
 */
export function recordEvent(tx: Transaction, event: EventToRecord): Promise<string> {
  return writeDocument(
    tx,
    (inner) => insertEvent(inner, event),
    (error) => setEventAside(tx, event, error),
  );
}

/** Frozen with its instant: what is written later has the same id and body. */
async function setEventAside(tx: Transaction, event: EventToRecord, error: string): Promise<string> {
  const { scope, type, aggregateId, aggregateVersion } = event;
  const id = eventIdOf(type, aggregateId, aggregateVersion);
  const draft = { ...event, occurredAt: event.occurredAt ?? (await readClock(tx)) };
  await tx.query(sql.unsafe`
    insert into documents_due (key, kind, merchant_id, environment, reference, draft, error)
    values (${id}, 'event', ${scope.merchantId}, ${scope.environment}, ${event.payment?.id ?? aggregateId},
      ${JSON.stringify(draft)}::json, ${error})
    on conflict (key) do nothing
  `);
  return id;
}

async function insertEvent(tx: Transaction, event: EventToRecord): Promise<string> {
  const { scope, type, aggregateId, aggregateVersion, occurredAt, exceptEndpointId } = event;
  const id = eventIdOf(type, aggregateId, aggregateVersion);
  const [head, tail] = bodyAround(id, type, scope.merchantId, event);
  const recorded = await tx.one(
    prepared(
      'record_event',
      sql.type(z.object({ inserted: z.boolean() }))`
    with moment as materialized (
      select coalesce(${occurredAt ?? null}::timestamptz, service_clock()) as at
    ), inserted as (
      insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, occurred_at, body)
      select ${id}, ${scope.merchantId}, ${scope.environment}, ${type}, ${aggregateId}, ${aggregateVersion}, at,
        ${head}::text || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ${tail}::text
      from moment
      on conflict (id) do nothing
      returning id
    ), addressed as (
      insert into deliveries (endpoint_id, event_id, status, next_attempt_at)
      select endpoint.id, inserted.id,
        case endpoint.status when 'enabled' then 'pending' else 'held' end, service_clock()
      from inserted, webhook_endpoints endpoint
      where endpoint.merchant_id = ${scope.merchantId} and endpoint.environment = ${scope.environment}
        and endpoint.status <> 'deleted'
        and (endpoint.event_types is null or ${type} = any (endpoint.event_types))
        and endpoint.id is distinct from ${exceptEndpointId ?? null}::text
    )
    select exists (select from inserted) as inserted`,
    ),
  );
  if (!recorded.inserted) {
    const body = await tx.oneFirst(sql.type(z.object({ body: z.string() }))`
      select body from events where id = ${id}`);
    const sameLength = body.length === head.length + INSTANT_LENGTH + tail.length;
    if (!sameLength || !body.startsWith(head) || !body.endsWith(tail)) {
      throw new EventConflictError(id, type, aggregateId, aggregateVersion);
    }
  }
  return id;
}

const INSTANT_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/**
 * The body's text before and after the value of `occurred_at`, which PostgreSQL's clock fills in: the one
 * part in which two recordings of the same event may differ.
 */
export function bodyAround(
  id: string,
  type: EventType | typeof TEST_EVENT_TYPE,
  merchantId: string,
  content: Partial<EventContent>,
): readonly [head: string, tail: string] {
  // Parsing drops what is not in the contract and gives the keys their one order.
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

/**
 * Tells of new deliveries: the drains that run are notified, the endpoints that would look too late by
 * themselves are returned, to be woken. To be called in a statement of its own after the commit: one that
 * runs before it loses wake-ups (rule 22). Where it notifies it writes nothing, so that its NOTIFY holds up no
 * other commit.
 */
export async function endpointsToWake(db: Db, eventIds: readonly string[]): Promise<readonly EndpointRef[]> {
  const [only, ...others] = eventIds;
  if (only === undefined) return [];
  const isOne = others.length === 0;
  // Their deliveries first, by the events' index: a plan that begins with the endpoints reads the backlog of a
  // dead one with each event of anybody (measured: 614 blocks instead of 7).
  const statement = sql.type(endpointRef.extend({ asleep: z.boolean() }))`
    with written as materialized (
      select endpoint_id, next_attempt_at, status from deliveries
      where event_id = ${isOne ? only : sql.fragment`any (${sql.array([...eventIds], 'text')})`}
    )
    select endpoint_id as "endpointId", merchant_id as "merchantId", environment, asleep,
      case when not asleep then pg_notify('delivery_due', endpoint_id)::text end as notified
    from (
      select endpoint.id as endpoint_id, endpoint.merchant_id, endpoint.environment,
        bool_or(endpoint.wakes_at > written.next_attempt_at) as asleep
      from written join webhook_endpoints endpoint on endpoint.id = written.endpoint_id
      where written.status = 'pending' and endpoint.status = 'enabled'
      group by endpoint.id
    ) as told`;
  const told = await db.any(isOne ? prepared('endpoints_to_wake', statement) : statement);
  const asleep = told.filter((endpoint) => endpoint.asleep).map(({ asleep, ...endpoint }) => endpoint);
  return asleep.length === 0 ? [] : takeTurnsToWake(db, asleep);
}

/**
 * Those of them that nobody woke a moment ago. Each signal is a workflow task, and while they come one by one
 * the drain itself does not begin (measured: ten events a second kept it from beginning for five seconds). Who
 * is not the first relies on who was: `planSleep` clears the mark as it commits, then looks again, so that a
 * delivery committed before is seen by it. A row that somebody else holds is not waited for; it is signalled
 * once more than it had to be.
 */
async function takeTurnsToWake(db: Db, asleep: readonly EndpointRef[]): Promise<readonly EndpointRef[]> {
  const ids = sql.array(
    asleep.map(({ endpointId }) => endpointId),
    'text',
  );
  const recent = await db.anyFirst(sql.type(z.object({ id: z.string() }))`
    with moment as materialized (
      select service_clock() as at
    ), recent as materialized (
      select id from webhook_endpoints, moment
      where id = any (${ids}) and woken_at between moment.at - interval '1 second' and moment.at
    ), free as materialized (
      select id from webhook_endpoints
      where id = any (${ids}) and id not in (select id from recent)
      for no key update skip locked
    ), marked as (
      update webhook_endpoints set woken_at = moment.at
      from moment, free where webhook_endpoints.id = free.id
    )
    select id from recent`);
  return asleep.filter(({ endpointId }) => !recent.includes(endpointId));
}
