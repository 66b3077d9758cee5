/** Limits on the long lists that are read concurrently. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MOST_OF_MERCHANT } from '../../../api/http/lane.ts';
import { sql } from '../../../db/core/pool.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { asPerson, testPeopleGate } from '../../support/api/people.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertApiKey, insertShop, type Shop } from '../../support/db/fixtures.ts';

/** 8 MB: more than the buffers of a connection hold. */
const ROWS = 20_000;

let api: TestApi;
const shops: Shop[] = [];

beforeAll(async () => {
  api = await startTestApi({ merchantGate: testPeopleGate });
  while (shops.length < 2) {
    const shop = await insertShop(api.pool);
    shops.push(shop);
    // In batches, because a single insert exceeded the statement time-out under load.
    for (let from = 1; from <= ROWS; from += ROWS / 10) {
      await api.pool.query(sql.unsafe`
        insert into payments (merchant_id, environment, attempt_no, claim_id, status, amount, currency)
        select ${shop.merchantId}, ${shop.environment}, 1, ${shop.merchantId}::text || n, 'succeeded', 1900, 'EUR'
        from generate_series(${from}::int4, ${from + ROWS / 10 - 1}::int4) n`);
    }
  }
});
afterAll(() => api?.stop());

/** Resolves with the response's head; the caller reads the body. */
const list = (shop: Shop | undefined, path = '/v1/payments') =>
  fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${shop?.apiKey}` } });

test('a merchant may read a few long lists concurrently; one more gets 429 until one of them has ended', async () => {
  const [shop, other] = shops;
  const open = await Promise.all(Array.from({ length: MOST_OF_MERCHANT }, () => list(shop)));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));

  const refused = await list(shop);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toMatchObject({
    code: 'rate_limited',
    message: `${MOST_OF_MERCHANT} long lists of this merchant are already being read; retry when one has finished.`,
  });

  expect((await list(shop, '/v1/products')).status).toBe(200);
  const [givesUp, readsOn, ...others] = open;
  await givesUp?.body?.cancel();
  const fourth = await eventually(async () => accepted(await list(shop)));
  expect((await list(shop)).status).toBe(429);
  await readsOn?.text();
  const another = await eventually(async () => accepted(await list(shop)));
  // Read last: on a busy machine it takes so long that the other open lists are disconnected.
  expect(((await accepted(await list(other)).json()) as { data: unknown[] }).data).toHaveLength(ROWS);
  for (const reader of [...others, fourth, another]) await reader.body?.cancel().catch(() => {});
});

test('readers who stop reading do not delay other merchants’ lists, and are disconnected within 30 s', async () => {
  const slow = await Promise.all(Array.from({ length: 8 }, () => insertShop(api.pool)));
  for (const { merchantId } of slow) {
    // 24 MB: the buffers of a connection grow to half of it.
    await api.pool.query(sql.unsafe`
      insert into products (merchant_id, name, description)
      select ${merchantId}, 'Coffee', repeat('x', 8000) from generate_series(1, 3000)`);
  }
  const opened = performance.now();
  const stalled = await Promise.all(
    slow.flatMap((shop) => Array.from({ length: MOST_OF_MERCHANT }, () => list(shop, '/v1/products'))),
  );
  expect(stalled.map(({ status }) => status)).toEqual(stalled.map(() => 200));
  expect((await list(slow[0], '/v1/products')).status).toBe(429);
  // A stalled reader that kept its slot would keep it for 20 s; 32 of them would exceed the test's time
  // limit.
  const [, other] = shops;
  expect(((await accepted(await list(other)).json()) as { data: unknown[] }).data).toHaveLength(ROWS);

  const again = await eventually(async () => accepted(await list(slow[0], '/v1/products')), 60_000);
  expect(performance.now() - opened).toBeGreaterThan(15_000);
  // Readers that got a slot later are also disconnected, after the time limit of a batch.
  await sleep(21_000);
  const ends = await Promise.allSettled(stalled.slice(0, MOST_OF_MERCHANT).map((reader) => reader.text()));
  expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'rejected'));
  await again.body?.cancel();
  for (const reader of stalled.slice(MOST_OF_MERCHANT)) await reader.body?.cancel().catch(() => {});
});

test('a reader who disconnects before a long list begins is not counted as a failure of the service', async () => {
  const [shop] = shops;
  const logged = api.logLines.length;
  const messages = () => api.logLines.slice(logged).map((line) => JSON.parse(line));
  const leaves = new AbortController();
  await api.pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`lock table payments`);
    const read = fetch(`${api.url}/v1/payments`, {
      headers: { authorization: `Bearer ${shop?.apiKey}` },
      signal: leaves.signal,
    });
    const isWaiting = sql.unsafe`select from pg_locks where relation = 'payments'::regclass and not granted`;
    await eventually(async () => expect(await tx.exists(isWaiting)).toBe(true));
    leaves.abort();
    await expect(read).rejects.toThrow('aborted');
    await eventually(async () =>
      expect(messages()).toContainEqual(expect.objectContaining({ aborted: true })),
    );
  });
  await (await list(shop)).text();
  expect(messages().filter(({ msg }) => msg === 'request failed')).toEqual([]);
});

test('long sandbox lists read by a person do not occupy the slots for live lists', async () => {
  const [shop] = shops;
  const { merchantId } = shop as Shop;
  const live = await insertApiKey(api.pool, { merchantId, environment: 'production' });
  await api.pool.query(sql.unsafe`
    insert into payments (merchant_id, environment, attempt_no, claim_id, status, amount, currency)
    select ${merchantId}, 'production', 1, ${merchantId}::text || 'live' || n, 'succeeded', 1900, 'EUR'
    from generate_series(1, 201) n`);
  const path = `/v1/merchants/${merchantId}/payments?environment=sandbox`;
  const reading = () => fetch(`${api.url}${path}`, { headers: asPerson(merchantId) });
  const open = await Promise.all(Array.from({ length: MOST_OF_MERCHANT }, reading));
  expect((await reading()).status).toBe(429);

  const { status, body } = await api.request('GET', '/v1/payments', { apiKey: live });
  expect([status, body.data?.length]).toEqual([200, 201]);
  for (const reader of open) await reader.body?.cancel();
});

function accepted(answer: Response): Response {
  expect(answer.status).toBe(200);
  return answer;
}
