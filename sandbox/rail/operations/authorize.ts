/** An on-session charge. A reference is charged at most once, whatever the key. */

import { Refusal } from '../core/refusal.ts';
import { cardByName, type FirstCharge } from '../core/test-cards.ts';
import type { Account } from '../db/accounts.ts';
import { type Charge, insertCharge, lockCharge, setChallenge, setPending } from '../db/charges.ts';
import type { Db } from '../db/pool.ts';
import { spendToken } from '../db/tokens.ts';
import { approve, decline } from './settle.ts';
import { announceCharge } from './webhooks.ts';

export interface Authorize {
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly token: string;
  readonly quantity: number | null;
  readonly saveMandate: boolean;
  readonly challengeReturnUrl: string;
}

export async function authorize(
  db: Db,
  account: Account,
  request: Authorize,
  settleAfterMs: number,
): Promise<Charge> {
  const { reference, amount, currency } = request;
  const earlier = await lockCharge(db, account.id, reference);
  if (earlier) return sameCharge(earlier, request);
  const token = await spendToken(db, account.id, request.token, reference);
  const charge = await insertCharge(db, {
    accountId: account.id,
    operation: 'authorize',
    reference,
    amount,
    currency,
    cardName: token?.cardName ?? null,
    method: token?.method ?? null,
    quantity: request.quantity,
    saveMandate: request.saveMandate,
    challengeReturnUrl: request.challengeReturnUrl,
  });
  // A concurrent call inserted the reference first; it has committed, since the insert waited for it.
  if (!charge) return authorize(db, account, request, settleAfterMs);
  if (!token) return decline(db, charge, 'token_invalid');
  return firstCharge(db, charge, cardByName(token.cardName).first, settleAfterMs);
}

/** A tombstone answers `cancelled`, so that a cancel also stops an authorize that arrives after it. */
function sameCharge(earlier: Charge, { amount, currency, reference }: Authorize): Charge {
  if (earlier.operation === 'tombstone') return earlier;
  if (earlier.amount === amount && earlier.currency === currency) return earlier;
  throw new Refusal(409, 'reference_conflict', `${reference} has been used with a different amount`);
}

async function firstCharge(
  db: Db,
  charge: Charge,
  behaviour: FirstCharge,
  settleAfterMs: number,
): Promise<Charge> {
  switch (behaviour.kind) {
    case 'approve':
    case 'drop':
      return approve(db, charge);
    case 'decline':
      return decline(db, charge, behaviour.code);
    case 'challenge':
      return told(db, await setChallenge(db, charge));
    case 'pend':
      return told(db, await setPending(db, charge, behaviour.endsIn, settleAfterMs));
    case 'ignoreCancel':
      return told(db, await setPending(db, charge, null, null));
  }
}

async function told(db: Db, charge: Charge): Promise<Charge> {
  await announceCharge(db, charge);
  return charge;
}
