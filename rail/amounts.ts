/**
 * Holds back an answer that money moved, when it moved another amount than the one asked about: a lost copy of the
 * database may have used the reference for other content (rule 28). Neither amount is settled.
 */
import { plainAmount } from '../domain/core/money.ts';
import type { Moved, RailOutcome, RailUnknown, RefundOutcome } from './outcomes.ts';
import type { Rail } from './rail.ts';
import type { AskedAmount } from './requests.ts';

export function holdingBackOtherAmounts(rail: Rail): Rail {
  return {
    ...rail,
    authorize: async (request) => unlessOther(request, await rail.authorize(request)),
    chargeStored: async (request) => unlessOther(request, await rail.chargeStored(request)),
    lookup: async (request) => unlessOther(request, await rail.lookup(request)),
    cancel: async (request) => unlessOther(request, await rail.cancel(request)),
    refund: async (request) => unlessOther(request, await rail.refund(request)),
    lookupRefund: async (request) => unlessOther(request, await rail.lookupRefund(request)),
  };
}

function unlessOther<Outcome extends RailOutcome | RefundOutcome>(
  asked: AskedAmount,
  outcome: Outcome,
): Outcome | RailUnknown {
  const moved = 'moved' in outcome ? outcome.moved : undefined;
  if (!moved || asked.amountCents === null || isSame(asked, moved)) return outcome;
  const detail = `the rail has ${inWords(moved)}, asked for ${inWords(asked)}`;
  return { kind: 'unknown', reason: 'other_amount', detail };
}

/** Nothing is the same in every currency. */
function isSame(asked: AskedAmount, { amountCents, currency }: Moved): boolean {
  return amountCents === asked.amountCents && (currency === asked.currency || amountCents === 0);
}

function inWords({ amountCents, currency }: AskedAmount): string {
  return plainAmount(amountCents ?? 0, currency);
}
