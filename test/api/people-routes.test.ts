/** Routes under /v1/merchants/:merchantId that only the dashboard uses. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../db/core/pool.ts';
import { storeRailAnswer } from '../../db/payment/rail-answers.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import type { Role } from '../../domain/core/permissions.ts';
import { type AdminApi, describeGate, startAdminApi } from '../support/api/admin-api.ts';
import { expectRefusal } from '../support/api/api.ts';
import { routes } from '../support/api/api-description.ts';
import { asPerson } from '../support/api/people.ts';
import { seesEveryAnswerOf } from '../support/api/seen-answers.ts';
import { insertDispute } from '../support/db/disputes.ts';
import { insertPurchase, insertShop, type Purchase, type Shop } from '../support/db/fixtures.ts';
import { createEndpoint } from '../support/db/webhooks.ts';

let api: AdminApi;
/** The purchases, oldest first; the last one failed. */
const purchases: Purchase[] = [];

beforeAll(async () => {
  api = await startAdminApi();
  const { pool } = api.server;
  const { products } = api.shop;
  for (const paymentStatus of ['succeeded', 'succeeded', 'failed'])
    purchases.push(await insertPurchase(pool, api.shop, products.oneTime, { paymentStatus }));
  purchases.push(await insertPurchase(pool, api.shop, products.recurring, { recurring: true }));
  await insertPurchase(pool, api.other, api.other.products.oneTime);
  await pool.query(sql.unsafe`
    update customers set email = 'Ada@Shop.example', name = '=cmd()' where id = ${purchases[0]?.customerId ?? ''}`);
  for (const [index, name] of [
    [2, 'Bo Xu 3rd'],
    [3, '李明'],
  ] as const)
    await pool.query(sql.unsafe`
      update customers set name = ${name} where id = ${purchases[index]?.customerId ?? ''}`);
  await pool.query(sql.unsafe`
    update orders set external_reference = '1900' where id = ${purchases[1]?.orderId ?? ''}`);
  await pool.query(sql.unsafe`
    update payments set payment_method = payment_method || '{"brand": "mastercard", "last4": "9876"}'
    where id = ${purchases[1]?.paymentId ?? ''}`);
  await pool.query(sql.unsafe`
    update payments set failure_code = 'insufficient_funds' where status = 'failed'`);
});
afterAll(() => api?.server.stop());

const ids = (...indexes: number[]) => indexes.map((index) => purchases[index]?.paymentId);
const search = (query: string) => api.admin('GET', `/search/payments?environment=sandbox&${query}`);
async function found(query: string): Promise<readonly string[]> {
  const answer = await search(query);
  expect(answer.status).toBe(200);
  return answer.body.data.map(({ id }: { id: string }) => id);
}

describe('GET /search/payments', () => {
  describeGate(() => api, 'GET', '/search/payments');

  test('200: payments are listed newest first, paginated without gaps', async () => {
    const first = await search('limit=3');
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual(ids(3, 2, 1));
    expect(await found(`limit=3&cursor=${first.body.next_cursor}`)).toEqual(ids(0));
    expect((await search('limit=4')).body.next_cursor).toBeNull();
  });

  const TERMS: readonly (readonly [string, () => string | null | undefined, readonly number[]])[] = [
    ['a payment id', () => purchases[0]?.paymentId, [0]],
    ['an order id', () => purchases[1]?.orderId, [1]],
    ['a checkout id', () => purchases[1]?.checkoutId, [1]],
    ['a customer id', () => purchases[2]?.customerId, [2]],
    ['an invoice id', () => purchases[0]?.invoiceId, [0]],
    ['a subscription id', () => purchases[3]?.subscriptionId, [3, 3]],
    ['an email address in another case', () => 'ADA@shop.example', [0]],
    ['a merchant reference', () => 'cart-1', [3, 2, 0]],
    ['a reference that looks like an amount', () => '1900', [1]],
    ['an amount', () => '9,00', [3]],
    ['the last four digits of a card', () => '9876', [1]],
    ['the last four digits and the amount', () => '9876 19.00', [1]],
    ['the last four digits and another amount', () => '9876 19.01', []],
    ['the brand and the last four digits', () => 'Mastercard •••• 9876', [1]],
    ['the brand, the last four digits and the amount', () => 'mastercard 9876 19.00', [1]],
    ['another brand and the last four digits', () => 'Visa 9876', []],
    ['a part of an email address', () => 'DA@shop', [0]],
    ['a part of an email address without @', () => 'shop.exam', [0]],
    ['a part of a name', () => 'CMD(', [0]],
    ['wildcard characters, which have no special meaning', () => '%%%', []],
    ['a name of two letters', () => 'bo', [2]],
    ['a family name of two letters', () => 'XU', [2]],
    ['a name of two characters', () => '李明', [3]],
    ['a part of a name with a digit', () => 'xu 3r', [2]],
    ['digits that occur only in the index', () => '346', []],
    ['a capital that becomes one letter', () => 'İ', []],
    ['two letters inside of a word', () => 'md', []],
    ['two letters that no name contains', () => 'qq', []],
    ['one letter', () => 'b', []],
    ['an amount that no payment has', () => '9.01', []],
    ['the id of a product', () => api.shop.products.oneTime, []],
    ['a refund that does not exist', () => 'ap_ref_0', []],
    ['a dispute that does not exist', () => 'ap_dis_0', []],
  ];

  test.each(TERMS)(
    '200: a search for %s returns the matching payments, or none',
    async (_name, termOf, expected) => {
      const at = await found(`q=${encodeURIComponent(termOf() ?? '')}`);
      expect(at).toEqual([...new Set(ids(...expected))]);
    },
  );

  test('200: payments are found by the digits of a customer reference, and of the processor’s id', async () => {
    const { customerId = '', paymentId = '' } = purchases[2] ?? {};
    const { pool } = api.server;
    await pool.query(
      sql.unsafe`update customers set external_customer_id = '10017' where id = ${customerId}`,
    );
    await pool.query(sql.unsafe`update payments set rail_order_id = '20034' where id = ${paymentId}`);
    for (const q of ['10017', '20034']) expect(await found(`q=${q}`)).toEqual(ids(2));
  });

  test('200: payments are filtered by status and time', async () => {
    expect(await found('status=failed')).toEqual(ids(2));
    expect(await found('to=2020-01-01T00:00:00.000Z')).toEqual([]);
    expect(await found('from=2020-01-01T00:00:00.000Z')).toHaveLength(4);
    expect(await found('from=2020-01-01T00:00:00%2B18:00&to=9999-12-30T00:00:00-18:00')).toHaveLength(4);
  });

  test('200: the id of another merchant’s payment finds nothing', async () => {
    const theirs = await api.server.request('GET', '/v1/payments', { apiKey: api.other.apiKey });
    expect(await found(`q=${theirs.body.data[0].id}`)).toEqual([]);
  });

  test('200: payments are found by amount and status, paginated and filtered by time', async () => {
    expect(await found('q=19.00&status=failed')).toEqual(ids(2));
    expect(await found('q=19.00&status=succeeded')).toEqual(ids(1, 0));
    const first = await search('q=19.00&limit=2');
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual(ids(2, 1));
    expect(await found(`q=19.00&limit=2&cursor=${first.body.next_cursor}`)).toEqual(ids(0));
    expect(await found('q=19.00&to=2020-01-01T00:00:00.000Z')).toEqual([]);
    expect(await found('q=19.00&from=2020-01-01T00:00:00.000Z')).toEqual(ids(2, 1, 0));
  });

  test('400: a person’s request without an environment; another list’s cursor', async () => {
    expectRefusal(await api.admin('GET', '/search/payments'), 400, 'invalid_request');
    expectRefusal(await search('cursor=bm90aGluZw'), 400, 'invalid_request');
  });
});

describe('GET /search/checkouts, customers, subscriptions and invoices', () => {
  test('200: finds invoices by a part of their number, and by a part of the buyer’s email', async () => {
    const list = async (q: string) => {
      const path = `/search/invoices?environment=sandbox&q=${encodeURIComponent(q)}`;
      return (await api.admin('GET', path)).body.data.map(({ id }: { id: string }) => id);
    };
    const all = (await api.admin('GET', '/search/invoices?environment=sandbox')).body.data;
    const { id, number } = all.find((invoice: { id: string }) => invoice.id === purchases[1]?.invoiceId);
    for (const part of [number.slice(-5), number.slice(-9), number]) expect(await list(part)).toEqual([id]);
    const middle = number.slice(2, -2);
    expect(await list(middle)).toContain(id);
    const unpaid = await api.admin('GET', `/search/invoices?environment=sandbox&status=void&q=${middle}`);
    expect(unpaid.body.data).toEqual([]);
    for (const part of [`${number}0`, '_', '0%']) expect(await list(part)).toEqual([]);
    expect(await list('da@shop')).toEqual([purchases[0]?.invoiceId]);
    await api.server.pool.query(sql.unsafe`update invoices set number = 'RE-' || number where id = ${id}`);
    expect(await list(`re-${number}`)).toEqual([id]);
  });

  test('200: finds customers by period', async () => {
    const found = async (period: string) =>
      (await api.admin('GET', `/search/customers?environment=sandbox&${period}`)).body.data.length;
    const [yesterday, tomorrow] = [-1, 1].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString(),
    );
    expect(await found(`from=${yesterday}&to=${tomorrow}`)).toBe(4);
    expect(await found(`from=${tomorrow}`)).toBe(0);
    expect(await found(`to=${yesterday}`)).toBe(0);
  });

  const LISTS = [
    ['checkouts', 'checkoutId', [3, 2, 1, 0], 'status=failed', []],
    ['customers', 'customerId', [3, 2, 1, 0], 'q=nobody', []],
    ['subscriptions', 'subscriptionId', [3], 'status=active', [3]],
    ['invoices', 'invoiceId', [3, 2, 1, 0], 'status=void', []],
  ] as const;

  test.each(LISTS)(
    '200: %s, newest first, paginated and filtered',
    async (name, idOf, all, filter, filtered) => {
      const list = async (query: string) => {
        const answer = await api.admin('GET', `/search/${name}?environment=sandbox&${query}`);
        expect(answer.status).toBe(200);
        return answer.body;
      };
      const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
      const expected = (indexes: readonly number[]) => indexes.map((index) => purchases[index]?.[idOf]);
      const whole = await list('');
      expect([ids(whole), whole.next_cursor]).toEqual([expected(all), null]);
      const first = await list('limit=1');
      expect(ids(first)).toEqual(expected(all.slice(0, 1)));
      if (all.length > 1) {
        const next = await list(`limit=100&cursor=${first.next_cursor}`);
        expect(ids(next)).toEqual(expected(all.slice(1)));
      }
      expect(ids(await list(filter))).toEqual(expected(filtered));
      const [newest] = all;
      expect(ids(await list(`q=${purchases[newest]?.[idOf]}`))).toEqual(expected([newest]));
      expect(ids(await list(`q=${purchases[newest]?.customerId}`))).toEqual(expected([newest]));
      const ofAda = all.includes(0 as never) ? [0] : [];
      expect(ids(await list('q=ada%40shop.example'))).toEqual(expected(ofAda));
      expectRefusal(await api.admin('GET', `/search/${name}`), 400, 'invalid_request');
      expectRefusal(
        await api.admin('GET', `/search/${name}?environment=sandbox&cursor=e30`),
        400,
        'invalid_request',
      );
    },
  );

  test('200: finds a checkout by reference, an invoice by number, a subscription with its next charge', async () => {
    const at = (path: string) => api.admin('GET', `/search/${path}`);
    const [subscription] = (await at('subscriptions?environment=sandbox')).body.data;
    expect(subscription.next_charge_at).toBe('2026-02-28T10:00:00.000Z');
    const [invoice] = (await at('invoices?environment=sandbox')).body.data;
    const byNumber = await at(`invoices?environment=sandbox&q=${invoice.number}`);
    expect(byNumber.body.data).toEqual([invoice]);
    expect((await at('checkouts?environment=sandbox&q=cart-1')).body.data).toEqual([]);
  });

  test('200: finds payments by amount, and a subscription by its checkout’s reference', async () => {
    const [once, , , recurring] = purchases;
    await api.server.pool.query(sql.unsafe`
      update checkouts set merchant_reference = 'basket-7' where id = ${recurring?.checkoutId ?? ''}`);
    const found = async (path: string) => {
      const { body } = await api.admin('GET', `/search/${path}`);
      return body.data.map(({ id }: { id: string }) => id);
    };
    const amount = `environment=sandbox&q=${encodeURIComponent('9,00')}`;
    expect(await found(`checkouts?${amount}`)).toEqual([recurring?.checkoutId]);
    expect(await found(`invoices?${amount}`)).toEqual([recurring?.invoiceId]);
    expect(await found('checkouts?environment=sandbox&q=19.00')).not.toContain(recurring?.checkoutId);
    expect(await found('subscriptions?environment=sandbox&q=basket-7')).toEqual([recurring?.subscriptionId]);
    expect(await found('invoices?environment=sandbox&q=cart-1')).toContain(once?.invoiceId);
  });

  test('200: ids of another merchant’s objects find nothing', async () => {
    const theirs = await api.server.request('GET', '/v1/invoices', { apiKey: api.other.apiKey });
    const [{ id, customer_id: customer }] = theirs.body.data;
    for (const [name, q] of [
      ['invoices', id],
      ['customers', customer],
      ['checkouts', customer],
    ]) {
      const answer = await api.admin('GET', `/search/${name}?environment=sandbox&q=${q}`);
      expect(answer.body.data).toEqual([]);
    }
  });
});

describe('GET /search/products', () => {
  const find = (query: string) => api.admin('GET', `/search/products?${query}`);
  const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

  test('200: finds products by id, reference, part of the name, status and offering, paginated', async () => {
    const { oneTime, recurring } = api.shop.products;
    const { pool } = api.server;
    await pool.query(sql.unsafe`update products set external_reference = 'mug-1' where id = ${oneTime}`);
    const all = ids(await find(''));
    expect(all).toEqual([...all].sort().reverse());
    expect(all).toEqual(expect.arrayContaining([oneTime, recurring]));
    expect(all).not.toContain(api.other.products.oneTime);
    const first = await find('limit=1');
    expect(ids(await find(`cursor=${first.body.next_cursor}`))).toEqual(all.slice(1));
    expect(ids(await find(`q=${oneTime}`))).toEqual([oneTime]);
    expect(ids(await find('q=mug-1'))).toEqual([oneTime]);
    expect(ids(await find('q=kaffee-ABO'))).toEqual([api.shop.products.trial, recurring]);
    expect(ids(await find('q=%25'))).toEqual([]);
    expect(ids(await find('status=inactive'))).toEqual([]);
    expect(ids(await find('offering_id=ap_off_0'))).toEqual([]);
    expect(ids(await find('billing_mode=recurring'))).toEqual([api.shop.products.trial, recurring]);
  });

  test('200: finds the products of a storefront client, and none of another merchant’s client', async () => {
    const { oneTime } = api.shop.products;
    const client = { environment: 'sandbox', name: 'Shop', origins: ['https://shop.example'] };
    const own = await api.admin('POST', '/storefront-clients', { ...client, product_ids: [oneTime] });
    expect(ids(await find(`storefront_client_id=${own.body.id}`))).toEqual([oneTime]);
    const theirs = await api.server.request(
      'POST',
      `/v1/merchants/${api.other.merchantId}/storefront-clients`,
      {
        headers: asPerson(api.other.merchantId),
        body: { ...client, product_ids: [api.other.products.oneTime] },
      },
    );
    expect(theirs.status).toBe(201);
    expect(ids(await find(`storefront_client_id=${theirs.body.id}`))).toEqual([]);
  });

  test('200: a key finds the products of its own environment’s clients only', async () => {
    const { oneTime } = api.shop.products;
    const found: Record<string, string[]> = {};
    for (const environment of ['sandbox', 'production']) {
      const client = { environment, name: 'Shop', origins: ['https://shop.example'], product_ids: [oneTime] };
      const { body } = await api.admin('POST', '/storefront-clients', client);
      const query = `storefront_client_id=${body.id}`;
      expect(ids(await find(query))).toEqual([oneTime]);
      found[environment] = ids(await api.withKey(api.shop.apiKey, 'GET', `/search/products?${query}`));
    }
    expect(found).toEqual({ sandbox: [oneTime], production: [] });
  });

  test('400: an unknown status, an unknown cursor', async () => {
    for (const query of ['status=gone', 'cursor=e30'])
      expectRefusal(await find(query), 400, 'invalid_request');
  });
});

test.each(
  routes.map(({ path }) => path).filter((path) => path.startsWith('/v1/merchants/:merchantId/search/')),
)('400 %s: a cursor with NUL', async (path) => {
  for (const position of [[0, '\0'], ['\0']]) {
    const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
    const list = path.replace('/v1/merchants/:merchantId', '');
    const answer = await api.admin('GET', `${list}?environment=sandbox&cursor=${cursor}`);
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.field).toBe('cursor');
  }
});

test('GET /exports/payments: the whole list as CSV, with formulas neutralised', async () => {
  const answer = await api.admin('GET', '/exports/payments?environment=sandbox');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const lines = String(answer.body).trimEnd().split('\r\n');
  expect(lines.map((line) => line.split(',')[0])).toEqual(['id', ...ids(3, 2, 1, 0)]);
  expect(lines[1]).toContain(',succeeded,9.00,0.00,EUR,"Filterkaffee, 1 kg",cart-1,');
  expect(await api.audited('payments')).toMatchObject([{ action: 'list.exported', after: { rows: 4 } }]);
  expectRefusal(await api.admin('GET', '/exports/payments'), 400, 'invalid_request');
});

test.each([
  ['checkouts', () => purchases[3]?.checkoutId, ',9.00,EUR,'],
  ['subscriptions', () => purchases[3]?.subscriptionId, ',Kaffee-Abo,9.00,EUR,'],
  ['invoices', () => purchases[3]?.invoiceId, ',9.00,'],
])('GET /exports/%s: the list as CSV, filtered', async (name, newest, written) => {
  const answer = await api.admin('GET', `/exports/${name}?environment=sandbox`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const [head, line] = String(answer.body).split('\r\n');
  expect(head).toMatch(/^id,(number,issued_at|created_at),/);
  expect(line?.split(',')[0]).toBe(newest());
  expect(line).toContain(written);
  expect(line).toMatch(/^\w+,(\w+-\w+,)?\d{4}-\d\d-\d\dT/);
  const none = await api.admin('GET', `/exports/${name}?environment=sandbox&q=nobody`);
  expect(String(none.body)).toBe(`${head}\r\n`);
  expect(
    (await api.audited(name)).map(({ action, after }) => [action, after?.rows, after?.is_search]),
  ).toEqual([
    ['list.exported', String(answer.body).trimEnd().split('\r\n').length - 1, false],
    ['list.exported', 0, true],
  ]);
  expectRefusal(await api.admin('GET', `/exports/${name}`), 400, 'invalid_request');
});

describe('GET /payments/:paymentId', () => {
  test('200: the payment with its customer and history, oldest first', async () => {
    const answer = await api.admin('GET', `/payments/${purchases[0]?.paymentId}`);
    expect(answer.body).toMatchObject({
      status: 'succeeded',
      customer: { email: 'Ada@Shop.example' },
      invoice_id: purchases[0]?.invoiceId,
      refundable_amount: 1900,
      refunds_supported: false,
    });
    const happened = answer.body.timeline.map(({ what }: { what: string }) => what);
    expect(happened).toEqual(['checkout_created', 'attempt_made', 'succeeded', 'invoice_issued']);
  });

  test('200: the history includes the page’s opening, the challenge, and open and finished look-ups', async () => {
    const { pool } = api.server;
    const { paymentId, checkoutId } = purchases[1] ?? {};
    const asked = [
      ['authorize', 'challenge'],
      ['lookup', 'unknown'],
      ['lookup', 'approved'],
    ] as const;
    await pool.query(sql.unsafe`
      insert into clicks (claim_id, merchant_id, environment, checkout_id, method_type, not_after, opened_at)
      select 'opened', merchant_id, environment, id, 'card', service_clock(), '2020-01-01T00:00:00Z'
      from checkouts where id = ${checkoutId ?? ''}`);
    for (const [operation, outcome] of asked)
      await storeRailAnswer(pool, {
        account: { id: api.shop.railAccountId, rail: 'sandbox', environment: 'sandbox' },
        reference: paymentId ?? '',
        operation,
        outcome,
        code: null,
        detail: null,
        tookMs: 1,
        isAttempt: false,
      });
    const { timeline } = (await api.admin('GET', `/payments/${paymentId}`)).body;
    expect(timeline[0]).toMatchObject({ what: 'page_opened', at: '2020-01-01T00:00:00.000Z' });
    const told = timeline.flatMap(({ what, detail }: { what: string; detail: string | null }) =>
      ['challenge_open', 'looked_up'].includes(what) ? [[what, detail]] : [],
    );
    expect(told).toEqual([
      ['challenge_open', 'challenge'],
      ['looked_up', 'unknown'],
      ['looked_up', 'approved'],
    ]);
  });

  test('200: a failed delivery shows whether it is being retried, held back or given up', async () => {
    const { pool } = api.server;
    const { paymentId = '' } = purchases[3] ?? {};
    const { merchantId } = api.shop;
    await pool.query(sql.unsafe`
      insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, body)
      values ('evt_told', ${merchantId}, 'sandbox', 'payment.succeeded', ${paymentId}, 1, '{}')`);
    for (const status of ['pending', 'held', 'exhausted', 'succeeded'] as const) {
      const endpoint = await createEndpoint(pool, api.shop, { url: `https://shop.example/${status}` });
      await pool.query(sql.unsafe`
        insert into deliveries (event_id, endpoint_id, status, attempts, last_attempt_at, succeeded_at)
        values ('evt_told', ${endpoint.id}, ${status}, 1, service_clock(),
          case when ${status} = 'succeeded' then service_clock() end)`);
    }
    const paused = await createEndpoint(pool, api.shop, {
      url: 'https://shop.example/paused',
      status: 'paused',
    });
    await pool.query(sql.unsafe`
      insert into deliveries (event_id, endpoint_id, attempts, last_attempt_at)
      values ('evt_told', ${paused.id}, 1, service_clock())`);
    const { timeline } = (await api.admin('GET', `/payments/${paymentId}`)).body;
    const told = timeline.flatMap(({ what, detail }: { what: string; detail: string | null }) =>
      detail?.startsWith('https://') ? [[new URL(detail).pathname.slice(1), what]] : [],
    );
    expect(Object.fromEntries(told)).toEqual({
      pending: 'delivery_failed',
      held: 'delivery_held',
      paused: 'delivery_held',
      exhausted: 'delivery_given_up',
      succeeded: 'event_delivered',
    });
  });

  test('404: a malformed or unknown id, and the id of another merchant’s object', async () => {
    const theirs = await api.server.request('GET', '/v1/payments', { apiKey: api.other.apiKey });
    for (const id of ['ap_ord_0', 'ap_pay_0', theirs.body.data[0].id])
      expectRefusal(await api.admin('GET', `/payments/${id}`), 404, 'payment_not_found');
  });
});

describe('GET /checkouts/:checkoutId', () => {
  test('200: people and keys see the checkout with its attempts’ history, without duplicates', async () => {
    const path = `/checkouts/${purchases[0]?.checkoutId}`;
    const answer = await api.admin('GET', path);
    expect(answer.body).toMatchObject({
      environment: 'sandbox',
      state: 'created',
      payment_id: purchases[0]?.paymentId,
      customer: { email: 'Ada@Shop.example' },
    });
    const happened = answer.body.timeline.map(({ what }: { what: string }) => what);
    expect(happened.toSorted()).toEqual(['attempt_made', 'checkout_created', 'invoice_issued', 'succeeded']);
    expect((await api.withKey(api.shop.apiKey, 'GET', path)).status).toBe(200);
  });

  test('200: the timeline of a failed checkout ends with its failure reason', async () => {
    const id = purchases[2]?.checkoutId ?? '';
    await api.server.pool.query(sql.unsafe`
      update checkouts set state = 'failed', failure_reason = 'expired', finished_at = service_clock()
      where id = ${id}`);
    const { timeline } = (await api.admin('GET', `/checkouts/${id}`)).body;
    expect(timeline.at(-1)).toMatchObject({ what: 'checkout_failed', detail: 'expired' });
  });

  test('404: a malformed or unknown id, and the id of another merchant’s object', async () => {
    const theirs = await insertPurchase(api.server.pool, api.other, api.other.products.oneTime);
    for (const id of ['ap_ord_0', 'ap_chk_0', theirs.checkoutId])
      expectRefusal(await api.admin('GET', `/checkouts/${id}`), 404, 'checkout_not_found');
  });
});

describe('GET /overview', () => {
  test('200: sales, declines, subscriptions and items that need attention', async () => {
    const answer = await api.admin('GET', '/overview?environment=sandbox');
    expect(answer.status).toBe(200);
    const sales = { count: 3, amount: 4_700, refunded: 0 };
    expect(answer.body).toMatchObject({
      today: sales,
      last_30_days: sales,
      previous_30_days: { count: 0 },
      declines: [{ failure_code: 'insufficient_funds', count: 1 }],
      subscriptions: { active: 1, monthly_amount: 900 },
      attention: { rail_account: 'active', disputes_open: 0 },
    });
    expect(answer.body.days).toHaveLength(60);
    expect(answer.body.days.at(-1)).toMatchObject({ count: 3, amount: 4_700 });
  });

  /** The overview of a new shop, because its figures are cached for three seconds. */
  async function overviewOf(shop: Shop) {
    const path = `/v1/merchants/${shop.merchantId}/overview`;
    return (await api.server.request('GET', path, { apiKey: shop.apiKey })).body;
  }

  async function shopWithPayments(count: number) {
    const { pool } = api.server;
    const shop = await insertShop(pool);
    const paymentIds: string[] = [];
    for (let n = 0; n < count; n++)
      paymentIds.push((await insertPurchase(pool, shop, shop.products.oneTime)).paymentId);
    return { pool, shop, paymentIds };
  }

  test('200: counts the last ten minutes’ declines above the limit', async () => {
    const { pool, shop } = await shopWithPayments(0);
    await pool.query(sql.unsafe`
      insert into card_declines (merchant_id, environment, passed, passing_since, at)
      select ${shop.merchantId}, 'sandbox', 'client', since, service_clock() - n * interval '9 minutes'
      from generate_series(0, 2) n, (values (service_clock()), (null)) as run (since)`);
    expect((await overviewOf(shop)).attention.declines_above_limit).toBe(2);
  });

  test('200: a card check of 0 cents and a payment dated in the future do not count as today’s payments', async () => {
    const { pool, shop, paymentIds } = await shopWithPayments(3);
    const [check = '', later = ''] = paymentIds;
    await pool.query(sql.unsafe`update payments set amount = 0 where id = ${check}`);
    await pool.query(sql.unsafe`
      update payments set created_at = service_clock() + interval '40 days' where id = ${later}`);
    const { today, last_30_days, days } = await overviewOf(shop);
    expect([today.count, last_30_days.count, days.at(-1).count]).toEqual([1, 1, 1]);
  });

  test('200: sums exclude payments in another currency', async () => {
    const { pool, shop, paymentIds } = await shopWithPayments(2);
    const [other = ''] = paymentIds;
    await pool.query(sql.unsafe`update payments set currency = 'USD' where id = ${other}`);
    expect((await overviewOf(shop)).last_30_days.count).toBe(1);
  });

  test('200: a day begins at midnight in the merchant’s time zone', async () => {
    const { pool, shop, paymentIds } = await shopWithPayments(2);
    const zone = 'Pacific/Auckland';
    await pool.query(sql.unsafe`update merchants set time_zone = ${zone} where id = ${shop.merchantId}`);
    for (const [secondsBefore, paymentId] of paymentIds.entries())
      await pool.query(sql.unsafe`
        update payments set created_at = date_trunc('day', service_clock() at time zone ${zone}) at time zone ${zone}
          - ${secondsBefore} * interval '1 second'
        where id = ${paymentId}`);
    const { time_zone, today, last_30_days } = await overviewOf(shop);
    expect([time_zone, today.count, last_30_days.count]).toEqual([zone, 1, 2]);
  });

  test('200: sums are in EUR, the service’s only currency', async () => {
    const before = (await api.admin('GET', '/overview?environment=sandbox')).body;
    expect(CURRENCIES).toEqual([before.currency]);
  });

  test('200: a key sees its own environment; 400: a person must name one', async () => {
    expect((await api.withKey(api.shop.apiKey, 'GET', '/overview')).body.today.count).toBe(3);
    expectRefusal(await api.admin('GET', '/overview'), 400, 'invalid_request');
  });
});

test('GET /access: a person has the permissions of their role, and a key has read access', async () => {
  const person = await api.admin('GET', '/access');
  expect(person.body).toMatchObject({ merchant_id: api.shop.merchantId, merchant_status: 'active' });
  expect(person.body).toMatchObject({
    permissions: expect.arrayContaining(['refund']),
    refund_limit: null,
    time_zone: 'UTC',
  });
  const key = await api.withKey(api.shop.apiKey, 'GET', '/access');
  expect(key.body).toMatchObject({ permissions: ['read'], refund_limit: 0 });
});

describe('POST /refunds', () => {
  const refund = (body: object, key: string = randomUUID(), role: Role = 'owner') =>
    api.server.request('POST', `/v1/merchants/${api.shop.merchantId}/refunds`, {
      headers: { ...asPerson(api.shop.merchantId, role), 'idempotency-key': key },
      body: { environment: 'sandbox', ...body },
    });
  const payment_id = () => purchases[0]?.paymentId ?? '';

  test('501 without the capability, then 201 once, audited, and 400 beyond the amount', async () => {
    expectRefusal(await refund({ payment_id: payment_id() }), 501, 'refunds_not_supported');
    await api.server.pool.query(sql.unsafe`
      update rail_accounts set capabilities = capabilities || '{"refunds": true}'
      where id = ${api.shop.railAccountId}`);
    const key = randomUUID();
    const made = await refund({ payment_id: payment_id(), amount: 400, reason: 'broken' }, key);
    expect([made.status, made.body.amount, made.body.status]).toEqual([201, 400, 'pending']);
    expect((await refund({ payment_id: payment_id(), amount: 400, reason: 'broken' }, key)).body).toEqual(
      made.body,
    );
    expect(await api.audited(payment_id())).toMatchObject([
      { action: 'refund.create', environment: 'sandbox', after: { refund_id: made.body.id, amount: 400 } },
    ]);
    expectRefusal(
      await refund({ payment_id: payment_id(), amount: 1_501 }),
      400,
      'refund_amount_exceeds_payment',
    );
    const shown = await api.admin('GET', `/payments/${payment_id()}`);
    expect(shown.body).toMatchObject({
      refundable_amount: 1_500,
      refunds: [{ amount: 400, reason: 'broken' }],
    });
  });

  test('409 payment_disputed without confirm_dispute; lists and the payment show the dispute', async () => {
    const { paymentId, checkoutId } = await insertPurchase(
      api.server.pool,
      api.shop,
      api.shop.products.oneTime,
    );
    await insertDispute(api.server.pool, api.shop, paymentId, { status: 'open', amount: 1_500 });
    expectRefusal(await refund({ payment_id: paymentId }), 409, 'payment_disputed');
    expect((await refund({ payment_id: paymentId, amount: 400 })).status).toBe(201);
    const dispute = { dispute_status: 'open', disputed_amount: 1_500 };
    expect((await api.admin('GET', `/payments/${paymentId}`)).body).toMatchObject(dispute);
    const found = await api.admin('GET', `/search/payments?environment=sandbox&q=${paymentId}`);
    expect(found.body.data).toMatchObject([dispute]);
    const checkouts = await api.admin('GET', `/search/checkouts?environment=sandbox&q=${checkoutId}`);
    const checkout = await api.admin('GET', `/checkouts/${checkoutId}`);
    for (const shown of [checkouts.body.data[0], checkout.body])
      expect(shown).toMatchObject({ payment_id: paymentId, payment_dispute_status: 'open' });
    const refunds = await api.admin('GET', '/search/refunds?environment=sandbox');
    expect(refunds.body.data[0]).toMatchObject({ payment_id: paymentId, payment_dispute_status: 'open' });
    const confirmed = { payment_id: paymentId, amount: 1_500, if_refundable_amount: 1_500 };
    expect((await refund({ ...confirmed, confirm_dispute: true })).status).toBe(201);
  });

  test('409 refundable_amount_changed: a second refund based on the same refundable amount, even under another key', async () => {
    const seen = { payment_id: purchases[1]?.paymentId, amount: 400, if_refundable_amount: 1_900 };
    expect((await refund({ ...seen, reason: 'brokn' })).status).toBe(201);
    expectRefusal(await refund({ ...seen, reason: 'broken' }), 409, 'refundable_amount_changed');
    expect((await refund({ ...seen, if_refundable_amount: 1_500 })).status).toBe(201);
  });

  test('403 refund_limit_exceeded: support refunds nothing by default, then up to the limit of a payment', async () => {
    const { paymentId } = await insertPurchase(api.server.pool, api.shop, api.shop.products.oneTime);
    const support = (amount?: number) => refund({ payment_id: paymentId, amount }, randomUUID(), 'support');
    const limitShown = async () => {
      const path = `/v1/merchants/${api.shop.merchantId}/access`;
      const headers = asPerson(api.shop.merchantId, 'support');
      return (await api.server.request('GET', path, { headers })).body.refund_limit;
    };
    expect(await limitShown()).toBe(0);
    expectRefusal(await support(1), 403, 'refund_limit_exceeded');
    expect((await api.admin('PATCH', '/settings', { support_refund_limit: 500 })).status).toBe(200);
    expect(await limitShown()).toBe(500);
    expectRefusal(await support(), 403, 'refund_limit_exceeded');
    expectRefusal(await support(501), 403, 'refund_limit_exceeded');
    expect((await support(300)).status).toBe(201);
    expectRefusal(await support(201), 403, 'refund_limit_exceeded');
    expect((await support(200)).status).toBe(201);
    expect((await refund({ payment_id: paymentId }, randomUUID(), 'manager')).body.amount).toBe(1_400);
    await api.admin('PATCH', '/settings', { support_refund_limit: 0 });
  });

  test('400, 404 and 409: an amount of zero, the other environment’s payment, a failed payment', async () => {
    expectRefusal(await refund({ payment_id: payment_id(), amount: 0 }), 400, 'invalid_request');
    expectRefusal(
      await refund({ payment_id: payment_id(), environment: 'production' }),
      404,
      'payment_not_found',
    );
    expectRefusal(await refund({ payment_id: purchases[2]?.paymentId }), 409, 'payment_not_refundable');
  });
});

seesEveryAnswerOf(
  'showAccess',
  'showOverview',
  'searchPayments',
  'searchCheckouts',
  'searchCustomers',
  'searchSubscriptions',
  'searchInvoices',
  'searchProducts',
  'showPayment',
  'showCheckoutHistory',
  'exportPayments',
  'exportCheckouts',
  'exportSubscriptions',
  'exportInvoices',
  'createRefundAsPerson',
);
