/**
 * Many sessions of one merchant expire at the same instant: another merchant's buyer pays without delay
 * (rule 42).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { insertSession, insertShop } from '../../support/db/fixtures.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const APPROVED = '4242424242424242';
const EXPIRING = 600;
const EXPIRE_IN_SECONDS = 30;
const CLICKS = 5;
/** Not 1, because a click waits for the tasks that a worker has started: as many as it has slots. */
const HIGHEST_RATIO = 6;
/** Smaller delays are measurement noise. */
const NOISE_MS = 250;

let world: SessionWorld;
beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world?.close());

/** @returns the median delay of some clicks, one after another */
async function clickMs(): Promise<number> {
  const delays: number[] = [];
  for (let n = 0; n < CLICKS; n += 1) {
    const id = await world.session();
    const startedAt = performance.now();
    await world.pay(id, APPROVED);
    delays.push(performance.now() - startedAt);
  }
  return delays.sort((a, b) => a - b)[Math.floor(CLICKS / 2)] ?? 0;
}

/** Opens sessions that expire at the same instant. @returns that instant */
async function openSessions(): Promise<number> {
  const crowd = await insertShop(world.pool);
  const expiresAt = Date.now() + EXPIRE_IN_SECONDS * 1_000;
  const open = async () => {
    const { id } = await insertSession(world.pool, crowd, crowd.products.oneTime);
    await world.pool.query(sql.unsafe`
      update checkouts set expires_at = to_timestamp(${expiresAt / 1_000}), next_action_at = to_timestamp(${expiresAt / 1_000})
      where id = ${id}`);
    await world.startWorkflowOf(id);
  };
  for (let opened = 0; opened < EXPIRING; opened += 20) await Promise.all(Array.from({ length: 20 }, open));
  return expiresAt;
}

function unfinished(): Promise<number> {
  return world.pool.oneFirst(sql.type(z.object({ n: z.number() }))`
    select count(*) as n from checkouts where state = 'created' and expires_at < service_clock()`);
}

test("a burst of expiries does not delay another merchant's click", async () => {
  const expireAt = await openSessions();
  const quietMs = await clickMs();
  await pause(Math.max(0, expireAt + 1_000 - Date.now()));
  const before = await unfinished();
  const besideMs = await clickMs();
  const after = await unfinished();
  console.log(
    `click: ${Math.round(quietMs)} ms alone, ${Math.round(besideMs)} ms beside ${before} to ${after} expiries`,
  );
  expect(after).toBeGreaterThan(0);
  expect(besideMs / Math.max(quietMs, NOISE_MS)).toBeLessThan(HIGHEST_RATIO);
}, 300_000);
