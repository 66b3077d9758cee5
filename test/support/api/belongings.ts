/** A merchant with one object of each kind, and all database rows that concern it. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { insertPurchase, insertShop, type Shop } from '../db/fixtures.ts';
import type { Answer, TestApi } from './api.ts';
import { asPerson } from './people.ts';

/** Ids that a client could know or guess. */
const ID = /(?:ap_[a-z]+_[0-9a-z]+|acct_[0-9a-z]+|evt_[0-9a-f]{32})/g;

export interface Belongings {
  readonly shop: Shop;
  /** Ids of one object of each kind, without the merchant's own. */
  readonly ids: readonly string[];
}

/** @param api must use `testPeopleGate` */
export async function insertBelongings(api: TestApi): Promise<Belongings> {
  const shop = await insertShop(api.pool);
  const { apiKey, merchantId, products } = shop;
  const asOwner = (path: string, body: unknown, status = 201) =>
    expectStatus(
      status,
      api.request('POST', `/v1/merchants/${merchantId}/${path}`, { headers: asPerson(merchantId), body }),
    );
  await api.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
  const { paymentId } = await insertPurchase(api.pool, shop, products.oneTime);
  await insertPurchase(api.pool, shop, products.recurring, { recurring: true });
  const asServer = (path: string, body: unknown, keyed: boolean) =>
    api.request('POST', path, {
      apiKey,
      body,
      ...(keyed && { headers: { 'idempotency-key': randomUUID() } }),
    });
  await expectStatus(201, asServer('/v1/refunds', { paymentId, amount: 1 }, true));
  await expectStatus(
    201,
    asServer('/v1/checkouts', { productId: products.oneTime, externalCustomerId: 'c-1' }, false),
  );
  const offering = { name: 'Coffee', plan_ids: [products.recurring, products.trial] };
  await asOwner('offerings', offering);
  await asOwner('storefront-clients', {
    environment: 'sandbox',
    name: 'Shop',
    origins: ['https://a.example'],
    product_ids: [products.oneTime],
  });
  await asOwner('coupons', { environment: 'sandbox', code: 'SPRING', percent: 20, duration: 'once' });
  const sold = await asOwner('products', { name: 'Tea' });
  const terms = { tax_rate: 19, billing_mode: 'recurring', recurring: { interval: 'month' } };
  const prices = `products/${sold.body.id}/prices`;
  const old = await asOwner(prices, { ...terms, amount: 900 });
  const active = await asOwner(prices, { ...terms, amount: 1_100 });
  await asOwner('price-moves', {
    environment: 'sandbox',
    old_price_id: old.body.id,
    new_price_id: active.body.id,
    from: new Date(Date.now() + 60 * 86_400_000).toISOString(),
  });
  await asOwner('api-keys', { environment: 'sandbox', name: 'Test' });
  const endpoint = await asOwner('webhook-endpoints', {
    environment: 'sandbox',
    url: 'https://a.example/hook',
  });
  await asOwner(`webhook-endpoints/${endpoint.body.id}/test`, {}, 202);
  const rows = await rowsOf(api, merchantId);
  return {
    shop,
    ids: oneOfEachKind([...new Set(rows.join('\n').match(ID))].filter((id) => id !== merchantId)),
  };
}

function oneOfEachKind(ids: readonly string[]): readonly string[] {
  return [...Map.groupBy(ids, (id) => id.slice(0, id.lastIndexOf('_'))).values()].flatMap(
    ([first]) => first ?? [],
  );
}

/** Every row of the database that names the merchant, or one of its objects, as text. */
export async function rowsOf(api: TestApi, merchantId: string): Promise<readonly string[]> {
  const tables = await api.pool.anyFirst(sql.type(z.object({ name: z.string() }))`
    select tablename::text as name from pg_tables where schemaname = 'public'`);
  const reads = tables.map(
    (name) => sql.fragment`
      select to_jsonb(t) ->> 'id' as id, ${name}::text || ' ' || to_jsonb(t)::text as row
      from ${sql.identifier([name])} t`,
  );
  const all = sql.join(reads, sql.fragment` union all `);
  const rows = await api.pool.any(sql.type(z.object({ id: z.string().nullable(), row: z.string() }))`${all}`);
  const own = rows.filter(({ row }) => row.includes(`"merchant_id": "${merchantId}"`));
  const names = new Set([merchantId, ...own.flatMap(({ id }) => (id?.match(ID) ? [id] : []))]);
  const texts = rows.map(({ row }) => row);
  return texts.filter((row) => row.match(ID)?.some((id) => names.has(id))).sort();
}

async function expectStatus(status: number, request: Promise<Answer>): Promise<Answer> {
  const answer = await request;
  if (answer.status !== status) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}
