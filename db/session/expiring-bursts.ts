/** Finds merchants whose sessions expire faster than workers end them (docs/rules.md, rule 42). */
import { z } from 'zod';
import { type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';

/** Size of a burst. Smaller ones are ignored: workers end them within a second or two. */
const BURST = 50;
/** Maximum number of rows to read, enough to find the largest bursts. */
const LOOKED_AT = 5_000;

const merchant = z.object({ merchant_id: z.string() });

/** @returns the ids of merchants with a burst of unpaid sessions that have been due for a second or more */
export function merchantsWithBursts(db: Db): Promise<readonly string[]> {
  return db.anyFirst(sql.type(merchant)`
    select merchant_id from (
      select merchant_id from checkouts
      where state = 'created' and state not in ('succeeded', 'failed')
        and next_action_at < ${NOW} - interval '1 second'
      order by next_action_at limit ${LOOKED_AT}
    ) due
    group by merchant_id having count(*) >= ${BURST}
  `);
}
