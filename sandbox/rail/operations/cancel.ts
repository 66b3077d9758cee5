/** Cancels an open charge. An approved or declined charge is unchanged; the answer shows which. */
import { cardByName } from '../core/test-cards.ts';
import type { Account } from '../db/accounts.ts';
import { type Charge, insertTombstone, lockCharge, setCancelled } from '../db/charges.ts';
import type { Db } from '../db/pool.ts';
import { announceCharge } from './webhooks.ts';

export async function cancel(
  db: Db,
  account: Account,
  reference: string,
  settleAfterMs: number,
): Promise<Charge> {
  const charge = await lockCharge(db, account.id, reference);
  if (!charge) {
    const tombstone = await insertTombstone(db, account.id, reference);
    // A concurrent authorize inserted the charge between the two statements: retry against it.
    return tombstone ?? cancel(db, account, reference, settleAfterMs);
  }
  if (charge.status !== 'pending' && charge.status !== 'requires_action') return charge;
  const cancelled = await setCancelled(db, charge, ignoresCancel(charge) ? settleAfterMs : null);
  await announceCharge(db, cancelled);
  return cancelled;
}

function ignoresCancel({ cardName }: Charge): boolean {
  return cardName !== null && cardByName(cardName).first.kind === 'ignoreCancel';
}
