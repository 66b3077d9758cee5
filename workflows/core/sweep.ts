import { sweeping } from './proxies.ts';
import type { SweepResult } from './sweep-messages.ts';

/**
 * Promise: each minute, whatever was left behind is picked up: workflows not started or lost, unsent events, unapplied
 * rail news, orphaned charges. A restored database is fenced.
 */
export async function sweep(): Promise<SweepResult> {
  return sweeping.sweepOnce();
}
