/** Each round of the sweep stores a heartbeat; a missing heartbeat alerts (rule 27). */
import { beat, secondsSinceBeat } from '../../db/core/heartbeats.ts';
import type { Db } from '../../db/core/pool.ts';

const NAME = 'sweep';

export function beatOfSweep(db: Db): Promise<void> {
  return beat(db, NAME);
}

/** @returns null before the first heartbeat */
export function secondsSinceSweep(db: Db): Promise<number | null> {
  return secondsSinceBeat(db, NAME);
}
