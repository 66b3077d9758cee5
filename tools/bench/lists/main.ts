/**
 * `npm run bench -- lists`: whole lists compared with bare Express and pg, and new sessions while big lists are read.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { announceMachine, median, quantile } from '../core/figures.ts';
import { stopwatch } from '../core/load.ts';
import { openPlace, type Place } from '../core/place.ts';
import { cpuSeconds, peakMemoryMiB } from '../core/process-tree.ts';
import { fillLists, type Merchant } from './merchants.ts';

const HELP = `Usage: npm run bench -- lists [options]

Starts the whole service in a separate directory. GET /v1/payments of 100, 10,000 and <rows> payments, alternating
with the same SQL on bare Express and pg: rows a second, CPU time per 1,000 rows, peak memory. Then POST
/v1/checkouts, one after another: alone, beside one big list and beside three, all of the same API process.

  --rows <n>          of the longest list (default 500000)
  --rounds <n>        each figure is the median of this many rounds (default 3)
  --posts <n>         new sessions in a round (default 100)
  --temporal <which>  postgres or development (default development: lists do not use it)
  --json              one JSON document on standard output at the end
  --help              this text`;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rows: { type: 'string', default: '500000' },
    rounds: { type: 'string', default: '3' },
    posts: { type: 'string', default: '100' },
    temporal: { type: 'string', default: 'development' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);

if (values.help) console.log(HELP);
else await measure();

async function measure(): Promise<void> {
  const machine = announceMachine();
  const place = await openPlace({
    temporalOnPostgres: values.temporal === 'postgres',
    countStatements: false,
  });
  const bare = fork(join(import.meta.dirname, 'bare.ts'), {
    env: { ...process.env, BENCH_DATABASE_URL: place.databases.service },
  });
  try {
    const [port] = await once(bare, 'message');
    const merchants = await fillLists(place, Number(values.rows));
    const lists = [];
    for (const merchant of merchants) lists.push(await compareLists(place, merchant, bare, port));
    const memoryMiB = {
      api: await peakMemoryMiB(place.pids.api ?? 0),
      bare: await peakMemoryMiB(bare.pid ?? 0),
    };
    const posts = await postsBesideLists(place, merchants.at(-1) as Merchant);
    if (values.json) console.log(JSON.stringify({ machine, lists, memoryMiB, posts }, null, 2));
    else print(lists, memoryMiB, posts);
  } finally {
    bare.kill();
    await place.end();
  }
}

interface Read {
  readonly rowsPerSecond: number;
  readonly cpuMsPer1000: number;
}

async function compareLists(place: Place, merchant: Merchant, bare: ChildProcess, port: number) {
  const ours = { url: `${place.dev.apiUrl}/v1/payments`, pid: place.pids.api ?? 0 };
  const floor = { url: `http://127.0.0.1:${port}/${merchant.id}`, pid: bare.pid ?? 0 };
  const measured = { ours: [] as Read[], floor: [] as Read[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, each] of Object.entries({ floor, ours })) {
      const read = await readList(each, merchant);
      // The first round warms up.
      if (round > 0) measured[name as keyof typeof measured].push(read);
    }
  }
  const of = (reads: readonly Read[]) => ({
    rowsPerSecond: median(reads.map(({ rowsPerSecond }) => rowsPerSecond)),
    cpuMsPer1000: median(reads.map(({ cpuMsPer1000 }) => cpuMsPer1000)),
  });
  return { rows: merchant.rows, ours: of(measured.ours), floor: of(measured.floor) };
}

/** Short lists are read repeatedly for a second. */
async function readList({ url, pid }: { url: string; pid: number }, merchant: Merchant): Promise<Read> {
  const before = (await cpuSeconds({ pid })).pid;
  const elapsedMs = stopwatch();
  let rows = 0;
  do {
    await readToEnd(url, merchant);
    rows += merchant.rows;
  } while (elapsedMs() < 1_000);
  const seconds = elapsedMs() / 1_000;
  const cpuMs = ((await cpuSeconds({ pid })).pid - before) * 1_000;
  return { rowsPerSecond: rows / seconds, cpuMsPer1000: (cpuMs / rows) * 1_000 };
}

async function readToEnd(url: string, merchant: Merchant, signal?: AbortSignal): Promise<void> {
  const answer = await request(url, {
    headers: { authorization: `Bearer ${merchant.apiKey}` },
    ...(signal && { signal }),
  });
  if (answer.statusCode === 429) {
    // The previous round's readers have disconnected, but the service may not have noticed yet.
    await answer.body.dump();
    await pause(100);
    return readToEnd(url, merchant, signal);
  }
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${await answer.body.text()}`);
  await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
}

async function postsBesideLists(place: Place, merchant: Merchant) {
  await postSessions(place);
  const measured = [];
  for (const lists of [0, 1, 3]) {
    const all: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const stop = new AbortController();
      const readers = Array.from({ length: lists }, async () => {
        while (!stop.signal.aborted)
          await readToEnd(`${place.dev.apiUrl}/v1/payments`, merchant, stop.signal).catch((error) => {
            if (!stop.signal.aborted) throw error;
          });
      });
      all.push(
        ...(await Promise.race([postSessions(place), ...readers.map((reader) => reader.then(never))])),
      );
      stop.abort();
      await Promise.all(readers);
    }
    all.sort((a, b) => a - b);
    measured.push({ lists, p50Ms: quantile(all, 0.5), p95Ms: quantile(all, 0.95) });
  }
  return measured;
}

/** Readers run until they are stopped. */
function never(): never {
  throw new Error('a reader stopped early');
}

async function postSessions({ dev }: Place): Promise<number[]> {
  const delays: number[] = [];
  for (let post = 0; post < Number(values.posts); post += 1) {
    const elapsedMs = stopwatch();
    const answer = await request(`${dev.apiUrl}/v1/checkouts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${dev.merchant.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        productId: dev.products.oneTime,
        externalCustomerId: randomUUID(),
        successUrl: `${dev.shopUrl}/thanks`,
      }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 201) throw new Error(`POST /v1/checkouts: ${answer.statusCode} ${text}`);
    delays.push(elapsedMs());
  }
  return delays;
}

type Lists = readonly Awaited<ReturnType<typeof compareLists>>[];
type Posts = Awaited<ReturnType<typeof postsBesideLists>>;

function print(lists: Lists, memoryMiB: Readonly<Record<string, number>>, posts: Posts): void {
  for (const { rows, ours, floor } of lists) {
    const ratio = (ours.rowsPerSecond / floor.rowsPerSecond).toFixed(2);
    const cpu = `${ours.cpuMsPer1000.toFixed(1)} and ${floor.cpuMsPer1000.toFixed(1)} ms of CPU per 1,000 rows`;
    console.log(
      `${rows} rows: ${ours.rowsPerSecond.toFixed(0)} a second, bare ${floor.rowsPerSecond.toFixed(0)}, ratio ${ratio}; ${cpu}`,
    );
  }
  console.log(`peak memory: API ${memoryMiB.api?.toFixed(0)} MiB, bare ${memoryMiB.bare?.toFixed(0)} MiB`);
  const alone = posts[0]?.p50Ms ?? Number.NaN;
  for (const { lists: beside, p50Ms, p95Ms } of posts) {
    const ratio = (p50Ms / alone).toFixed(2);
    console.log(
      `POST /v1/checkouts beside ${beside} lists: p50 ${p50Ms.toFixed(1)} ms (${ratio}), p95 ${p95Ms.toFixed(1)} ms`,
    );
  }
}
