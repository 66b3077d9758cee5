/** The amount and the charge affected by an operator's command. */
import { z } from 'zod';
import type { Subject } from '../../contract/operations/subjects.ts';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { openChargeOf } from '../payment/resolve-requests.ts';

const openCharge = camelCased({ payment_id: z.string(), amount: z.number() });
export interface AtStake {
  /** Cents of the open charge, which may differ from the subscription's current price. */
  readonly amount: number;
  /** The open charge of a session or subscription, if there is one. */
  readonly paymentId: string | null;
}

export async function atStake(db: Db, { id, amount }: Subject): Promise<AtStake> {
  const open = await db.maybeOne(sql.type(openCharge)`
    select id as payment_id, amount from payments where id = ${openChargeOf(id)}
  `);
  return open ?? { amount: amount ?? 0, paymentId: null };
}
