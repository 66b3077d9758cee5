import type { Pool } from '../../../db/core/pool.ts';
import { liftFence as lift } from '../../../db/restore/fence.ts';
import { skipLostNumbers } from '../../../db/restore/invoice-numbers.ts';

/** As the restore does: no invoice number is given before the lost ones were skipped. */
export async function liftFence(pool: Pool, epoch: number): Promise<void> {
  await skipLostNumbers(pool, epoch);
  await lift(pool, epoch);
}
