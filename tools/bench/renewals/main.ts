/**
 * `npm run bench -- renewals`: subscriptions whose periods end at the same instant or one after another, with
 * clicks in parallel.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { watchArrivals } from '../core/arrivals.ts';
import { createBuyers } from '../core/buyers.ts';
import { oneByOne } from '../core/clicks.ts';
import { medianCost, startMeter } from '../core/cost.ts';
import { median, quantile } from '../core/figures.ts';
import { openFloor } from '../core/floor.ts';
import { readOptions } from '../core/options.ts';
import { cpuLine, statementsOf } from '../core/report.ts';
import { reported } from '../core/reported.ts';
import { countStatements } from '../core/statements.ts';
import { openSubscribers } from './subscribers.ts';

const options = readOptions(process.argv.slice(3), {
  name: 'renewals',
  about: `Renews the subscriptions of one merchant, whose periods end at the same instant or one after another (--over 3600
for an hour). Measures the time until the last charge is settled and how late each charge is. Without --over, it
alternates with as many workflows that start at one instant, run an empty local activity and end. Meanwhile buyers of
another merchant click Pay one after another, until the last charge is settled or the last bare workflow has ended.`,
  operations: 10,
  atOnce: '1',
  numbers: {
    subscriptions: { value: 200, about: 'subscriptions that renew' },
    over: { value: 0, about: 'seconds in which their periods end; 0: at one instant' },
    lead: { value: 30, about: 'seconds to wake them in; at least 40 ms for each of them' },
  },
});
const { subscriptions = 1, over = 0, lead: leadAtLeast = 1 } = options.numbers;
/** Each wake-up is a workflow task: 10,000 took more than two minutes on two cores. */
const lead = Math.max(leadAtLeast, 0.04 * subscriptions);
/** A bare workflow needs only one request. */
const bareLead = Math.max(leadAtLeast, 0.01 * subscriptions);

await reported(options, async ({ place, tell }) => {
  const floor = await openFloor(place);
  const arrivals = await watchArrivals(place);
  const buyers = createBuyers(place, arrivals);
  const clicks = oneByOne(buyers);
  const subscribers = await openSubscribers(place, arrivals);
  await clicks.some(options.operations);
  await subscribers.open(subscriptions);
  tell(`${subscriptions} subscriptions are open`);

  /** The bare workflows, with the same clicks at the same time. */
  async function drainBare() {
    const atMs = Date.now() + bareLead * 1_000;
    const { drained } = await floor.expireAt(atMs, subscriptions);
    await pause(Math.max(0, atMs - Date.now()));
    const { result, delays } = await clicks.beside(drained);
    return { ...result, beside: delays };
  }

  async function renew() {
    const quiet = await clicks.some(options.operations);
    const atMs = Date.now() + lead * 1_000;
    await subscribers.dueAt(atMs, over);
    const counting = options.statements ? await countStatements(place) : null;
    await pause(Math.max(0, atMs - Date.now()));
    const meter = await startMeter(place, {});
    const { result: ours, delays: beside } = await clicks.beside(
      subscribers.untilRenewed(atMs, subscriptions),
    );
    const cost = await meter.read(subscriptions);
    if (counting) tell(statementsOf(await counting(subscriptions)).join('\n'));
    return { ours, quiet, beside, cost };
  }

  const floors: Awaited<ReturnType<typeof drainBare>>[] = [];
  const rounds: Awaited<ReturnType<typeof renew>>[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    if (over === 0) {
      const bare = await drainBare();
      tell(`bare: ended in ${bare.seconds.toFixed(1)} s`);
      floors.push(bare);
    }
    const renewed = await renew();
    tell(`renewals: settled in ${renewed.ours.seconds.toFixed(1)} s`);
    rounds.push(renewed);
  }
  await Promise.all([arrivals.end(), buyers.end(), subscribers.end(), floor.end()]);

  const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  const late = (share: number) => middle(({ ours }) => quantile([...ours.lateMs], share));
  const figures = {
    subscriptions,
    overSeconds: over,
    /** Null with --over. */
    bare:
      floors.length === 0
        ? null
        : {
            perSecond: median(floors.map(({ seconds }) => subscriptions / seconds)),
            clickBesideP50Ms: median(floors.map(({ beside }) => median(beside))),
          },
    perSecond: middle(({ ours: { seconds } }) => subscriptions / seconds),
    lateMs: { p50: late(0.5), p95: late(0.95), p99: late(0.99) },
    clickQuietP50Ms: middle(({ quiet }) => median(quiet)),
    clickBesideP50Ms: middle(({ beside }) => median(beside)),
    clicksBeside: middle(({ beside }) => beside.length),
    /** Per renewal, including the cost of the parallel clicks. */
    cost: medianCost(rounds.map(({ cost }) => cost)),
  };
  const { bare, perSecond, clickQuietP50Ms, clickBesideP50Ms } = figures;
  const besideBare =
    bare && `${bare.perSecond.toFixed(1)}, ratio ${(perSecond / bare.perSecond).toFixed(2)} (aim: 0.4)`;
  tell(`
${subscriptions} renewals ${over === 0 ? 'at one instant' : `in ${over} s`}
  settled per second        ${perSecond.toFixed(1)}${besideBare ? `, bare ${besideBare}` : ''}
  late, p50 / p95 / p99 ms  ${[0.5, 0.95, 0.99].map((share) => late(share).toFixed(0)).join(' / ')}
  click to answer, p50 ms   ${clickQuietP50Ms.toFixed(0)} before, ${clickBesideP50Ms.toFixed(0)} during the renewals (aim: at most twice), ${figures.clicksBeside} clicks${bare ? `; ${bare.clickBesideP50Ms.toFixed(0)} beside the bare workflows` : ''}
  CPU ms a renewal          ${cpuLine(figures.cost)}
  rows written a renewal    ${figures.cost.rows.service.toFixed(1)}, in Temporal's database ${figures.cost.rows.temporal?.toFixed(1) ?? 'not measured'}`);
  const bar = (label: string, value: number) => ({ label, value });
  return {
    figures,
    panels: [
      {
        title: 'settled a second',
        bars: [...(bare ? [bar('bare workflows', bare.perSecond)] : []), bar('renewals', perSecond)],
      },
      {
        title: 'click to answer, p50 in ms',
        bars: [
          bar('before', clickQuietP50Ms),
          ...(bare ? [bar('beside bare workflows', bare.clickBesideP50Ms)] : []),
          bar('beside renewals', clickBesideP50Ms),
        ],
      },
    ],
  };
});
