/** The rail, the banks, the merchant's receiver and the operators. */
import { setTimeout as pause } from 'node:timers/promises';
import { FAULT_MODES } from '../../../../sandbox/rail/core/faults.ts';
import type { LedgerEntry } from '../../checker/records.ts';
import type { Random } from '../core/random.ts';
import { atRail, ledgerOf, putRailFault } from '../place/at-rail.ts';
import type { Place } from '../place/place.ts';
import type { Blow, Victims } from './blow.ts';
import { tellLies } from './lies.ts';
import { operate } from './operators.ts';

const RAIL_OPERATIONS = ['authorize', 'lookup', 'cancel', 'chargeStored', 'refund', 'lookupRefund', '*'];

export function blowsFromOutsiders({ place, merchant }: Victims): readonly Blow[] {
  return [
    {
      kind: 'the rail fails',
      async strike(random) {
        const fault = {
          operation: random.pick(RAIL_OPERATIONS),
          mode: random.pick(FAULT_MODES),
          count: random.between(1, 6),
          delayMs: random.between(500, 6_000),
        };
        await putRailFault(place, fault);
        return JSON.stringify(fault);
      },
    },
    { kind: 'the rail lies', strike: (random) => tellLies(place, random) },
    {
      kind: 'the receiver fails',
      async strike(random) {
        const status = random.pick([0, 500, 503, 302, 200]);
        const delayMs = random.pick([0, 0, 3_000, 6_000]);
        place.receiver.behave(status, delayMs);
        await pause(random.between(3_000, 9_000));
        place.receiver.behave(200, 0);
        return `${status} after ${delayMs} ms`;
      },
    },
    { kind: 'an operator resolves', strike: () => operate(place) },
    { kind: 'banks dispute', strike: (random) => dispute(place, random) },
    {
      kind: 'banks dispute charges during refunds',
      strike: (random) =>
        dispute(place, random, ({ reference: paymentId, amount }) =>
          merchant.refund({ paymentId, amount: random.between(1, amount) }, random.chance(0.5)),
        ),
    },
  ];
}

/**
 * The bank disputes a paid charge; it decides some disputes immediately, and leaves the others open.
 * @param beside runs at the same moment
 */
async function dispute(
  place: Place,
  random: Random,
  beside: (charge: LedgerEntry) => Promise<void> = async () => {},
): Promise<string> {
  const account = place.merchant.railAccountId;
  const charges = (await ledgerOf(place)).filter(
    ({ operation, amount }) => operation !== 'refund' && amount > 0,
  );
  const told: string[] = [];
  for (const charge of random.shuffle(charges).slice(0, 3)) {
    const { reference } = charge;
    const status = random.pick(['won', 'lost', 'open']);
    const opening = atRail(place, 'POST', '/admin/disputes', { account, reference });
    const [opened] = await Promise.all([opening, beside(charge)]);
    if (opened.status === 201 && status !== 'open')
      await atRail(place, 'POST', '/admin/disputes/decision', { account, reference, status });
    told.push(`${reference} is ${opened.status === 201 ? status : opened.status}`);
  }
  return told.join(', ') || 'nobody has paid';
}
