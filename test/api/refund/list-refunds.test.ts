/** GET /v1/refunds and GET /v1/merchants/:merchantId/refunds. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refund } from '../../../contract/refund/refund.ts';
import { sql } from '../../../db/core/pool.ts';
import { type AdminApi, describeGate, startAdminApi } from '../../support/api/admin-api.ts';
import { expectMarks, expectRefusal } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertPurchase, type Shop } from '../../support/db/fixtures.ts';

/** Enough for more than one batch. */
const REFUNDS = 204;
let api: AdminApi;

beforeAll(async () => {
  api = await startAdminApi();
  await insertRefunds(api.shop, REFUNDS);
  await insertRefunds(api.other, 1);
});
afterAll(() => api?.server.stop());

/** Inserts refunds whose ids decrease over time, several at the same instant. */
async function insertRefunds(shop: Shop, count: number): Promise<void> {
  const { paymentId, orderId } = await insertPurchase(api.server.pool, shop, shop.products.oneTime);
  await api.server.pool.query(sql.unsafe`
    insert into refunds (id, merchant_id, environment, payment_id, order_id, rail_account_id, operation_id, amount,
      currency, status, created_at, next_action_at)
    select 'ap_ref_' || ${shop.merchantId.slice(-8)} || (999 - number), ${shop.merchantId}, 'sandbox', ${paymentId},
      ${orderId}, ${shop.railAccountId}, 'op-' || ${shop.merchantId} || number, number, 'EUR', 'succeeded',
      '2026-03-01T08:00:00Z'::timestamptz + number / 3 * interval '1 second', null
    from generate_series(1, ${count}) number`);
}

describeGate(() => api, 'GET', '/refunds');

test.each(['the merchant’s key', 'a person'])('200: every refund, newest first, for %s', async (who) => {
  const list = () =>
    who === 'a person'
      ? api.admin('GET', '/refunds')
      : api.server.request('GET', '/v1/refunds', { apiKey: api.shop.apiKey });
  const answer = await list();
  expect(answer.status).toBe(200);
  expectMarks(answer);
  const rows: readonly { created_at: string; id: string }[] = answer.body.data;
  expect(rows).toHaveLength(REFUNDS);
  for (const each of rows) expect(refund.strict().parse(each)).toEqual(each);
  const places = rows.map(({ created_at: at, id }) => `${at} ${id}`);
  expect(places).toEqual([...new Set(places)].sort().reverse());
  expect(rows[0]).toMatchObject({ amount: REFUNDS, currency: 'EUR', status: 'succeeded', reason: null });
});

test('200: `environment` filters a person’s list; another merchant’s key sees only its own refunds', async () => {
  expect((await api.admin('GET', '/refunds?environment=production')).body.data).toEqual([]);
  const theirs = await api.server.request('GET', '/v1/refunds', { apiKey: api.other.apiKey });
  expect(theirs.body.data).toHaveLength(1);
});

test('401 without a key', async () => {
  expectRefusal(await api.server.request('GET', '/v1/refunds'), 401, 'service_api_key_required');
});

seesEveryAnswerOf('listRefunds', 'listMerchantRefunds');
