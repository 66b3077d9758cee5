/** Runs a contestant and its floor in turns, and reports the medians of their rounds. */
import { loadavg } from 'node:os';
import { type Cost, startMeter } from './cost.ts';
import { describeMachine, median } from './figures.ts';
import { type Floor, openFloor } from './floor.ts';
import { type Contestant, type Figures, type Quantiles, run } from './load.ts';
import type { Options } from './options.ts';
import { openPlace, type Place } from './place.ts';
import { peakMemoryMiB } from './process-tree.ts';
import { type Comparison, tableOf } from './report.ts';
import { countStatements } from './statements.ts';

/** Node's parts and Temporal; PostgreSQL's sessions share most of their memory. */
const MEMORY_OF = ['api', 'worker', 'temporal'];
const WARM_UP_SHARE = 0.5;

export interface Compared {
  readonly ours: (place: Place) => Promise<{ contestant: Contestant; end(): Promise<void> }>;
  readonly floor: (floor: Floor) => Contestant;
}

export async function compare({ ours: openOurs, floor: chooseFloor }: Compared, options: Options) {
  const { rounds, operations, json } = options;
  const tell = json ? console.error : console.log;
  const machine = describeMachine();
  tell(`${machine.cpus} x ${machine.cpu}, ${machine.node}, load average ${machine.loadAverage.join(' ')}`);
  const place = await openPlace({ ...options, countStatements: options.statements });
  try {
    const floor = await openFloor(place);
    const { contestant: ours, end } = await openOurs(place);
    const bare = chooseFloor(floor);
    const measured: Comparison[] = [];
    for (const atOnce of options.atOnce) {
      const of = async (contestant: Contestant): Promise<Figures> => {
        const meter = await startMeter(place, { 'floor worker': floor.pid, driver: process.pid });
        const ran = await Promise.race([run(contestant, operations, atOnce), place.broken]);
        const figures = { ...ran, cost: await meter.read(operations) };
        tell(`${contestant.name}, ${atOnce} at once: ${figures.perSecond.toFixed(1)}/s`);
        return figures;
      };
      const warmUp = Math.ceil(operations * WARM_UP_SHARE);
      for (const contestant of [bare, ours])
        await Promise.race([run(contestant, warmUp, atOnce), place.broken]);
      const statements = options.statements ? await countStatements(place) : null;
      const [floors, all] = [[], []] as [Figures[], Figures[]];
      for (let round = 1; round <= rounds; round += 1) {
        floors.push(await of(bare));
        all.push(await of(ours));
      }
      const comparison = {
        atOnce,
        floor: medianOf(floors),
        ours: medianOf(all),
        statements: statements && (await statements(operations * rounds)),
        peakMemoryMiB: await peaksOf(place),
      };
      measured.push(comparison);
      tell(tableOf(comparison, [bare.name, ours.name]));
    }
    await end();
    await floor.end();
    const { temporalOnPostgres } = options;
    const document = {
      machine,
      loadAverageAfter: loadavg(),
      temporalOnPostgres,
      rounds,
      operations,
      measured,
    };
    if (json) console.log(JSON.stringify(document, null, 2));
  } finally {
    await place.end();
  }
}

async function peaksOf({ pids }: Place): Promise<Record<string, number>> {
  const peaks = MEMORY_OF.map(async (name) => [name, await peakMemoryMiB(pids[name] ?? 0)] as const);
  return Object.fromEntries(await Promise.all(peaks));
}

function medianOf(rounds: readonly Figures[]): Figures {
  const [first] = rounds;
  if (!first) throw new Error('no rounds');
  const middle = (pick: (figures: Figures) => number) => median(rounds.map(pick));
  const quantile = (wait: string, name: keyof Quantiles) => middle(({ delays }) => delays[wait]?.[name] ?? 0);
  const delays = Object.keys(first.delays).map((wait) => [
    wait,
    { p50Ms: quantile(wait, 'p50Ms'), p95Ms: quantile(wait, 'p95Ms'), p99Ms: quantile(wait, 'p99Ms') },
  ]);
  const cpuMs = Object.keys(first.cost.cpuMs).map((part) => [
    part,
    middle(({ cost }) => cost.cpuMs[part] ?? 0),
  ]);
  const rows: Cost['rows'] = {
    service: middle(({ cost }) => cost.rows.service),
    temporal: first.cost.rows.temporal === null ? null : middle(({ cost }) => cost.rows.temporal ?? 0),
  };
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    delays: Object.fromEntries(delays),
    cost: { cpuMs: Object.fromEntries(cpuMs), rows },
  };
}
