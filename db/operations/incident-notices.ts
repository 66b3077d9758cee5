/** The outbox of messages to operators about incidents (table `incident_notices`). */
import { z } from 'zod';
import { NOTIFIED_KINDS } from '../../contract/operations/incident-kinds.ts';
import { beat, secondsSinceBeat } from '../core/heartbeats.ts';
import { camelCased, type Db, type Pool, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { groupContent, groupsOf, type IncidentGroup, type OpenGroup, openGroup } from './incident-groups.ts';
import { listIncidents } from './incidents.ts';

/** With more incidents than this, no group ends: an incident missing from the truncated list may still be open. */
const MOST_INCIDENTS = 10_000;
const HEARTBEAT = 'incident_notices';
const KEPT = sql.fragment`interval '90 days'`;

/** A group with new incidents is reported again once it has grown by this factor. */
const GROWTH = 10;
/**
 * A group that has grown by a smaller factor is reported again after this time, which is also when docs/on-call.md
 * pages for money in doubt.
 */
const QUIET = sql.fragment`interval '30 minutes'`;
/**
 * Merchants whose incidents of a kind begin within this time after a group was opened join that group; one message at
 * the end of this time counts them all.
 */
const JOINING = sql.fragment`interval '10 minutes'`;

const DUE = sql.fragment`(notified_at is null or (cleared_at is null and notified_at < counted_at)
  or (cleared_at is not null and cleared_sent_at is null))`;

/**
 * Compares the current incidents with the stored groups: a new group gets a row, a group with new incidents gets their
 * ids, and a group without open incidents gets its end. While a message about a group is due, its ids do not change.
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
    const found = await listIncidents(tx, { kinds: NOTIFIED_KINDS, limit: MOST_INCIDENTS });
    const open = await tx.any(sql.type(openGroup)`
      select id, kind, environment, subjects, opened_at > ${NOW} - ${JOINING} as is_joined
      from incident_notices where cleared_at is null order by opened_at, id`);
    const isComplete = found.length < MOST_INCIDENTS;
    const groups = groupsOf(found, open, isComplete);
    await store(tx, groups);
    if (isComplete) await endOthers(tx, open, groups);
    await tx.query(sql.typeAlias('void')`
      delete from incident_notices where cleared_at < ${NOW} - ${KEPT} and not ${DUE}`);
  });
}

async function store(tx: Db, groups: readonly IncidentGroup[]): Promise<void> {
  const found = sql.fragment`
    jsonb_to_recordset(${sql.jsonb(groups as object)}) as found
      (id text, kind text, environment text, subjects text[], content jsonb, ids text[])`;
  await tx.query(sql.typeAlias('void')`
    update incident_notices notified set subjects = found.subjects
    from ${found} where notified.id = found.id and notified.subjects <> found.subjects`);
  await tx.query(sql.typeAlias('void')`
    update incident_notices notified
    set content = found.content, ids = found.ids, counted_at = service_clock()
    from ${found}
    where notified.id = found.id and notified_at >= counted_at and not found.ids <@ notified.ids
      and (cardinality(found.ids) >= ${GROWTH} * cardinality(notified.ids) or counted_at < ${NOW} - ${QUIET}
        or (counted_at < opened_at + ${JOINING} and opened_at + ${JOINING} <= ${NOW}))`);
  await tx.query(sql.typeAlias('void')`
    insert into incident_notices (kind, environment, subjects, content, ids)
    select kind, environment, subjects, content, ids from ${found} where id is null`);
}

function endOthers(tx: Db, open: readonly OpenGroup[], groups: readonly IncidentGroup[]) {
  const current = new Set(groups.map(({ id }) => id));
  const ended = open.filter(({ id }) => !current.has(id)).map(({ id }) => id);
  return tx.query(sql.typeAlias('void')`
    update incident_notices set cleared_at = service_clock() where id = any (${sql.array(ended, 'text')})`);
}

async function wasJustNow(db: Db, everySeconds: number): Promise<boolean> {
  const seconds = await secondsSinceBeat(db, HEARTBEAT);
  return seconds !== null && seconds >= 0 && seconds < everySeconds;
}

const claimed = camelCased({
  id: z.string(),
  what: z.enum(['opened', 'grown', 'cleared']),
  content: groupContent,
  count: z.number(),
  at: z.string(),
  attempts: z.number(),
  clock: z.number(),
});
export type DueNotice = z.infer<typeof claimed>;

/** The wait before the next attempt, also used as the lease: it must be longer than an attempt. */
const WAIT = sql.fragment`least(300, 20 * 2 ^ least(attempts, 4)) * interval '1 second'`;

/**
 * Claims the oldest due notice for 20 s. A group's "cleared" is sent after its "opened".
 *
 * @returns null if nothing is due
 */
export function claimNotice(db: Db): Promise<DueNotice | null> {
  return db.maybeOne(sql.type(claimed)`
    update incident_notices set next_attempt_at = service_clock() + ${WAIT}, attempts = attempts + 1
    where id = (
      select id from incident_notices where ${DUE} and next_attempt_at <= ${NOW}
      order by next_attempt_at, id limit 1 for update skip locked)
    returning id, content, cardinality(ids) as count, attempts - 1 as attempts,
      case when notified_at is null then 'opened' when cleared_at is null then 'grown' else 'cleared' end as what,
      case when notified_at is null or cleared_at is null then counted_at else cleared_at end as at,
      (unix_ms(service_clock()) / 1000)::integer as clock
  `);
}

/** @param error null if the receiver accepted the notice */
export async function recordNoticeSent(
  db: Db,
  { id, what }: Pick<DueNotice, 'id' | 'what'>,
  error: string | null,
): Promise<void> {
  if (error !== null) {
    await db.query(sql.typeAlias('void')`update incident_notices set last_error = ${error} where id = ${id}`);
    return;
  }
  await db.query(sql.typeAlias('void')`
    update incident_notices
    set notified_at = service_clock(), attempts = 0, next_attempt_at = service_clock(), last_error = null,
      cleared_sent_at = case when ${what === 'cleared'}::boolean then service_clock() else cleared_sent_at end
    where id = ${id}`);
}
