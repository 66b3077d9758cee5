/** Rate limits shared by API processes, which reserve counts in blocks (rule 37). */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Store } from 'express-rate-limit';
import { pino } from 'pino';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { countedTogether } from '../../../page/http/counted-together.ts';
import { takeOverClock } from '../../support/db/moving-clock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  await takeOverClock(pool);
});
afterEach(() => {
  jest.restoreAllMocks();
  passed = 0;
});
afterAll(() => database?.close());

const monotonic = performance.now.bind(performance);
let passed = 0;

/** Moves both clocks, the database's and this process's. */
async function pass(ms: number): Promise<void> {
  passed += ms;
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic() + passed);
  await pool.query(sql.unsafe`update moved_clock set by = by + ${ms}::float8 * interval '1 millisecond'`);
}

const lines: { msg: string; limit: string }[] = [];
const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
const processes = (name: string, windowMs = 60_000, limit = 100) =>
  [1, 2].map(() => countedTogether({ pool, logger }, { name, limit, windowMs })) as [Store, Store];
async function hits(store: Store, times: number, key = '203.0.113.7'): Promise<number> {
  let last = 0;
  for (let i = 0; i < times; i += 1) last = (await store.increment(key)).totalHits;
  return last;
}
const rows = () => pool.anyFirst(sql.unsafe`select key from request_counts`);

test('a few requests execute no SQL statement', async () => {
  const [one] = processes('few');
  expect(await hits(one, 5)).toBe(5);
  expect(await rows()).toEqual([]);
});

test('each of two processes exceeds the limit by at most a twentieth, and keys are counted separately', async () => {
  const [one, other] = processes('both');
  expect(await hits(one, 60)).toBe(60);
  expect(await hits(other, 41)).toBeGreaterThanOrEqual(95);
  expect(await hits(other, 6)).toBeGreaterThan(100);
  expect(await hits(one, 46)).toBeGreaterThan(100);
  expect(await hits(one, 1, '203.0.113.8')).toBe(1);
  expect((await rows()).join()).not.toContain('203.0.113');
});

test('a wall clock that is set back does not keep a window open', async () => {
  const [one] = processes('set-back');
  expect(await hits(one, 10)).toBe(10);
  const wall = Date.now() - 30 * 60_000;
  jest.spyOn(Date, 'now').mockImplementation(() => wall);
  await pass(61_000);
  expect(await hits(one, 1)).toBe(1);
  const { resetTime } = await one.increment('203.0.113.7');
  expect((resetTime?.getTime() ?? 0) - wall).toBeLessThanOrEqual(60_000);
});

test('a process over the limit writes nothing more', async () => {
  const [one] = processes('refused');
  await hits(one, 101);
  const count = () => pool.oneFirst(sql.unsafe`select sum(requests)::integer from request_counts`);
  const before = await count();
  await hits(one, 50);
  expect(await count()).toEqual(before);
});

test('when a window ends, the other processes’ requests are dropped too', async () => {
  const [one, other] = processes('window');
  await hits(one, 60);
  await hits(other, 41);
  await pass(140_000);
  expect(await hits(other, 1)).toBe(1);
  expect(await hits(other, 5)).toBe(6);
});

test("the other processes' requests count until the end of the shared window", async () => {
  const [one, other] = processes('shared');
  await hits(one, 60);
  await pass(32_000);
  // The window of this process began later, so it also ends later.
  expect(await hits(other, 51)).toBeGreaterThan(100);
  await pass(36_000);
  expect(await hits(other, 1)).toBe(52);
});

test('without the database each process counts on its own, and logs that once', async () => {
  const ended = await openPool({ url: database.url });
  await ended.end();
  const store = countedTogether({ pool: ended, logger }, { name: 'alone', limit: 20, windowMs: 60_000 });
  expect(await hits(store, 21)).toBe(21);
  expect(lines.map(({ msg, limit }) => [msg, limit])).toEqual([
    ['shared rate-limit counts unavailable, counting per process', 'alone'],
  ]);
});
