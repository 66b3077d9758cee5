/** Sends a request as the merchant's owner, with the owner's log-in. */

import type { Recorder } from '../core/record.ts';
import type { Place } from '../place/place.ts';
import { type Answer, type Call, sendUntilAnswered } from './calls.ts';

const WITHIN_MS = 30_000;

interface Desk {
  readonly place: Place;
  readonly recorder: Recorder;
}

/** @param path below the merchant's */
export function askAsOwner(
  { place, recorder }: Desk,
  method: Call['method'],
  path: string,
  body?: object,
  withinMs = WITHIN_MS,
): Promise<Answer> {
  const { apiUrl, merchant } = place;
  const call = {
    method,
    url: `${apiUrl}/v1/merchants/${merchant.id}${path}`,
    headers: { authorization: `Bearer ${merchant.ownerToken}` },
    ...(body && { body }),
  };
  return sendUntilAnswered(recorder, call, withinMs);
}
