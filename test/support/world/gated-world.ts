/**
 * A world whose rail answers one kind of call when a test releases it, so that the test decides how long tasks wait.
 */
import { createSessionWorld } from './checkout-world.ts';

/** Less than the local activity's time-out. */
const LONG_MS = 12_000;

export async function createGatedWorld(call: 'authorize' | 'chargeStored') {
  let gate = Promise.withResolvers<void>();
  const set = { withinTaskMs: LONG_MS };
  const world = await createSessionWorld({
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
    /** Can be changed by a test. */
    set,
    /** Lets the calls through. */
    open: () => gate.resolve(),
    /** Call it before each test: no call gets through, and tasks wait for `LONG_MS`. */
    reset() {
      gate = Promise.withResolvers();
      set.withinTaskMs = LONG_MS;
    },
  };
}
