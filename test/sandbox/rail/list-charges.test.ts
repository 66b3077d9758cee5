import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listCharges } from '../../../sandbox/rail/db/charges.ts';
import { openPool, type Pool } from '../../../sandbox/rail/db/pool.ts';
import { ACCOUNT, newReference, type RunningRail, startRail } from './running-rail.ts';

let rail: RunningRail;
let pool: Pool;
beforeAll(async () => {
  rail = await startRail();
  pool = openPool(rail.databaseUrl, () => {});
});
afterAll(async () => {
  await pool.end();
  await rail.close();
});

async function pages(since: string, limit: number): Promise<string[][]> {
  const found: string[][] = [];
  let after: string | null = null;
  do {
    const { charges, next } = await listCharges(pool, ACCOUNT.id, since, after, limit);
    found.push(charges.map(({ reference }) => reference));
    after = next;
  } while (after !== null);
  return found;
}

test('the pages list every charge once, in order of change, and no reference that was cancelled before a charge', async () => {
  const references = Array.from({ length: 5 }, newReference);
  for (const reference of references) await rail.authorize('approved', { reference });
  await rail.cancel(newReference());
  const found = await pages('2020-01-01T00:00:00Z', 2);
  expect(found.flat()).toEqual(references);
  expect(found.every((page) => page.length <= 2)).toBe(true);
});

test('only charges changed since the instant are listed', async () => {
  const { body: before } = await rail.authorize('challenge_always');
  const { body: changed } = await rail.authorize('challenge_always');
  const since = new Date(Date.parse(changed.updatedAt) + 1).toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await rail.cancel(changed.reference);
  const found = (await pages(since, 10)).flat();
  expect(found).toContain(changed.reference);
  expect(found).not.toContain(before.reference);
});

test('a malformed cursor is rejected', async () => {
  const headers = { Authorization: `Bearer ${ACCOUNT.secret}` };
  const { status } = await rail.get("/v1/charges?since=2020-01-01T00:00:00Z&after='%20or", headers);
  expect(status).toBe(400);
});
