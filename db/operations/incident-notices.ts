/** The outbox of messages to operators about incidents (table `incident_notices`). */
import { z } from 'zod';
import { foundIncident } from '../../contract/operations/incidents.ts';
import { beat, secondsSinceBeat } from '../core/heartbeats.ts';
import { camelCased, type Db, type Pool, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { listIncidents } from './incidents.ts';

/** Longer lists are not compared: an incident missing from a truncated list may still be open. */
const MOST_INCIDENTS = 10_000;
const HEARTBEAT = 'incident_notices';
const KEPT = sql.fragment`interval '90 days'`;

const DUE = sql.fragment`(opened_sent_at is null or (cleared_at is not null and cleared_sent_at is null))`;

/**
 * Compares the current incidents with the stored ones: a new incident gets a row, and one that has ended gets its end.
 *
 * @param everySeconds minimum time since the last comparison by any worker
 */
export function noteIncidents(pool: Pool, everySeconds = 0): Promise<void> {
  return pool.transaction(async (tx) => {
    const isMine = await tx.oneFirst(
      sql.type(z.object({ mine: z.boolean() }))`
        select pg_try_advisory_xact_lock(hashtext('incident_notices')) as mine`,
    );
    if (!isMine || (await wasJustNow(tx, everySeconds))) return;
    await beat(tx, HEARTBEAT);
    const found = await listIncidents(tx, { limit: MOST_INCIDENTS });
    const incidents = sql.jsonb(found.map((each) => ({ ...each })));
    await tx.query(sql.typeAlias('void')`
      insert into incident_notices (kind, subject_id, incident)
      select distinct on (i ->> 'kind', i ->> 'id') i ->> 'kind', i ->> 'id', i
      from jsonb_array_elements(${incidents}) i
      on conflict (kind, subject_id) where cleared_at is null do nothing`);
    if (found.length < MOST_INCIDENTS) {
      await tx.query(sql.typeAlias('void')`
        update incident_notices set cleared_at = service_clock()
        where cleared_at is null and (kind, subject_id) not in (
          select i ->> 'kind', i ->> 'id' from jsonb_array_elements(${incidents}) i)`);
    }
    await tx.query(sql.typeAlias('void')`
      delete from incident_notices where cleared_at < ${NOW} - ${KEPT} and not ${DUE}`);
  });
}

async function wasJustNow(db: Db, everySeconds: number): Promise<boolean> {
  const seconds = await secondsSinceBeat(db, HEARTBEAT);
  return seconds !== null && seconds >= 0 && seconds < everySeconds;
}

const claimed = camelCased({
  id: z.string(),
  incident: foundIncident,
  is_opening: z.boolean(),
  at: z.string(),
  attempts: z.number(),
  clock: z.number(),
});
export type DueNotice = z.infer<typeof claimed>;

/** The wait before the next attempt. It also serves as the lease, so it must be longer than an attempt. */
const WAIT = sql.fragment`least(300, 20 * 2 ^ least(attempts, 4)) * interval '1 second'`;

/**
 * Claims the oldest due notice for 20 s. An incident's "cleared" is sent after its "opened".
 *
 * @returns null if nothing is due
 */
export function claimNotice(db: Db): Promise<DueNotice | null> {
  return db.maybeOne(sql.type(claimed)`
    update incident_notices set next_attempt_at = service_clock() + ${WAIT}, attempts = attempts + 1
    where id = (
      select id from incident_notices where ${DUE} and next_attempt_at <= ${NOW}
      order by next_attempt_at, id limit 1 for update skip locked)
    returning id, incident, opened_sent_at is null as is_opening,
      case when opened_sent_at is null then opened_at else cleared_at end as at, attempts - 1 as attempts,
      (unix_ms(service_clock()) / 1000)::integer as clock
  `);
}

/** @param error null if the receiver accepted the notice */
export async function recordNoticeSent(
  db: Db,
  { id, isOpening }: Pick<DueNotice, 'id' | 'isOpening'>,
  error: string | null,
): Promise<void> {
  if (error !== null) {
    await db.query(sql.typeAlias('void')`update incident_notices set last_error = ${error} where id = ${id}`);
    return;
  }
  await db.query(sql.typeAlias('void')`
    update incident_notices
    set opened_sent_at = coalesce(opened_sent_at, service_clock()),
      cleared_sent_at = case when ${isOpening}::boolean then cleared_sent_at else service_clock() end,
      attempts = 0, next_attempt_at = service_clock(), last_error = null
    where id = ${id}`);
}
