/**
 * The outbox. A state change commits with its event and with one delivery per subscribed endpoint. After the commit,
 * `endpointsToWake` (endpoint-sleep.ts) returns the workflows to signal.
 */
import { z } from 'zod';
import {
  type EventContent,
  type EventDraft,
  type EventType,
  eventContent,
  SENT_ON_REQUEST,
} from '../../contract/webhook/events.ts';
import { ENVIRONMENTS, type Scope } from '../../domain/core/environment.ts';
import { carrierOfActive } from '../../platform/observability/spans.ts';
import { camelCased, type Pool, sql, type Transaction } from '../core/pool.ts';
import { afterCommit } from '../core/transaction.ts';

/** The envelope's objects, and the merchant to whom they belong. */
export interface EventContext
  extends Pick<EventContent, 'customer' | 'product' | 'subscription' | 'payment' | 'charge' | 'checkout'> {
  readonly scope: Scope;
}

export interface EventToRecord extends Partial<EventContent> {
  readonly scope: Scope;
  readonly type: EventType;
  /** The changed row, and its version after the guarded update (rule 21). */
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  /** The time by a sandbox subscription's clock; defaults to now. The event is delivered immediately in either case. */
  readonly occurredAt?: string;
  /** The change, if the type does not name it: stored, but not sent. */
  readonly change?: string | undefined;
  /** The endpoint that an alert is about: only the merchant's other endpoints get the alert. */
  readonly exceptEndpointId?: string;
}

/** An endpoint, with the facts needed to start or signal its workflow. */
export const endpointRefRow = {
  endpoint_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
};
export const endpointRef = camelCased(endpointRefRow);
export type EndpointRef = z.infer<typeof endpointRef>;

type EventListener = (eventIds: readonly string[]) => void;

const listeners = new WeakMap<Pool, EventListener>();

/** One listener per pool; it must not throw. Without one, events are delivered only after the next sweep. */
export function onEvents(pool: Pool, listener: EventListener): void {
  if (listeners.has(pool)) throw new Error('this pool already has a listener for events');
  listeners.set(pool, listener);
}

/** The same change was recorded with two different bodies: a bug that must not stay hidden. */
export class EventConflictError extends Error {
  override readonly name = 'EventConflictError';
}

/**
 * Inserts the event and its deliveries in the caller's transaction, which must be one of `inTransaction`. Missing parts
 * are null (the envelope's four) or absent (charge, invoice, refund …). Idempotent.
 * @returns the event's id
 * @throws EventConflictError if the event was recorded before with another body
 */
export async function recordEvent(tx: Transaction, event: EventToRecord): Promise<string> {
  const [id = ''] = await recordEvents(tx, [event]);
  return id;
}

const ON_REQUEST = sql.array([...SENT_ON_REQUEST], 'text');
const recordedEvent = z.object({ id: z.string(), is_new: z.boolean() });

/**
 * Like `recordEvent`, for all events of one change in one statement. All must belong to the first one's merchant.
 * @returns their ids, which derive from the changes (rule 21)
 */
export async function recordEvents(
  tx: Transaction,
  events: readonly EventToRecord[],
): Promise<readonly string[]> {
  const [first] = events;
  if (!first) return [];
  const { merchantId, environment } = first.scope;
  const contents = events.map((event) => contentOf(event.scope.merchantId, event));
  const rows = events.map((event, place) => rowOf(event, contents[place] ?? '', place));
  const trace = carrierOfActive();
  const recorded = await tx.any(
    sql.type(recordedEvent)`
    with moment as materialized (
      select service_clock() as at
    ), given as materialized (
      -- A microsecond apart, so that lists show the events of one change in order.
      select given.*, event_id(type, aggregate_id, aggregate_version) as id,
        moment.at + place * interval '1 microsecond' as at
      from (values ${sql.join(rows, sql.fragment`, `)}) as given
        (place, type, aggregate_id, aggregate_version, occurred_at, content, except_endpoint_id, change), moment
    ), inserted as (
      insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, occurred_at, body,
        change, trace)
      select id, ${merchantId}, ${environment}, type, aggregate_id, aggregate_version, coalesce(occurred_at, at),
        event_body(id, type, coalesce(occurred_at, at), content),
        change, ${trace && JSON.stringify(trace)}::jsonb
      from given
      on conflict (id) do nothing
      returning id
    ), addressed as (
      insert into deliveries (endpoint_id, event_id, status, next_attempt_at)
      select endpoint.id, given.id, case endpoint.status when 'disabled' then 'held' else 'pending' end, given.at
      from inserted join given using (id), webhook_endpoints endpoint
      where endpoint.merchant_id = ${merchantId} and endpoint.environment = ${environment}
        and endpoint.status <> 'deleted'
        and (given.type = any (endpoint.event_types)
          or endpoint.event_types is null and given.type <> all (${ON_REQUEST}))
        and endpoint.id is distinct from given.except_endpoint_id
    )${events.some(({ alert }) => alert) ? keepAlerts(first.scope, events) : NOTHING_MORE}
    select id, exists (select from inserted where inserted.id = given.id) as is_new from given order by place`,
  );
  for (const [place, { id, is_new }] of recorded.entries()) {
    const event = events[place];
    if (!is_new && event) await expectSameBody(tx, id, event, contents[place] ?? '');
  }
  const ids = recorded.map(({ id }) => id);
  afterCommit(tx, (pool) => listeners.get(pool)?.(ids));
  return ids;
}

function rowOf(event: EventToRecord, content: string, place: number) {
  const {
    type,
    aggregateId,
    aggregateVersion,
    occurredAt = null,
    exceptEndpointId = null,
    change = null,
  } = event;
  return sql.fragment`(${place}::integer, ${type}::text, ${aggregateId}::text, ${aggregateVersion}::integer,
    ${occurredAt}::timestamptz, ${content}::text, ${exceptEndpointId}::text, ${change}::text)`;
}

/** Two recordings may differ only in `occurred_at`, which the clock fills in. @throws EventConflictError */
async function expectSameBody(
  tx: Transaction,
  id: string,
  { type, aggregateId, aggregateVersion }: EventToRecord,
  content: string,
): Promise<void> {
  const isSame = await tx.exists(sql.typeAlias('void')`
    select from events
    where id = ${id} and (erased_at is not null or body = event_body(id, type, occurred_at, ${content}))`);
  if (!isSame)
    throw new EventConflictError(
      `event ${id} (${type} of ${aggregateId}, version ${aggregateVersion}) exists with another body`,
    );
}

const NOTHING_MORE = sql.fragment``;

/** Stores alerts for operators (`npm run ops -- list`), in the statement that inserts the events. */
function keepAlerts({ merchantId, environment }: Scope, events: readonly EventToRecord[]) {
  const alerts = events.flatMap(({ alert }, place) =>
    alert ? [sql.fragment`(${place}::integer, ${alert.code}, ${alert.reference})`] : [],
  );
  return sql.fragment`, kept as (
      insert into operator_alerts (event_id, code, reference, merchant_id, environment)
      select id, alert.code, alert.reference, ${merchantId}, ${environment}
      from inserted join given using (id)
        join (values ${sql.join(alerts, sql.fragment`, `)}) as alert (place, code, reference) using (place)
      -- Alerts outlive their events, which retention deletes, so an alert that is raised again may already be listed.
      on conflict (event_id) do update
      set at = case when operator_alerts.closed_at is null then operator_alerts.at else service_clock() end,
        closed_at = null
    )`;
}

/** The part of the body that does not depend on the event's id, type and time. */
export function contentOf(merchantId: string, content: Partial<EventContent>): string {
  // Parsing drops fields outside the contract and fixes the order of the keys.
  const parsed = eventContent.parse({
    ...{ customer: null, product: null, subscription: null, payment: null },
    ...content,
  });
  return JSON.stringify({ merchant_id: merchantId, ...parsed } satisfies Omit<EventDraft, 'type'>);
}
