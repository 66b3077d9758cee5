/** Processes that die, freeze, run with another clock, and are deployed. */
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../core/random.ts';
import type { Supervised } from '../place/process.ts';
import { type Blow, measure, type Victims } from './blow.ts';

/** Longer than a call to the rail and a client's time-out. */
const FROZEN_MS = [6_000, 14_000] as const;
/** Longer than every time-out, including those of Temporal's clients and of activities. */
const FROZEN_LONG_MS = [20_000, 60_000] as const;
const HEALTHY_WITHIN_MS = 60_000;

/** From Debian's package faketime; without it, no run moves a clock. */
const FAKETIME = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
  .map((dir) => `${dir}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));
const OFFSETS = ['+90s', '-90s', '+1d', '-1d'];

export function blowsToProcesses({ place, recorder, builds, isLong }: Victims): readonly Blow[] {
  const serving = [...place.apis, ...place.workers];
  const kill = async (random: Random, of: readonly Supervised[]) => {
    const victim = random.pick(of);
    victim.kill();
    await measure(recorder, `${victim.name} is killed, until it is healthy`, () =>
      victim.untilHealthy(HEALTHY_WITHIN_MS),
    );
    return victim.name;
  };
  const killBoth = async () => {
    for (const worker of place.workers) worker.kill();
    await measure(recorder, 'both workers are killed, until one is healthy', () =>
      Promise.race(place.workers.map((worker) => worker.untilHealthy(HEALTHY_WITHIN_MS))),
    );
    return 'both';
  };
  const freeze = async (random: Random, forMs: readonly [number, number]) => {
    const victim = random.pick([...serving, place.rail]);
    victim.freeze();
    await pause(random.between(...forMs));
    victim.thaw();
    return victim.name;
  };
  /**
   * Moves the wall clock of one process in one step, as when its machine's clock is set. Timers continue
   * normally.
   */
  const moveClock = async (random: Random) => {
    const [victim, offset] = [random.pick(serving), random.pick(OFFSETS)];
    const wrong = { LD_PRELOAD: FAKETIME ?? '', FAKETIME: offset, DONT_FAKE_MONOTONIC: '1' };
    await victim.restart('SIGKILL', wrong);
    await pause(random.between(8_000, 16_000));
    await victim.restart('SIGKILL', {});
    await victim.untilHealthy(HEALTHY_WITHIN_MS);
    return `${victim.name} by ${offset}`;
  };
  /** Deploys one process after the other, as in a rolling update. */
  const deploy = async () => {
    for (const each of serving) {
      await each.restart('SIGTERM', {});
      await each.untilHealthy(HEALTHY_WITHIN_MS);
    }
    return 'each process';
  };
  const deployBuild = async (random: Random) => {
    const [first, last] = random.shuffle(place.workers);
    if (!first || !last) throw new Error('rolling out a build needs two workers');
    await builds.begin(first);
    await pause(random.between(2_000, 8_000));
    await builds.finish(last);
    return `${first.name} first`;
  };
  return [
    { kind: 'SIGKILL of a worker', isMeasured: true, strike: (random) => kill(random, place.workers) },
    { kind: 'SIGKILL of an API', isMeasured: true, strike: (random) => kill(random, place.apis) },
    { kind: 'SIGKILL of anything', strike: (random) => kill(random, [...serving, place.rail]) },
    { kind: 'SIGKILL of both workers', strike: killBoth },
    { kind: 'SIGSTOP', strike: (random) => freeze(random, FROZEN_MS) },
    ...(isLong
      ? [{ kind: 'SIGSTOP for long', strike: (random: Random) => freeze(random, FROZEN_LONG_MS) }]
      : []),
    { kind: 'a deployment', isSlow: true, strike: deploy },
    { kind: 'another build', isSlow: true, strike: deployBuild },
    ...(FAKETIME
      ? [{ kind: 'a clock is moved', isSlow: true as const, strike: (random: Random) => moveClock(random) }]
      : []),
  ];
}
