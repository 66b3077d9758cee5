/** The amount that an operator's command concerns. */

import { z } from 'zod';
import type { Subject } from '../../contract/operations/subjects.ts';
import { type Db, sql } from '../core/pool.ts';

/** @returns cents. A subscription's is that of its open charge: its price may have changed since. */
export async function amountAtStake(db: Db, { kind, id, amount }: Subject): Promise<number> {
  const open =
    kind === 'subscription' &&
    (await db.maybeOneFirst(sql.type(z.object({ amount: z.number() }))`
      select p.amount from subscriptions s join payments p on p.id = s.open_payment_id where s.id = ${id}`));
  return open || (amount ?? 0);
}
