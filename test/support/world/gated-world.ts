/** A world whose rail answers one kind of call when a test lets it: how long tasks wait for it is the test's choice. */
import { SecretBox } from '../../../secrets/secret-box.ts';
import { TEST_SECRETS_KEY } from '../db/fixtures.ts';
import { createSessionWorld } from './checkout-world.ts';

/** Less than the local activity's time-out. */
const LONG_MS = 12_000;

export async function createGatedWorld(call: 'authorize' | 'chargeStored') {
  let gate = Promise.withResolvers<void>();
  const set = { withinTaskMs: LONG_MS, previousReleaseRuns: false };
  const secretBox = new SecretBox(TEST_SECRETS_KEY);
  Object.defineProperty(secretBox, 'previousReleaseRuns', { get: () => set.previousReleaseRuns });
  const world = await createSessionWorld({
    secretBox,
    railCallTimeoutSeconds: 30,
    withinTaskMs: () => set.withinTaskMs,
    wrapRail: (rail) => ({
      ...rail,
      [call]: async (request: never) => {
        await gate.promise;
        return rail[call](request);
      },
    }),
  });
  await world.startWorker();
  return {
    world,
    /** Changed by a test, for itself. */
    set,
    /** Lets the calls through. */
    open: () => gate.resolve(),
    /** Before each test: no call gets through, tasks wait for long, and no previous release runs. */
    reset() {
      gate = Promise.withResolvers();
      Object.assign(set, { withinTaskMs: LONG_MS, previousReleaseRuns: false });
    },
  };
}
