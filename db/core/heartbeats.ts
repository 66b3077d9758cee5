/** Heartbeats of recurring programs (table `heartbeats`): if one is missing, its program has stopped. */
import { z } from 'zod';
import { type Db, sql } from './pool.ts';

export const SWEEP = 'sweep';
/** The sweep runs every minute; after this time without a round, the sweep is late and its work overdue. */
export const LATE_AFTER_SECONDS = 300;
export const LATE_AFTER = sql.fragment`${LATE_AFTER_SECONDS} * interval '1 second'`;

export async function beat(db: Db, name: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into heartbeats (name, at) values (${name}, service_clock())
    on conflict (name) do update set at = excluded.at
  `);
}

/** Seconds since the sweep's last round; before the first round, since the installation. */
export function secondsSinceSweep(db: Db): Promise<number> {
  return db.oneFirst(secondsSince(SWEEP));
}

/** Seconds since the last heartbeat; null if there was none. */
export function secondsSinceBeat(db: Db, name: string): Promise<number | null> {
  return db.maybeOneFirst(secondsSince(name));
}

const secondsSince = (name: string) => sql.type(z.object({ seconds: z.number() }))`
  select ms_between(at, service_clock()) / 1000 as seconds from heartbeats where name = ${name}
`;
