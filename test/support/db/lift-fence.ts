import type { Pool } from '../../../db/core/pool.ts';
import { liftFence as lift } from '../../../db/restore/fence.ts';
import { skipLostNumbers } from '../../../db/restore/skip-lost-numbers.ts';

/** Lifts the fence as a restore does: after the lost invoice numbers have been skipped. */
export async function liftFence(pool: Pool, epoch: number): Promise<void> {
  await skipLostNumbers(pool, epoch);
  await lift(pool, epoch);
}
