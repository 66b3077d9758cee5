/** Checks whether products belong to a merchant. */
import { z } from 'zod';
import { sql, type Transaction } from '../core/pool.ts';

export async function areOwnProducts(
  tx: Transaction,
  merchantId: string,
  productIds: readonly string[],
): Promise<boolean> {
  const known = await tx.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) from products
    where merchant_id = ${merchantId} and id = any (${sql.array([...productIds], 'text')})
  `);
  return known === new Set(productIds).size;
}
