/** Settles pending charges that are due. */
import { type Charge, lockDueCharges } from '../db/charges.ts';
import { type Db, inTransaction, type Pool } from '../db/pool.ts';
import { approve, decline } from '../operations/settle.ts';

const BATCH = 50;

/** @returns number of charges settled */
export async function settleDueCharges(pool: Pool): Promise<number> {
  return inTransaction(pool, async (db) => {
    const due = await lockDueCharges(db, BATCH);
    for (const charge of due) await settle(db, charge);
    return due.length;
  });
}

async function settle(db: Db, charge: Charge): Promise<Charge> {
  return charge.settlesAs === 'approve' ? approve(db, charge) : decline(db, charge, 'do_not_honor');
}
