/** Breaks one part, waits, repairs it, and repeats; the seed determines what and when. */
import { setTimeout as pause } from 'node:timers/promises';
import { openTemporal } from '../../../platform/temporal/client.ts';
import { blowsToAccounts } from './blows/accounts.ts';
import type { Blow } from './blows/blow.ts';
import { Builds } from './blows/builds.ts';
import { blowsByClicks } from './blows/clicks.ts';
import { blowsOfDoubt } from './blows/doubts.ts';
import { blowsToEndpoints } from './blows/endpoints.ts';
import { blowsToLinks } from './blows/links.ts';
import { blowsFromOutsiders } from './blows/outsiders.ts';
import { blowsToProcesses } from './blows/processes.ts';
import { restores } from './blows/restores.ts';
import { blowsToRuns } from './blows/runs.ts';
import { blowsToServers } from './blows/servers.ts';
import type { Random } from './core/random.ts';
import { now, type Recorder } from './core/record.ts';
import type { Merchant } from './people/merchant.ts';
import { clearRailFaults } from './place/at-rail.ts';
import type { Place } from './place/place.ts';

/** Number of tries per fault: an API that was killed twice takes half a minute to recover on a busy machine. */
const STRIKES = 9;
const BETWEEN_STRIKES_MS = 5_000;
/** A run of at least this length has time for faults of up to a minute. */
const LONG_RUN_MS = 240_000;

export interface AdversaryOptions {
  readonly place: Place;
  readonly recorder: Recorder;
  readonly merchant: Merchant;
  readonly random: Random;
  readonly faults: number;
  /** The time over which the faults are spread. */
  readonly withinMs: number;
  readonly restores: boolean;
  /** True if the rail lags: frozen for longer than its declared lag, it may still receive a call. */
  readonly lags: boolean;
  /** Kinds whose name contains this text; if absent, all. */
  readonly only: string | undefined;
  /** Kinds whose name contains this text are left out; if absent, none. */
  readonly leaveOut: string | undefined;
  /** Numbers of faults that are left out, from 0; the others keep their instant and their choices. */
  readonly without: readonly number[];
  /**
   * Slow faults run alongside the others, one at a time; otherwise a fault begins when the previous one ends.
   */
  readonly slowBeside: boolean;
  readonly tell: (line: string) => void;
}

export async function attack(options: AdversaryOptions): Promise<void> {
  const { place, recorder, merchant, random, faults, withinMs, without, slowBeside, tell } = options;
  const client = openTemporal({ address: `127.0.0.1:${place.temporal.port}`, namespace: 'default' });
  const builds = new Builds(place);
  const unfinished: Promise<unknown>[] = [];
  const isLong = withinMs >= LONG_RUN_MS && !options.lags;
  const isLeftOut = (kind: string) => options.leaveOut !== undefined && kind.includes(options.leaveOut);
  const victims = { place, recorder, merchant, client, builds, unfinished, isLong };
  const blows = [
    ...blowsToProcesses(victims),
    ...blowsToServers(victims),
    ...blowsToLinks(victims),
    ...blowsFromOutsiders(victims),
    ...blowsToRuns(victims),
    ...blowsByClicks(victims),
    ...blowsToAccounts(victims),
    ...blowsOfDoubt(victims),
    ...blowsToEndpoints(victims),
    ...(options.restores ? restores(victims) : []),
  ].filter(({ kind }) => kind.includes(options.only ?? '') && !isLeftOut(kind));
  const start = performance.now();
  const strikeInTurn = async (planned: readonly (readonly [number, Planned])[]) => {
    for (const [n, { blow, part, choices }] of planned) {
      await pause(Math.max(0, start + withinMs * part - performance.now()));
      const at = now();
      const what = await strike(blow, choices);
      recorder.faults.push({ number: n, kind: blow.kind, what, at, until: now() });
      tell(`fault ${n + 1} of ${faults}: ${blow.kind}, ${what}`);
    }
  };
  try {
    const plan = [...planOf(blows, faults, random).entries()].filter(([n]) => !without.includes(n));
    const { slow = [], others = [] } = Object.groupBy(plan, ([, { blow }]) =>
      slowBeside && blow.isSlow ? 'slow' : 'others',
    );
    await Promise.all([strikeInTurn(slow), strikeInTurn(others)]);
    await Promise.all(unfinished);
  } finally {
    for (const link of place.links) link.heal();
    place.receiver.behave(200, 0);
    await clearRailFaults(place).catch(() => {});
    await builds.makeCurrent();
    await client.connection.close();
  }
}

interface Planned {
  readonly blow: Blow;
  /** Position within the time over which the faults are spread, from 0 to 1. */
  readonly part: number;
  readonly choices: Random;
}

/** No kind occurs twice before each has occurred once. Measured kinds come first, so that every run includes them. */
export function planOf(blows: readonly Blow[], faults: number, random: Random): readonly Planned[] {
  if (blows.length === 0) throw new Error('No fault has that name.');
  const isMeasured = (blow: Blow) => Number(blow.isMeasured ?? false);
  const first = random.shuffle(blows).toSorted((one, other) => isMeasured(other) - isMeasured(one));
  const drawn = random.shuffle(first.slice(0, faults));
  while (drawn.length < faults) drawn.push(...random.shuffle(blows));
  return drawn.slice(0, faults).map((blow, n) => ({
    blow,
    part: (n + random.next()) / faults,
    choices: random.fork(),
  }));
}

/**
 * Retries after a failure: on a busy machine the answer may come too late, and after a kill at a failpoint the process
 * may be down.
 */
async function strike(blow: Blow, choices: Random): Promise<string> {
  let failure = '';
  for (let n = 0; n < STRIKES; n++) {
    try {
      return await blow.strike(choices);
    } catch (error) {
      failure = (error as Error).message;
      await pause(BETWEEN_STRIKES_MS);
    }
  }
  return `failed: ${failure}`;
}
