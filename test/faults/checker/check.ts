/**
 * Judges a run of the fault harness. A pure function of outside observations; it imports nothing of the
 * service, so that a mistake in the code cannot hide in the check.
 */
import { checkAmounts } from './amounts.ts';
import { checkClients } from './clients.ts';
import { checkCoupons } from './coupons.ts';
import { checkDisputes } from './disputes.ts';
import { checkEvents } from './events.ts';
import { factsOf, type Violation } from './facts.ts';
import { checkInside } from './inside.ts';
import { checkMoney } from './money.ts';
import type { Records } from './records.ts';
import { checkRefunds } from './refunds.ts';
import { checkStates } from './states.ts';
import { checkSums } from './sums.ts';

export type { Violation } from './facts.ts';

export function check(records: Records): readonly Violation[] {
  const facts = factsOf(records);
  return [
    ...checkMoney(facts),
    ...checkRefunds(facts),
    ...checkDisputes(facts),
    ...checkSums(facts),
    ...checkAmounts(facts),
    ...checkCoupons(facts),
    ...checkClients(facts),
    ...checkEvents(facts),
    ...checkStates(facts),
    ...checkInside(facts),
  ];
}
