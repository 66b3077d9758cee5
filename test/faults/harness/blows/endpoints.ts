/** The merchant's owner pauses an endpoint for a while, and resends one of its events. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../core/random.ts';
import { askAsOwner } from '../people/as-owner.ts';
import type { Blow, Victims } from './blow.ts';

/** How long the endpoint stays paused; events of purchases wait for its end. */
const PAUSED_MS = [4_000, 9_000] as const;
/** Longer than a restore of the database takes. */
const WITHIN_MS = 240_000;

export function blowsToEndpoints(victims: Victims): readonly Blow[] {
  return [{ kind: 'an endpoint is paused', strike: (random) => holdEvents(victims, random) }];
}

async function holdEvents(desk: Victims, random: Random): Promise<string> {
  const endpoint = `/webhook-endpoints/${desk.place.merchant.endpointId}`;
  const setStatus = async (status: 'paused' | 'enabled') => {
    const answer = await askAsOwner(desk, 'PATCH', endpoint, { status }, WITHIN_MS);
    if (answer.status !== 200) throw new Error(`${endpoint} is not ${status}: ${answer.status}`);
  };
  await askAsOwner(desk, 'POST', `${endpoint}/test`);
  const heldMs = random.between(...PAUSED_MS);
  try {
    await setStatus('paused');
    const { body } = await askAsOwner(desk, 'GET', '/webhook-events');
    const eventId = random.pick<{ id: string }>(body.data).id;
    await Promise.all([pause(heldMs), askAsOwner(desk, 'POST', `/webhook-events/${eventId}/resend`, {})]);
    return `for ${heldMs} ms, and ${eventId} is sent again`;
  } finally {
    await setStatus('enabled');
  }
}
