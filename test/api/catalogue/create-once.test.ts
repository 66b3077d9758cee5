/** A request that creates something of a merchant, sent twice under one `Idempotency-Key`, creates it once. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { fenceIfRestored, readLedgerCopy } from '../../../db/restore/fence.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import { type AdminApi, startAdminApi } from '../../support/api/admin-api.ts';
import { expectRefusal } from '../../support/api/api.ts';
import { asPerson } from '../../support/api/people.ts';
import { eventually } from '../../support/core/eventually.ts';
import { png } from '../../support/core/images.ts';
import { liftFence } from '../../support/db/lift-fence.ts';

let api: AdminApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

function create(path: string, body: object, key: string) {
  const { server, shop } = api;
  const headers = { ...asPerson(shop.merchantId), 'idempotency-key': key };
  return server.request('POST', `/v1/merchants/${shop.merchantId}${path}`, { headers, body });
}

const newPrice = (amount: number) => ({
  amount,
  tax_rate: 19,
  billing_mode: 'recurring',
  recurring: { interval: 'month' },
});

async function replacedPrice(): Promise<object> {
  const { body: product } = await api.admin('POST', '/products', { name: 'Tea' });
  const prices: string[] = [];
  for (const amount of [900, 1_100])
    prices.push((await api.admin('POST', `/products/${product.id}/prices`, newPrice(amount))).body.id);
  const [old_price_id, new_price_id] = prices;
  return {
    environment: 'sandbox',
    old_price_id,
    new_price_id,
    from: addDays(new Date().toISOString(), 40),
  };
}

const CREATED: readonly [string, string, () => string, () => object | Promise<object>][] = [
  ['product', 'products', () => '/products', () => ({ name: 'Tea', external_reference: 'tea' })],
  ['price', 'prices', () => `/products/${api.shop.products.recurring}/prices`, () => newPrice(700)],
  ['offering', 'offerings', () => '/offerings', () => ({ name: 'Teas' })],
  [
    'coupon',
    'coupons',
    () => '/coupons',
    () => ({ environment: 'sandbox', code: 'Once', percent: 20, duration: 'once' }),
  ],
  [
    'storefront client',
    'storefront_clients',
    () => '/storefront-clients',
    () => ({ environment: 'sandbox', name: 'Shop', origins: ['https://shop.example'] }),
  ],
  ['price move', 'price_moves', () => '/price-moves', replacedPrice],
];

test.each(CREATED)('a %s: the repeated request gets the first response', async (name, _table, path, body) => {
  const [to, given] = [path(), await body()];
  const first = await create(to, given, `${name} twice`);
  expect(first.status).toBe(201);
  const second = await create(to, given, `${name} twice`);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expectRefusal(
    await create(to, { ...given, reason: 'Other' }, `${name} twice`),
    409,
    'idempotency_key_conflict',
  );
});

test.each(CREATED)('a %s: a retry after a crash finds what was created', async (name, table, path, body) => {
  const { pool } = api.server;
  const count = () => pool.oneFirst(sql.unsafe`select count(*) as rows from ${sql.identifier([table])}`);
  const given = { ...(await body()), ...(name === 'coupon' && { code: 'Crash' }) };
  const to = path();
  const wanted = { ...given, ...(name === 'product' && { external_reference: 'crash' }) };
  const first = await create(to, wanted, `${name} crash`);
  const rows = await count();
  await pool.query(sql.unsafe`
    update idempotency_keys set answer = null, lease_until = service_clock() where key = ${`${name} crash`}`);
  const second = await create(to, wanted, `${name} crash`);
  expect(second).toMatchObject({ status: 201, body: { id: first.body.id } });
  expect(await count()).toEqual(rows);
});

test.each([
  ['refusal', { external_reference: 'overtaken' }],
  ['failure', {}],
])(
  'a request whose operation another run has completed gets that run’s product instead of its own %s',
  async (key, reference) => {
    const { server, shop } = api;
    const body = { name: 'Tea', external_reference: undefined, ...reference };
    const sent = await server.pool.transaction(async (tx) => {
      await tx.query(sql.unsafe`select from merchants where id = ${shop.merchantId} for update`);
      const answer = create('/products', body, key);
      await eventually(async () => {
        // Otherwise this transaction would keep reading its first snapshot of the statistics.
        await tx.query(sql.unsafe`select pg_stat_clear_snapshot()`);
        const blocked = await tx.oneFirst(sql.unsafe`
        select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
        expect(blocked).toBe(1);
      });
      const id = await tx.oneFirst(sql.type(z.object({ id: z.string() }))`
      insert into products (id, merchant_id, name, external_reference)
      select replace(operation_id, 'op_', 'ap_prod_'), ${shop.merchantId}, 'Tea', ${body.external_reference ?? null}
      from idempotency_keys where idempotency_keys.key = ${key}
      returning id`);
      return { id, answer };
    });
    expect(await sent.answer).toMatchObject({ status: 201, body: { id: sent.id } });
  },
);

test('an image that could not be fetched can be fetched under the same key', async () => {
  let isUp = false;
  const images = createServer((_request, response) => {
    response.writeHead(isUp ? 200 : 503).end(isUp ? png(30, 20) : '');
  }).listen(0, '127.0.0.1');
  await once(images, 'listening');
  const image_url = `http://127.0.0.1:${(images.address() as AddressInfo).port}/mug.png`;
  const send = () => create('/products', { name: 'Mug', image_url }, 'image');
  expectRefusal(await send(), 422, 'product_image_refused');
  isUp = true;
  expect(await send()).toMatchObject({ status: 201, body: { image_url } });
  images.close();
});

test('a code that is taken is refused while a restored database is fenced', async () => {
  const { pool } = api.server;
  const body = { environment: 'sandbox', code: 'Taken', percent: 20, duration: 'once' };
  await create('/coupons', body, 'taken');
  await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
  expectRefusal(await create('/coupons', body, 'taken again'), 409, 'coupon_code_taken');
  await liftFence(pool, (await readLedgerCopy(pool)).epoch);
});
