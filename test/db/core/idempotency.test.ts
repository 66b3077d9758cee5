/** Leases of idempotency keys and pinned responses (rule 26). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { REFUSALS_KEPT } from '../../../db/core/delete-old-rows.ts';
import {
  claimKey,
  type KeyedRequest,
  type PinnedAnswer,
  pinAnswer,
  releaseLease,
  renewLease,
} from '../../../db/core/idempotency.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());

function newRequest(): KeyedRequest {
  const body = { bodyHash: Buffer.alloc(32, 1), leaseSeconds: 30, movesMoney: false };
  return {
    scope: 'merchant:ap_mer_1:sandbox',
    key: randomUUID(),
    method: 'POST',
    path: '/v1/refunds',
    ...body,
  };
}

async function claim(request: KeyedRequest) {
  const claimed = await claimKey(pool, request);
  if (claimed.kind !== 'mine') throw new Error(`the key is ${claimed.kind}`);
  return claimed.lease;
}

const expire = ({ key }: KeyedRequest) =>
  pool.query(sql.unsafe`
    update idempotency_keys set lease_until = lease_until - interval '1 minute' where key = ${key}`);

/**
 * A request whose lease expired and was taken over. The new lease ends at a different millisecond than the
 * lost one.
 */
async function takenOver() {
  const request = newRequest();
  const lost = await claim({ ...request, leaseSeconds: 20 });
  await expire(request);
  return { request, lost, taken: await claim(request) };
}

test('a lease that was taken over is not renewed by its first holder', async () => {
  const { request, lost, taken } = await takenOver();
  expect(taken.operationId).toBe(lost.operationId);
  expect(await renewLease(pool, request, lost, 30)).toBeNull();
  expect(await renewLease(pool, request, taken, 30)).toMatchObject({ operationId: taken.operationId });
});

test('a lease that was taken over is not released by its first holder', async () => {
  const { request, lost } = await takenOver();
  await releaseLease(pool, request, lost);
  expect(await claimKey(pool, request)).toEqual({ kind: 'running' });
});

const answerOf = (requestId: string): PinnedAnswer => ({ status: 201, requestId, flowId: null, body: '{}' });

test('a pinned response is never overwritten: a later request gets the first response', async () => {
  const request = newRequest();
  await claim(request);
  expect(await pinAnswer(pool, request, answerOf('req_1'))).toEqual(answerOf('req_1'));
  expect(await pinAnswer(pool, request, answerOf('req_2'))).toEqual(answerOf('req_1'));
  expect(await claimKey(pool, request)).toEqual({ kind: 'answered', answer: answerOf('req_1') });
});

test('all responses of an owner’s effective requests are kept, but only the latest refusals', async () => {
  const [first, ...later] = Array.from({ length: REFUSALS_KEPT + 2 }, newRequest);
  const made = newRequest();
  await claim(made);
  await pinAnswer(pool, made, answerOf('req_made'));
  const refusal = { ...answerOf('req_refused'), status: 404 };
  for (const request of [first as KeyedRequest, ...later]) {
    await claim(request);
    await pinAnswer(pool, request, refusal);
  }
  const kept = await pool.oneFirst(sql.type(z.object({ kept: z.number() }))`
    select count(*)::integer as kept from idempotency_keys where answer ->> 'requestId' = 'req_refused'`);
  expect(kept).toBe(REFUSALS_KEPT);
  expect(await claimKey(pool, first as KeyedRequest)).toMatchObject({ kind: 'mine' });
  expect(await claimKey(pool, later.at(-1) as KeyedRequest)).toEqual({ kind: 'answered', answer: refusal });
  expect(await claimKey(pool, made)).toMatchObject({ kind: 'answered' });
});

test('the lease of an answered key is neither renewed nor taken over', async () => {
  const request = newRequest();
  const lease = await claim(request);
  await pinAnswer(pool, request, answerOf('req_1'));
  expect(await renewLease(pool, request, lease, 30)).toBeNull();
  await expire(request);
  expect(await claimKey(pool, request)).toMatchObject({ kind: 'answered' });
});
