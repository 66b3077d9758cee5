/** A rail that finds a charge only after a while, and whose cancel is not final until then, like Stripe's search. */
import type { Plant } from './preloads.ts';

/** How long the rail's look-ups lag. */
export const LAG_SECONDS = 3;

/** Longer than a call can be held up on its way by a frozen connection and a frozen rail together. */
const DECLARED_LAG_MS = 30_000;

/** Makes the adapter declare the lag. */
export const LAGGING_TRUST: Plant = {
  file: 'rail/sandbox/index.ts',
  find: 'cancelHolds: true, lookupLagMs: 0, searchLagMs: 0 }',
  replace: `cancelHolds: false, lookupLagMs: ${DECLARED_LAG_MS}, searchLagMs: ${DECLARED_LAG_MS} }`,
};
