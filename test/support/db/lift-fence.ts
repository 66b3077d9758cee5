import type { Pool } from '../../../db/core/pool.ts';
import { liftFence as lift } from '../../../db/restore/fence.ts';
import { skipLostNumbers } from '../../../db/restore/invoice-numbers.ts';

/** Like the restore: no invoice number is issued before the lost ones were skipped. */
export async function liftFence(pool: Pool, epoch: number): Promise<void> {
  await skipLostNumbers(pool, epoch);
  await lift(pool, epoch);
}
