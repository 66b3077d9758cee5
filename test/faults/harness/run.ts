/** One run of the fault harness: starts everything, sells while the adversary strikes, waits, and checks. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { check, type Violation } from '../checker/check.ts';
import type { Records } from '../checker/records.ts';
import { armFailpoints, readFailpoints, untilReached } from '../failpoints/armed.ts';
import { ALL_POINTS, CERTAIN_POINTS } from '../failpoints/points.ts';
import { attack } from './adversary.ts';
import { collect } from './collect.ts';
import { Random } from './core/random.ts';
import { Recorder } from './core/record.ts';
import { keepEvidence } from './evidence.ts';
import { BackOffice } from './people/back-office.ts';
import { Merchant } from './people/merchant.ts';
import { LAGGING_TRUST } from './place/lagging.ts';
import { openPlace } from './place/place.ts';
import type { Plant } from './place/preloads.ts';

const AT_ONCE = 12;
const TELL_EVERY_MS = 10_000;
/** Temporal notices within ten seconds that a worker died in a task, and repeats the step. */
const REACHED_WITHIN_MS = 60_000;

export interface RunOptions {
  readonly seed: number;
  readonly purchases: number;
  readonly faults: number;
  /** Time over which purchases and faults are spread. */
  readonly minutes: number;
  readonly temporalOnPostgres?: boolean;
  readonly restores?: boolean;
  /** The rail's look-ups lag behind its calls, and its cancel binds none of them. */
  readonly lags?: boolean;
  /** Processes are also killed once at each point of `failpoints/points.ts`. */
  readonly failpoints?: boolean;
  /** The shares of the certain and of the other failpoints that are armed, from 0 to 1; each kill takes seconds. */
  readonly pointShares?: { readonly certain: number; readonly others: number };
  /** The only failpoints that are armed; the run waits for them after the last fault. */
  readonly points?: readonly string[];
  /** Only faults whose kind contains this text are used. */
  readonly only?: string | undefined;
  /** Faults whose kind contains this text are left out. */
  readonly leaveOut?: string | undefined;
  /** Numbers of faults that are left out, from 0. */
  readonly without?: readonly number[];
  /** Slow faults run concurrently with the others. */
  readonly slowBeside?: boolean;
  /** A change to the service's code as it is loaded. */
  readonly plant?: Plant;
  /** The only card that buyers use. */
  readonly card?: string | undefined;
  /** How long a session lasts. */
  readonly sessionSeconds?: number;
  /** The rail's delays before it resends a webhook; if absent, the sandbox rail's defaults. */
  readonly railRetrySeconds?: readonly number[];
  /**
   * How long open work may take to end after the last fault. The return of a charge waits up to five minutes for its
   * next look-up if none of the first look-ups was answered.
   */
  readonly settleSeconds?: number;
  /** With violations, the logs and histories involved are kept in this directory. */
  readonly keepIn?: string;
  readonly tell: (line: string) => void;
}

export interface Outcome {
  readonly records: Records;
  readonly violations: readonly Violation[];
  readonly purchases: Recorder['purchases'];
  readonly recoveries: Recorder['recoveries'];
  /** How often each operation took place. */
  readonly operations: Recorder['operations'];
  readonly settledAfterMs: number;
  /** Milliseconds from the start of the run to its last check. */
  readonly tookMs: number;
  /** The points armed, those of them at which a process was killed, and the number of processes killed. */
  readonly armed: readonly string[];
  readonly failpoints: readonly string[];
  readonly deaths: number;
}

export async function runFaults(options: RunOptions): Promise<Outcome> {
  const { seed, sessionSeconds = 60, settleSeconds = 400, tell } = options;
  const begun = performance.now();
  const dir = await mkdtemp(join(tmpdir(), 'checkout-faults-'));
  const failpointsDir = join(dir, 'failpoints');
  const recorder = new Recorder();
  const random = new Random(seed);
  tell(
    `seed ${seed}: ${options.purchases} purchases, ${options.faults} faults in ${options.minutes} minutes`,
  );
  const place = await openPlace({
    dir,
    recorder,
    isTemporalOnPostgres: options.temporalOnPostgres ?? false,
    sessionSeconds,
    ...(options.railRetrySeconds && { railRetrySeconds: options.railRetrySeconds }),
    ...(options.failpoints && { failpointsDir }),
    isLagging: options.lags ?? false,
    plants: [...(options.lags ? [LAGGING_TRUST] : []), ...(options.plant ? [options.plant] : [])],
  });
  try {
    const merchant = new Merchant(place, recorder, random.fork(), options.card);
    await merchant.offerCoupons();
    if (options.restores) await Promise.all([place.database.backUp(), place.temporal.backUp()]);
    const source = { place, recorder, merchant, seed, commit: commitOfThis() };
    const isOver = new AbortController();
    const watching = merchant.watch(isOver.signal);
    const [buying, attacking, owner] = [random.fork(), random.fork(), random.fork()];
    const drawn = random.fork();
    const { certain, others } = options.pointShares ?? { certain: 1, others: 1 };
    const isDrawn = (point: string) => drawn.chance(CERTAIN_POINTS.includes(point) ? certain : others);
    const armed = options.failpoints ? (options.points ?? ALL_POINTS.filter(isDrawn)) : [];
    if (options.failpoints) await armFailpoints(failpointsDir, armed);
    const administering = new BackOffice(place, recorder).work(owner, isOver.signal);
    const withinMs = options.minutes * 60_000;
    const {
      faults,
      restores = false,
      lags = false,
      only,
      leaveOut,
      without = [],
      slowBeside = false,
    } = options;
    await Promise.all([
      sellAll(options, merchant, buying, recorder),
      attack({
        place,
        recorder,
        merchant,
        random: attacking,
        faults,
        withinMs,
        restores,
        lags,
        only,
        leaveOut,
        without,
        slowBeside,
        tell,
      }),
    ]);
    await untilReached(failpointsDir, options.points ?? [], REACHED_WITHIN_MS);
    if (recorder.restores.length > 0) await merchant.repeatAfterRestore();
    isOver.abort();
    await Promise.all([watching, administering]);
    const lastFault = performance.now();
    const { failpoints, deaths } = await readFailpoints(failpointsDir);
    // Retried, because a process may still be writing to the folder at a failpoint.
    await rm(failpointsDir, { recursive: true, force: true, maxRetries: 20 });
    tell('no more faults: waiting for open work to end');
    const records = await settle(source, lastFault + settleSeconds * 1_000, tell);
    const settledAfterMs = Math.round(performance.now() - lastFault);
    const { purchases, recoveries } = recorder;
    const missed = records.faults.filter(({ what }) => what.startsWith('failed: '));
    const violations: readonly Violation[] = [
      ...check(records),
      ...missed.map(
        ({ kind, what }): Violation => ({ promise: 'every fault is injected', subject: kind, found: what }),
      ),
    ];
    if (violations.length > 0 && options.keepIn) await keepEvidence(place, violations, options.keepIn);
    const tookMs = Math.round(performance.now() - begun);
    return {
      records,
      violations,
      purchases,
      recoveries,
      operations: recorder.operations,
      settledAfterMs,
      tookMs,
      armed,
      failpoints,
      deaths,
    };
  } finally {
    await place.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function sellAll(
  { purchases, minutes, tell }: RunOptions,
  merchant: Merchant,
  random: Random,
  recorder: Recorder,
): Promise<void> {
  const start = performance.now();
  const open = new Set<Promise<void>>();
  let toldAt = start;
  for (let n = 0; n < purchases; n++) {
    await pause(Math.max(0, start + (minutes * 60_000 * n) / purchases - performance.now()));
    while (open.size >= AT_ONCE) await Promise.race(open);
    const sale: Promise<void> = merchant.sell(random.fork()).finally(() => open.delete(sale));
    open.add(sale);
    if (performance.now() - toldAt > TELL_EVERY_MS) {
      toldAt = performance.now();
      tell(`${n + 1} of ${purchases} purchases begun, ${recorder.purchases.length} ended`);
    }
  }
  await Promise.all(open);
}

/**
 * Waits until the checker finds nothing, or the time is up: the checker itself reports unfinished work.
 * @returns the records with histories. Also waits for events during reading: a bank that ignores a cancel charges
 * seconds after the last session has ended.
 */
async function settle(
  source: Parameters<typeof collect>[0],
  end: number,
  tell: RunOptions['tell'],
): Promise<Records> {
  let toldAt = 0;
  while (performance.now() < end) {
    const since = performance.now();
    const violations = await collect(source, false).then(check, (error: Error) => [
      { promise: 'the service answers', subject: 'the lists', found: error.message },
    ]);
    if (violations.length === 0) {
      const records = await collect(source, true);
      // An open session that has expired would be a violation after the checker's grace period, so wait until it
      // ends.
      if (records.sessions.every(({ state }) => state !== 'created') && check(records).length === 0)
        return records;
    }
    // Only another attempt closes a breaker, and all purchases have ended.
    if (violations.some(({ subject }) => subject.startsWith('rail_unavailable ')))
      await source.merchant.sellAtOnce('oneTime');
    if (performance.now() - toldAt > TELL_EVERY_MS) {
      toldAt = performance.now();
      const [first] = violations;
      tell(`${violations.length} open${first ? `, as ${first.subject}: ${first.found}` : ''}`);
    }
    // Reading everything takes seconds of CPU time, and counts against the merchant's rate limit.
    await pause(Math.max(4_000, 2 * (performance.now() - since)));
  }
  return collect(source, true);
}

function commitOfThis(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: PROJECT_DIR, encoding: 'utf8' }).trim();
}
