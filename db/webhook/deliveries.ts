/**
 * Leases of deliveries (rule 23): a token for a short time, no lock held during the HTTP request. Results are in
 * `delivery-results.ts`.
 */
import { z } from 'zod';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { sealedSecrets, secretsAt } from './encrypted-secrets.ts';

const leased = camelCased({
  event_id: z.string(),
  body: z.string(),
  /** All attempts so far, for the header, and those in the current round of the schedule. */
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
  /** Longer than an attempt can take. */
  readonly leaseSeconds: number;
}

/**
 * Leases due deliveries, oldest due first; none unless the endpoint is enabled and its missed deliveries are held.
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
