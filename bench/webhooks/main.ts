/**
 * `npm run bench -- webhooks`: our delivery beside graphile-worker with the same signed request from the same
 * database in the same run, and beside a plain loop. Three figures each: a backlog drained, published and
 * delivered at once, and the delay from commit to receipt at 100 events a second.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Contestant, deliverEvents, graphileWorker, sampleBody } from './contestants.ts';
import { cpuSeconds } from './cpu.ts';
import { type Arrival, nowMs } from './messages.ts';
import { type Place, preparePlace } from './place.ts';

const DRAINED = Number(process.env.BENCH_DRAINED ?? 10_000);
const PUBLISHED = Number(process.env.BENCH_PUBLISHED ?? 5_000);
const PUBLISHERS = 8;
const STEADY_PER_SECOND = 100;
const STEADY_SECONDS = Number(process.env.BENCH_STEADY_SECONDS ?? 15);

interface Figures {
  readonly drainedPerSecond: number;
  readonly atOncePerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const place = await preparePlace();
try {
  const scope = await place.openShop(place.urls.good);
  const body = await sampleBody(place.pool, scope);
  const plain = await plainLoop(place, body);
  console.log(`plain loop: ${round(plain)} requests a second (no database, no retry, no record)`);
  const theirs = await measure(place, graphileWorker(place.pool, body));
  const ours = await measure(place, deliverEvents(place.pool, place.client, scope));
  print(plain, theirs, ours);
  await measureNeighbours(place);
} finally {
  await place.end();
}

async function plainLoop(at: Place, body: string): Promise<number> {
  const child = await at.start('plain-loop.ts', { BENCH_BODY: body, BENCH_COUNT: `${DRAINED}` });
  const stopped = child.next('stopped');
  child.order({ kind: 'start' });
  const { sent = 0, seconds = 1 } = await stopped;
  child.kill();
  return sent / seconds;
}

async function measure(at: Place, contestant: Contestant): Promise<Figures> {
  at.receiver.forget();
  await contestant.fill(DRAINED);
  const child = await at.start(contestant.script);
  const drainCost = await cpuMeter(at, child);
  // Ours has to be told; graphile-worker polls at its start.
  await contestant.publish();
  const drained = await untilArrived(at, DRAINED + 1);
  const drainCpu = await drainCost(DRAINED);
  const drainedPerSecond = DRAINED / ((drained.lastMs - drained.firstMs) / 1_000);

  at.receiver.forget();
  const atOnceCost = await cpuMeter(at, child);
  const startedMs = nowMs();
  await Promise.all(
    Array.from({ length: PUBLISHERS }, () => repeat(PUBLISHED / PUBLISHERS, contestant.publish)),
  );
  const atOnce = await untilArrived(at, PUBLISHED);
  const atOnceCpu = await atOnceCost(PUBLISHED);
  const atOncePerSecond = PUBLISHED / ((atOnce.lastMs - startedMs) / 1_000);

  await pause(2_000);
  at.receiver.forget();
  const committed = await publishSteadily(contestant);
  const { arrivals } = await untilArrived(at, committed.size);
  const sorted = delays(arrivals, committed);
  const stopped = child.next('stopped');
  child.order({ kind: 'stop' });
  await stopped;
  child.kill();
  const figures = {
    drainedPerSecond,
    atOncePerSecond,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  };
  console.log(
    `${contestant.name}: drained ${round(drainedPerSecond)}/s, published and delivered at once ${round(atOncePerSecond)}/s, ` +
      `commit to receipt at ${STEADY_PER_SECOND}/s: p50 ${round(figures.p50Ms)} ms, p99 ${round(figures.p99Ms)} ms; ` +
      `CPU per delivery drained: ${drainCpu}; at once: ${atOnceCpu}`,
  );
  return figures;
}

/** @returns a function that says what was used since then, per delivery */
async function cpuMeter({ pids }: Place, sender: { readonly pid: number }) {
  const [before, databaseBefore, publisherBefore] = await used();
  return async (deliveries: number): Promise<string> => {
    const [after, databaseAfter, publisherAfter] = await used();
    const ms = (from: number, to: number) => `${(((to - from) * 1_000) / deliveries).toFixed(2)} ms`;
    return `sender ${ms(before, after)}, PostgreSQL ${ms(databaseBefore, databaseAfter)}, publisher ${ms(publisherBefore, publisherAfter)}`;
  };

  async function used(): Promise<[number, number, number]> {
    const { user, system } = process.cpuUsage();
    return [await cpuSeconds(sender.pid), await cpuSeconds(pids.postgres), (user + system) / 1e6];
  }
}

/** Ten endpoints alone, then the same ten beside five that are dead and five that hang. */
async function measureNeighbours(at: Place): Promise<void> {
  const child = await at.start('ours.ts');
  const open = async (url: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => deliverEvents(at.pool, at.client, await at.openShop(url))),
    );
  const good = await open(at.urls.good, 10);
  const bad = [...(await open(at.urls.dead, 5)), ...(await open(at.urls.hanging, 5))];
  // The first deliveries start workflows and open connections.
  at.receiver.forget();
  await Promise.all(good.map(({ publish }) => publish()));
  await untilArrived(at, good.length);
  const alone = await delaysOf(at, good, []);
  await Promise.all(bad.map(({ publish }) => publish()));
  await Promise.all(good.map(({ publish }) => publish()));
  await pause(4_000);
  const among = await delaysOf(at, good, bad);
  child.kill();
  const [before, after] = [quantile(alone, 0.99), quantile(among, 0.99)];
  console.log(
    `ten endpoints at ${STEADY_PER_SECOND}/s: p99 ${round(before)} ms alone, ${round(after)} ms beside five dead and ` +
      `five hanging ones that get as much: ratio ${(after / before).toFixed(2)} (aim: at most 1.2)`,
  );
}

async function delaysOf(
  at: Place,
  good: readonly Contestant[],
  bad: readonly Contestant[],
): Promise<number[]> {
  at.receiver.forget();
  const [committed] = await Promise.all([
    publishSteadily(...good),
    bad.length > 0 ? publishSteadily(...bad) : undefined,
  ]);
  const { arrivals } = await untilArrived(at, committed.size, committed);
  return delays(arrivals, committed);
}

/** In turn, at the steady rate. @returns when each event's transaction was committed */
async function publishSteadily(...contestants: readonly Contestant[]): Promise<Map<string, number>> {
  const committed = new Map<string, number>();
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < STEADY_PER_SECOND * STEADY_SECONDS; i += 1) {
    await pause(Math.max(0, startedAt + (i * 1_000) / STEADY_PER_SECOND - performance.now()));
    const contestant = contestants[i % contestants.length];
    if (contestant)
      pending.push(contestant.publish().then((eventId) => void committed.set(eventId, nowMs())));
  }
  await Promise.all(pending);
  return committed;
}

function delays(arrivals: readonly Arrival[], committed: ReadonlyMap<string, number>): number[] {
  const all = arrivals.flatMap(({ eventId, atMs }) => {
    const committedAt = committed.get(eventId);
    return committedAt === undefined ? [] : [Math.max(0, atMs - committedAt)];
  });
  return all.sort((a, b) => a - b);
}

/** @param of only these; absent: all that arrive */
async function untilArrived({ receiver }: Place, count: number, of?: ReadonlyMap<string, number>) {
  for (;;) {
    const arrivals = await receiver.arrivals();
    const ids = new Set(arrivals.map(({ eventId }) => eventId).filter((id) => !of || of.has(id)));
    if (ids.size >= count) {
      const times = arrivals.map(({ atMs }) => atMs);
      return {
        arrivals,
        firstMs: Math.min(...times.slice(0, 1)),
        lastMs: times.reduce((a, b) => Math.max(a, b), 0),
      };
    }
    await pause(100);
  }
}

async function repeat(count: number, action: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i += 1) await action();
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function print(plain: number, theirs: Figures, ours: Figures): void {
  const ratio = (a: number, b: number) => (a / b).toFixed(2);
  console.log(
    [
      '',
      `deliverEvents / graphile-worker, drained: ${ratio(ours.drainedPerSecond, theirs.drainedPerSecond)}`,
      `deliverEvents / graphile-worker, at once: ${ratio(ours.atOncePerSecond, theirs.atOncePerSecond)}`,
      `deliverEvents / plain loop, drained: ${ratio(ours.drainedPerSecond, plain)}`,
      `p99 from commit to receipt: ${round(ours.p99Ms)} ms against ${round(theirs.p99Ms)} ms (aim: below 150 ms)`,
    ].join('\n'),
  );
}

function round(value: number): number {
  return Math.round(value);
}
