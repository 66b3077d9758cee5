/** Locks rows from a separate connection, like a stuck transaction. */
import { type Pool, sql } from '../../../db/core/pool.ts';

/** @param rows `table where …` @returns a function that releases the lock */
export async function holdLock(
  pool: Pool,
  rows: ReturnType<typeof sql.fragment>,
): Promise<() => Promise<void>> {
  const [locked, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`select from ${rows} for update`);
    locked.resolve();
    await unlocked.promise;
  });
  await Promise.race([locked.promise, holding]);
  return () => {
    unlocked.resolve();
    return holding;
  };
}

export const invoiceCounterOf = (merchantId: string) =>
  sql.fragment`invoice_counters where merchant_id = ${merchantId}`;
