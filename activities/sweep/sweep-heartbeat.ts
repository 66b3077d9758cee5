/** Each round of the sweep stores a heartbeat; its absence alerts (rule 27). */
import type { Db } from '../../db/core/pool.ts';
import { beat, secondsSinceBeat } from '../../db/session/session-sweep.ts';

const NAME = 'sweep';

export function beatOfSweep(db: Db): Promise<void> {
  return beat(db, NAME);
}

/** Null before the first one. */
export function secondsSinceSweep(db: Db): Promise<number | null> {
  return secondsSinceBeat(db, NAME);
}
