/**
 * `npm run bench -- expiry`: many sessions that expire at one instant, compared with bare workflows; and clicks
 * meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { watchArrivals } from '../core/arrivals.ts';
import { createBuyers } from '../core/buyers.ts';
import { oneByOne } from '../core/clicks.ts';
import { type Drained, openCrowd } from '../core/crowd.ts';
import { median, quantile } from '../core/figures.ts';
import { openFloor } from '../core/floor.ts';
import { readOptions } from '../core/options.ts';
import { reported } from '../core/reported.ts';

const options = readOptions(process.argv.slice(3), {
  name: 'expiry',
  about: `Many sessions of one merchant that expire at the same instant: how long the last one takes to end, and how late they
end. Beside it, in turns, workflows that start at one instant, run a local activity that does nothing, and end. Clicks
of another merchant's buyers, one after another, before the instant and until the last session has ended.`,
  operations: 10,
  atOnce: '1',
  numbers: {
    sessions: { value: 1_000, about: 'sessions that expire' },
    lead: { value: 60, about: 'seconds to open them in' },
  },
});
const { sessions = 1, lead = 1 } = options.numbers;

await reported(options, async ({ place, tell }) => {
  const floor = await openFloor(place);
  const arrivals = await watchArrivals(place);
  const buyers = createBuyers(place, arrivals);
  const clicks = oneByOne(buyers);
  const crowd = await openCrowd(place);

  async function expire(atMs: number) {
    await crowd.expireAt(atMs, sessions);
    const quiet = await clicks.some(options.operations);
    await pause(Math.max(0, atMs - Date.now()));
    const { result: drained, delays: beside } = await clicks.beside(crowd.untilDrained(atMs));
    return { drained, quiet, beside };
  }

  const rounds: { floor: Drained; ours: Drained; quiet: number[]; beside: readonly number[] }[] = [];
  await clicks.some(options.operations);
  for (let round = 1; round <= options.rounds; round += 1) {
    const { drained } = await floor.expireAt(Date.now() + lead * 1_000, sessions);
    const bare = await drained;
    tell(`bare: ${sessions} ended in ${bare.seconds.toFixed(1)} s`);
    const { drained: ours, quiet, beside } = await expire(Date.now() + lead * 1_000);
    rounds.push({ floor: bare, ours, quiet, beside });
    tell(`sessions: ${sessions} ended in ${ours.seconds.toFixed(1)} s`);
  }
  await Promise.all([arrivals.end(), buyers.end(), crowd.end(), floor.end()]);

  const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  const rate = ({ seconds }: Drained) => sessions / seconds;
  const late = (share: number) => middle(({ ours }) => quantile([...ours.lateMs], share));
  const figures = {
    sessions,
    barePerSecond: middle(({ floor }) => rate(floor)),
    perSecond: middle(({ ours }) => rate(ours)),
    lateMs: { p50: late(0.5), p95: late(0.95), p99: late(0.99) },
    clickQuietP50Ms: middle(({ quiet }) => median(quiet)),
    clickBesideP50Ms: middle(({ beside }) => median(beside)),
    clicksBeside: middle(({ beside }) => beside.length),
  };
  tell(`
${sessions} sessions that expire at one instant
  ended per second          ${figures.perSecond.toFixed(1)}, bare ${figures.barePerSecond.toFixed(1)}, ratio ${(figures.perSecond / figures.barePerSecond).toFixed(2)} (aim: 0.6)
  late, p50 / p95 / p99 ms  ${[0.5, 0.95, 0.99].map((share) => late(share).toFixed(0)).join(' / ')}
  click to answer, p50 ms   ${figures.clickQuietP50Ms.toFixed(0)} before, ${figures.clickBesideP50Ms.toFixed(0)} meanwhile (${figures.clicksBeside} clicks)`);
  return {
    figures,
    panels: [
      {
        title: 'ended a second',
        bars: [
          { label: 'bare workflows', value: figures.barePerSecond },
          { label: 'sessions', value: figures.perSecond },
        ],
      },
      {
        title: 'click to answer, p50 in ms',
        bars: [
          { label: 'before', value: figures.clickQuietP50Ms },
          { label: 'meanwhile', value: figures.clickBesideP50Ms },
        ],
      },
    ],
  };
});
