/** The service and the rail have the same disputes of each charge: their statuses and amounts. */
import { type Facts, groupBy, type Violation } from './facts.ts';

/** A webhook about a dispute reaches the service within this time. */
const WEBHOOK_MS = 60_000;

interface Compared {
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
}

export function checkDisputes({ railDisputes, disputes, listed, restores }: Facts): Violation[] {
  // A restored database looks up lost disputes only some time after the fence was lifted.
  const mayBeLost = (createdAt: string) =>
    restores.some(
      ({ target, at }) => createdAt <= at && Date.parse(createdAt) >= Date.parse(target) - WEBHOOK_MS,
    );
  const atRail = groupBy(railDisputes, ({ reference }) => reference);
  const here = groupBy(disputes, ({ payment_id }) => payment_id);
  return [...new Set([...atRail.keys(), ...here.keys()])].flatMap((paymentId) => {
    const theirs = atRail.get(paymentId) ?? [];
    const ours = here.get(paymentId) ?? [];
    if (inWords(theirs) === inWords(ours) || listed.has(paymentId)) return [];
    if (ours.length < theirs.length && theirs.some(({ createdAt }) => mayBeLost(createdAt))) return [];
    const found = `${inWords(ours)} here, ${inWords(theirs)} at the rail`;
    return [{ promise: 'disputes agree with the rail', subject: paymentId, found }];
  });
}

function inWords(disputes: readonly Compared[]): string {
  const each = disputes.map(({ status, amount, currency }) => `${status} ${amount} ${currency}`);
  return each.sort().join(', ') || 'none';
}
