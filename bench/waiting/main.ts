/**
 * `npm run bench -- waiting`: what many unpaid sessions cost: memory of API, worker and Temporal, and creation while
 * they wait.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createBuyers } from '../core/buyers.ts';
import { openCrowd } from '../core/crowd.ts';
import { median } from '../core/figures.ts';
import { run } from '../core/load.ts';
import { readOptions } from '../core/options.ts';
import { memoryMiB } from '../core/process-tree.ts';
import { reported } from '../core/reported.ts';

const options = readOptions(process.argv.slice(3), {
  name: 'waiting',
  about: `Many sessions that wait for their buyers: the memory of API and worker, and POST /v1/checkouts, before and beside
them. Their workflows are in the start delay; the service's own programs open them in series with its rows. The sessions
that are created to measure wait as well: the report says how many waited before and beside. Young processes grow by
themselves: with --warm-up 700, which is about how long 100,000 sessions take to open, they are compared at their ages.`,
  operations: 300,
  atOnce: '16',
  numbers: {
    sessions: { value: 5_000, about: 'sessions that wait' },
    'warm-up': { value: 0, about: 'seconds that the processes run before the first measurement' },
  },
});
const { sessions = 1, 'warm-up': warmUp = 0 } = options.numbers;
const [atOnce = 1] = options.atOnce;
const MEASURED = ['api', 'worker', 'temporal'];
/** By then garbage from the creations is collected, and idle connections have settled. */
const SETTLED_MS = 10_000;

await reported(options, async ({ place, tell }) => {
  const buyers = createBuyers(place);
  const crowd = await openCrowd(place);
  const create = {
    name: 'create',
    async act() {
      const startedAt = performance.now();
      await buyers.create();
      return { created: performance.now() - startedAt };
    },
  };

  async function measure() {
    const p50s: number[] = [];
    const p99s: number[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const { created } = (await run(create, options.operations, atOnce)).delays;
      p50s.push(created?.p50Ms ?? Number.NaN);
      p99s.push(created?.p99Ms ?? Number.NaN);
    }
    await pause(SETTLED_MS);
    const waiting = await crowd.waiting();
    const sizes = MEASURED.map(async (name) => [name, await memoryMiB(place.pids[name] ?? 0)] as const);
    return {
      waiting,
      p50Ms: median(p50s),
      p99Ms: median(p99s),
      memoryMiB: Object.fromEntries(await Promise.all(sizes)) as Record<string, number>,
    };
  }

  await run(create, options.operations, atOnce);
  await pause(warmUp * 1_000);
  const before = await measure();
  await crowd.wait(sessions);
  const beside = await measure();
  await Promise.all([buyers.end(), crowd.end()]);
  const times = (a = Number.NaN, b = Number.NaN) => `${a.toFixed(0)} before, ${b.toFixed(0)} beside`;
  tell(`
${sessions} waiting sessions more
  waiting         ${times(before.waiting, beside.waiting)}
  create, p50 ms  ${times(before.p50Ms, beside.p50Ms)}
  create, p99 ms  ${times(before.p99Ms, beside.p99Ms)}, ratio ${(beside.p99Ms / before.p99Ms).toFixed(2)} (aim: at most 1.3)
${MEASURED.map((name) => `  memory of ${name}, MiB  ${times(before.memoryMiB[name], beside.memoryMiB[name])}`).join('\n')}`);
  const panel = (title: string, pick: (measured: typeof before) => number | undefined) => ({
    title,
    bars: [
      { label: 'before', value: pick(before) ?? 0 },
      { label: `beside ${sessions}`, value: pick(beside) ?? 0 },
    ],
  });
  return {
    figures: { sessions, warmUpSeconds: warmUp, before, beside },
    panels: [
      panel('create, p99 in ms', ({ p99Ms }) => p99Ms),
      ...MEASURED.map((name) => panel(`memory of ${name}, MiB`, ({ memoryMiB }) => memoryMiB[name])),
    ],
  };
});
