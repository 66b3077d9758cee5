import { sweeping } from './proxies.ts';

/**
 * Promise: each minute, whatever was left behind is picked up: workflows not started or lost, unsent events, unapplied
 * rail news, orphaned charges.
 */
export async function sweep(): Promise<void> {
  await sweeping.sweepOnce();
}
