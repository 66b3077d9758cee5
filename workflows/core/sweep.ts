import { sweeping } from './proxies.ts';

/**
 * The promise, each minute: nothing is left behind. Unstarted and lost workflows, unsent events, rail news
 * that nobody judged, charges that were not returned.
 */
export async function sweep(): Promise<void> {
  await sweeping.sweepOnce();
}
