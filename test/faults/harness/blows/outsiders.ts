/** The rail, the merchant's receiver and the operators. */
import { setTimeout as pause } from 'node:timers/promises';
import { FAULT_MODES } from '../../../../sandbox/rail/core/faults.ts';
import type { Place } from '../place/place.ts';
import type { Blow, Victims } from './blow.ts';
import { resolveDoubts, tellLies } from './people-and-lies.ts';

const RAIL_OPERATIONS = ['authorize', 'lookup', 'cancel', 'chargeStored', 'refund', 'lookupRefund', '*'];

export function blowsFromOutsiders({ place }: Victims): readonly Blow[] {
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
    { kind: 'an operator resolves', strike: () => resolveDoubts(place) },
  ];
}

async function putRailFault({ railUrl }: Place, fault: object): Promise<void> {
  await fetch(`${railUrl}/admin/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
    signal: AbortSignal.timeout(5_000),
  });
}

export async function clearRailFaults({ railUrl }: Place): Promise<void> {
  await fetch(`${railUrl}/admin/faults`, { method: 'DELETE', signal: AbortSignal.timeout(5_000) });
}
