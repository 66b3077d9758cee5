/** Runs contestants alternately, and reports the medians of their rounds. */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { medianCost, rowsAreCounted, startMeter } from './cost.ts';
import { announceMachine, median } from './figures.ts';
import { type Floor, openFloor } from './floor.ts';
import { type Contestant, type Figures, type Quantiles, run } from './load.ts';
import type { Options } from './options.ts';
import { conditionsOf, drawPicture, panelsOf } from './picture.ts';
import { openPlace, type Place } from './place.ts';
import { peakMemoryMiB } from './process-tree.ts';
import { type Comparison, tableOf } from './report.ts';
import { countStatements } from './statements.ts';

/** Without PostgreSQL, whose processes share most of their memory. */
const MEMORY_OF = ['api', 'worker', 'temporal'];
const WARM_UP_SHARE = 0.5;

export interface Contest {
  /** The floors to compare with. */
  readonly others: readonly Contestant[];
  readonly ours: Contestant;
  end(): Promise<void>;
}

export async function compare(open: (place: Place, floor: Floor) => Promise<Contest>, options: Options) {
  const { rounds, operations, json, temporalOnPostgres } = options;
  const tell = json ? console.error : console.log;
  const machine = announceMachine(tell);
  const place = await openPlace({ ...options, countStatements: options.statements });
  try {
    const floor = await openFloor(place);
    const contest = await open(place, floor);
    const measured: Comparison[] = [];
    for (const atOnce of options.atOnce) {
      const comparison = await measure({ place, floor, contest, atOnce, tell }, options);
      measured.push(comparison);
      tell(tableOf(comparison));
    }
    await contest.end();
    await floor.end();
    const loadAverageAfter = loadavg();
    tell(`load average afterwards ${loadAverageAfter.map((load) => load.toFixed(2)).join(' ')}`);
    const { howMany } = options;
    const document = {
      machine,
      loadAverageAfter,
      temporalOnPostgres,
      howMany,
      rounds,
      operations,
      measured,
    };
    if (options.svg) {
      const picture = { title: options.name, conditions: conditionsOf(options, machine, loadAverageAfter) };
      await writeFile(options.svg, drawPicture({ ...picture, panels: panelsOf(measured) }));
    }
    if (json) console.log(JSON.stringify(document, null, 2));
  } finally {
    await place.end();
  }
}

interface Setting {
  readonly place: Place;
  readonly floor: Floor;
  readonly contest: Contest;
  readonly atOnce: number;
  tell(line: string): void;
}

async function measure(setting: Setting, { rounds, operations, statements }: Options): Promise<Comparison> {
  const { place, contest, atOnce } = setting;
  const { ours } = contest;
  const all = [...contest.others, ours];
  const warmUp = Math.ceil(operations * WARM_UP_SHARE);
  for (const contestant of all) {
    await contestant.prepare?.(warmUp);
    await Promise.race([run(contestant, warmUp, atOnce), place.broken]);
  }
  const counting = statements ? await countStatements(place) : null;
  // Wait, so that no round includes remaining work of the warm-up or of the set-up of the statement counts.
  await rowsAreCounted();
  const figures = new Map(all.map((contestant) => [contestant, [] as Figures[]]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [contestant, its] of figures) its.push(await oneRound(setting, contestant, operations));
  }
  return {
    atOnce,
    contestants: [...figures].map(([{ name }, its]) => ({ name, figures: medianOf(its) })),
    statements: counting && (await counting(operations * rounds)),
    peakMemoryMiB: await peaksOf(place),
  };
}

async function oneRound(
  { place, floor, atOnce, tell }: Setting,
  contestant: Contestant,
  operations: number,
): Promise<Figures> {
  const pids = { 'floor worker': floor.pid };
  if (contestant.prepare) {
    await contestant.prepare(operations);
    await rowsAreCounted();
  }
  const meter = await startMeter(place, pids);
  const ran = await Promise.race([run(contestant, operations, atOnce), place.broken]);
  const figures = { ...ran, cost: await meter.read(operations) };
  tell(`${contestant.name}, ${atOnce} at once: ${figures.perSecond.toFixed(1)}/s`);
  return figures;
}

async function peaksOf({ pids }: Place): Promise<Record<string, number>> {
  const counted = Object.entries(pids).filter(([name]) => MEMORY_OF.includes(name.replace(/-\d+$/, '')));
  const peaks = counted.map(async ([name, pid]) => [name, await peakMemoryMiB(pid)] as const);
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
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    delays: Object.fromEntries(delays),
    cost: medianCost(rounds.map(({ cost }) => cost)),
  };
}
