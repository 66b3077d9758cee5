/**
 * `npm run faults -- --seed N --purchases P --minutes M`: buys, breaks everything, and checks that every promise
 * holds. Writes a page and the records to `.local/faults/`. Exit code: 1 with violations.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LOCAL_DIR } from '../../../sandbox/stack/core/directories.ts';
import { tellByFlow } from '../failpoints/by-flow.ts';
import { ALL_POINTS } from '../failpoints/points.ts';
import { tellFigures } from './figures.ts';
import { pageOf } from './page.ts';
import { runFaults } from './run.ts';
import { keepSeed, type Repeatable, shrink } from './seeds.ts';

const USAGE = `Usage: npm run faults -- [--seed <n>] [--purchases <n>] [--faults <n>] [--minutes <n>]
  [--temporal=postgres] [--restores] [--lag] [--failpoints] [--slow-beside] [--only <text>]
  [--leave-out <text>] [--keep] [--shrink]

--seed       repeats the choices of a run (default: a new seed, which is printed)
--purchases  default 100        --faults  default: one per five purchases
--minutes    time over which purchases and faults are spread (default: 2 for 100 purchases)
--temporal=postgres  the server as in production, instead of the embedded one
--restores   PostgreSQL and Temporal are also restored to an earlier instant
--lag        the rail's look-ups lag behind its calls, and its cancel does not stop them
--failpoints processes are also killed once at each named point inside their operations
--slow-beside  faults of up to a minute run concurrently with the others, as in npm run test:full
--only       only faults whose name contains this text, such as "restored", to find the one that matters
--leave-out  no faults whose name contains this text
--keep       saves a run with violations in test/faults/seeds, which npm run test:full replays
--shrink     like --keep, but first shrinks the run: one kind of fault, fewer faults, fewer purchases`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    purchases: { type: 'string', default: '100' },
    faults: { type: 'string' },
    minutes: { type: 'string' },
    temporal: { type: 'string' },
    restores: { type: 'boolean', default: false },
    lag: { type: 'boolean', default: false },
    failpoints: { type: 'boolean', default: false },
    'slow-beside': { type: 'boolean', default: false },
    only: { type: 'string' },
    'leave-out': { type: 'string' },
    keep: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const number = (name: string, given: string | undefined, otherwise: number, most: number) => {
  const value = given === undefined ? otherwise : Number(given);
  if (value >= 0 && value <= most) return value;
  console.error(`--${name} must be a number up to ${most}.\n\n${USAGE}`);
  process.exit(2);
};

const purchases = number('purchases', values.purchases, 100, 5_000);
const seed = number('seed', values.seed, Math.floor(Math.random() * 1_000_000), 4_294_967_295);
const dir = join(LOCAL_DIR, 'faults');
const file = join(dir, `seed-${seed}`);
const options: Repeatable = {
  seed,
  purchases,
  faults: number('faults', values.faults, Math.ceil(purchases / 5), 1_000),
  minutes: number('minutes', values.minutes, purchases / 50, 240),
  temporalOnPostgres: values.temporal === 'postgres',
  restores: values.restores,
  lags: values.lag,
  failpoints: values.failpoints,
  slowBeside: values['slow-beside'],
  only: values.only,
  leaveOut: values['leave-out'],
};
const tell = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
const outcome = await runFaults({ ...options, keepIn: file, tell });

mkdirSync(dir, { recursive: true });
writeFileSync(`${file}.html`, pageOf(outcome));
writeFileSync(`${file}.json`, JSON.stringify(outcome.records));
if (values.failpoints) {
  const { failpoints, deaths } = outcome;
  console.log(`${deaths} processes killed at ${failpoints.length} of ${ALL_POINTS.length} points:`);
  for (const line of tellByFlow(failpoints)) console.log(line);
}
for (const line of tellFigures(outcome)) console.log(line);
for (const { promise, subject, found } of outcome.violations) console.log(`${promise}: ${subject}: ${found}`);
console.log(`seed ${seed}: ${outcome.violations.length} violations. ${file}.html`);
if (outcome.violations.length > 0 && (values.keep || values.shrink)) {
  const again = (smaller: Repeatable) => runFaults({ ...smaller, tell });
  const smallest = values.shrink ? await shrink(options, outcome, again) : ([options, outcome] as const);
  console.log(`saved in ${keepSeed(...smallest)}`);
}
process.exitCode = outcome.violations.length === 0 ? 0 : 1;
