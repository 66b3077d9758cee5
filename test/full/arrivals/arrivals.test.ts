/**
 * Messages to real workflows, six in a row, in any order. The commit hash seeds which orders are played; override
 * with ARRIVALS_SEED=<n>. ARRIVALS=all plays every order, with ARRIVALS_DEPTH=<n> those of fewer messages.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Random } from '../../faults/harness/core/random.ts';
import { seedOfCommit } from '../../support/core/seed-of-commit.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { explore, inParallel, type Machine, play } from './explore.ts';
import { keepBreakerClosed, ScriptedRail } from './scripted-rail.ts';
import { RAIL_CALL_TIMEOUT_SECONDS, SessionMachine, scriptOfClick, TIMINGS } from './session-messages.ts';
import { SubscriptionMachine, SubscriptionScripts } from './subscription-messages.ts';

const DEPTH = Number(process.env.ARRIVALS_DEPTH ?? 6);
/** Orders of six that a run without ARRIVALS=all plays: some 20 s of CPU time. */
const SAMPLE = 24;
const seed = Number(process.env.ARRIVALS_SEED ?? seedOfCommit());

let world: SessionWorld;
const scripts = new SubscriptionScripts();
const rail = new ScriptedRail(
  async (paymentId) => (await scripts.of(world, paymentId)) ?? (await scriptOfClick(world, paymentId)),
);

beforeAll(async () => {
  world = await createSessionWorld({
    timings: TIMINGS,
    railCallTimeoutSeconds: RAIL_CALL_TIMEOUT_SECONDS,
    wrapRail: rail.wrap,
  });
  await keepBreakerClosed(world.pool);
  await world.startWorker();
});
afterAll(() => world.close());

test('a checkout charges once and ends, in whichever order its messages arrive', async () => {
  await judge(new SessionMachine(world, rail));
}, 3_600_000);

test('a subscription charges each period once, in whichever order its messages arrive', async () => {
  await judge(await SubscriptionMachine.open(world, rail, scripts));
}, 7_200_000);

async function judge<Letter extends string, Thing>(machine: Machine<Letter, Thing>): Promise<void> {
  const { letters } = machine;
  const orders = `${letters.length ** DEPTH} orders of ${DEPTH} of ${letters.length} messages`;
  if (process.env.ARRIVALS === 'all') {
    const { states, transitions, runs } = await explore(machine, DEPTH, tell);
    tell(`${orders} lead to ${states} states, by ${transitions} transitions: played in ${runs} runs`);
    return;
  }
  const random = new Random(seed);
  const sample = Array.from({ length: SAMPLE }, () =>
    Array.from({ length: DEPTH }, () => random.pick(letters)),
  );
  await inParallel(sample, async (order) => {
    expect(await play(machine, order)).toHaveLength(DEPTH + 1);
  });
  tell(`${SAMPLE} played of ${orders}, ARRIVALS_SEED=${seed}`);
}

function tell(line: string): void {
  process.stderr.write(`arrivals: ${line}\n`);
}
