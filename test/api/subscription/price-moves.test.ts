/** A manager moves a price's subscribers to the price that replaced it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { announceMove, movesToAnnounce } from '../../../db/subscription/announce-price-move.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import { type AdminApi, describeGate, resourceOf, startAdminApi } from '../../support/api/admin-api.ts';
import { expectMarks, expectRefusal } from '../../support/api/api.ts';
import { asPerson, PERSON } from '../../support/api/people.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertSubscription } from '../../support/db/subscriptions.ts';

let api: AdminApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

const NONE = '/price-moves/ap_pm_00000000000000000000000000000000';
describeGate(() => api, 'GET', '/price-moves');
describeGate(() => api, 'GET', '/price-moves/preview');
describeGate(() => api, 'GET', NONE);
describeGate(() => api, 'POST', '/price-moves');
describeGate(() => api, 'PATCH', NONE);

const inDays = (days: number) => addDays(new Date().toISOString(), days);

async function priced(productId: string, terms: object = {}): Promise<string> {
  const recurring = { interval: 'month', interval_count: 1 };
  const body = { amount: 900, tax_rate: 19, billing_mode: 'recurring', recurring, ...terms };
  return (await api.admin('POST', `/products/${productId}/prices`, body)).body.id;
}

/** A product whose price of 9.00 a month is replaced after `sold` subscriptions. */
async function replaced({ terms = {}, sold = 0 }: { terms?: object; sold?: number } = {}) {
  const productId: string = (await api.admin('POST', '/products', { name: 'Tea' })).body.id;
  const old_price_id = await priced(productId);
  const subscriptions = [];
  for (let each = 0; each < sold; each++)
    subscriptions.push(await insertSubscription(api.server.pool, api.shop, productId));
  const new_price_id = await priced(productId, { amount: 1_100, ...terms });
  const wanted = { environment: 'sandbox', old_price_id, new_price_id, from: inDays(40) };
  return { productId, subscriptions, wanted };
}
type Wanted = Awaited<ReturnType<typeof replaced>>['wanted'];

const create = (wanted: object) => api.admin('POST', '/price-moves', wanted);
const show = (id: string) => api.admin('GET', `/price-moves/${id}`);
const cancel = (id: string, body: object = { status: 'cancelled' }) =>
  api.admin('PATCH', `/price-moves/${id}`, body);
const preview = (wanted: object) =>
  api.admin('GET', `/price-moves/preview?${new URLSearchParams(wanted as Record<string, string>)}`);

async function sweep(): Promise<void> {
  for (const { subscriptionId } of await movesToAnnounce(api.server.pool, 500))
    await announceMove(api.server.pool, subscriptionId);
}

const REFUSED: readonly [string, (of: Wanted) => object | Promise<object>, number, string][] = [
  ['a date sooner than the notice', () => ({ from: inDays(29) }), 400, 'price_move_date_invalid'],
  ['a date in more than five years', () => ({ from: inDays(1_900) }), 400, 'price_move_date_invalid'],
  ['an invalid date', () => ({ from: 'soon' }), 400, 'invalid_request'],
  ['an unknown price', () => ({ old_price_id: 'ap_price_1' }), 404, 'price_not_found'],
  [
    'a move of the active price to itself',
    ({ new_price_id }) => ({ old_price_id: new_price_id }),
    409,
    'price_move_incompatible',
  ],
  [
    'a new price that is not active',
    ({ old_price_id, new_price_id }) => ({ old_price_id: new_price_id, new_price_id: old_price_id }),
    409,
    'price_move_incompatible',
  ],
  [
    'a price of another product',
    async () => ({ new_price_id: (await replaced()).wanted.new_price_id }),
    409,
    'price_move_incompatible',
  ],
  [
    'a new price with another interval',
    async () => (await replaced({ terms: { recurring: { interval: 'year' } } })).wanted,
    409,
    'price_move_incompatible',
  ],
  [
    'a new price with another interval count',
    async () => (await replaced({ terms: { recurring: { interval: 'month', interval_count: 3 } } })).wanted,
    409,
    'price_move_incompatible',
  ],
  [
    'a new price that is paid once',
    async () => (await replaced({ terms: { billing_mode: 'one_time', recurring: null } })).wanted,
    409,
    'price_move_incompatible',
  ],
];

test.each(REFUSED)('%s is refused, and the preview refuses it too', async (_name, other, status, code) => {
  const { wanted } = await replaced();
  const fields = { ...wanted, ...(await other(wanted)) };
  expectRefusal(await create(fields), status, code);
  expectRefusal(await preview(fields), status, code);
});

describe('POST /price-moves', () => {
  test('201: returns the move and writes an audit row', async () => {
    const { wanted, productId } = await replaced();
    const answer = await create(wanted);
    expect(answer.status).toBe(201);
    expectMarks(answer);
    const move = resourceOf(answer);
    expect(move).toMatchObject({
      ...wanted,
      merchant_id: api.shop.merchantId,
      product_id: productId,
      notice_days: 30,
      status: 'active',
      cancelled_at: null,
    });
    expect(await api.audited(answer.body.id)).toMatchObject([
      { action: 'price_move.create', actor: PERSON, environment: 'sandbox', before: null, after: move },
    ]);
  });

  test('400 for an unknown field', async () => {
    const { wanted } = await replaced();
    expectRefusal(await create({ ...wanted, notice: 3 }), 400, 'unknown_field');
  });

  test('only one of two concurrent requests creates the move; another can be created once it is cancelled', async () => {
    const { wanted } = await replaced();
    const answers = await Promise.all([create(wanted), create(wanted)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expectRefusal(await create(wanted), 409, 'price_move_exists');
    expect((await create({ ...wanted, environment: 'production' })).status).toBe(201);
    await cancel(answers.find(({ status }) => status === 201)?.body.id);
    expect((await create(wanted)).status).toBe(201);
  });

  test('201: the notice period is the one in the merchant’s settings', async () => {
    const { wanted } = await replaced();
    const soon = { ...wanted, from: inDays(5) };
    expectRefusal(await create(soon), 400, 'price_move_date_invalid');
    const set = (price_move_notice_days: number) =>
      api.admin('PATCH', '/settings', { price_move_notice_days });
    expect((await set(4)).status).toBe(200);
    const answer = await create(soon);
    await set(30);
    expect(answer).toMatchObject({ status: 201, body: { notice_days: 4 } });
  });

  test("404 for another merchant's price", async () => {
    const { wanted } = await replaced();
    const theirs = await api.server.request('POST', `/v1/merchants/${api.other.merchantId}/price-moves`, {
      headers: asPerson(api.other.merchantId),
      body: wanted,
    });
    expectRefusal(theirs, 404, 'price_not_found');
  });
});

test('the preview counts the subscribers and shows their new totals; the report tracks the move’s progress', async () => {
  const { wanted, subscriptions } = await replaced({ sold: 12 });
  const previewed = await preview(wanted);
  expect(previewed.status).toBe(200);
  expect(previewed.body).toMatchObject({
    counts: { waiting: 12, announced: 0, moved: 0, refused: 0 },
    refusals: [],
  });
  expect(previewed.body.sample).toHaveLength(10);
  expect(previewed.body.sample[0]).toMatchObject({ old_total: 900, new_total: 1_100 });
  const { id } = (await create(wanted)).body;
  await sweep();
  const shown = await show(id);
  expect(shown.body).toMatchObject({ id, counts: { waiting: 0, announced: 12 } });
  expect(shown.body.sample).toEqual(previewed.body.sample);
  const subscription = await api.admin('GET', `/subscriptions/${subscriptions[0]}`);
  expect(subscription.body).toMatchObject({ price_move: { id, amount: 1_100, from: wanted.from } });
});

describe('PATCH /price-moves/:id', () => {
  test('cancels the move once, with one audit row', async () => {
    const { wanted } = await replaced();
    const { id } = (await create(wanted)).body;
    const first = await cancel(id);
    expect(first).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(resourceOf(await cancel(id))).toEqual(resourceOf(first));
    expect((await api.audited(id)).map(({ action }) => action)).toEqual([
      'price_move.create',
      'price_move.cancel',
    ]);
  });

  test('400 for another status and an unknown field, 404 for an unknown move', async () => {
    const { wanted } = await replaced();
    const { id } = (await create(wanted)).body;
    expectRefusal(await cancel(id, { status: 'active' }), 400, 'invalid_request');
    expectRefusal(await cancel(id, { status: 'cancelled', from: inDays(90) }), 400, 'unknown_field');
    expectRefusal(await api.admin('PATCH', NONE, { status: 'cancelled' }), 404, 'price_move_not_found');
  });
});

test('a key reads the moves of its environment, filtered by product', async () => {
  const { wanted, productId } = await replaced();
  const { id } = (await create(wanted)).body;
  const live = (await create({ ...wanted, environment: 'production' })).body.id;
  const read = (path: string) => api.withKey(api.shop.apiKey, 'GET', `/price-moves${path}`);
  const { body } = await read(`?product_id=${productId}`);
  expect(body.data.map((each: { id: string }) => each.id)).toEqual([id]);
  expect((await read(`/${id}`)).status).toBe(200);
  expectRefusal(await read(`/${live}`), 404, 'price_move_not_found');
  expectRefusal(await read('?product_id='), 400, 'invalid_request');
  expectRefusal(await read('?environment=production'), 403, 'merchant_scope_mismatch');
});

test("404 for another merchant's move", async () => {
  const { wanted } = await replaced();
  const { id } = (await create(wanted)).body;
  const base = `/v1/merchants/${api.other.merchantId}/price-moves`;
  const headers = asPerson(api.other.merchantId);
  expectRefusal(await api.server.request('GET', `${base}/${id}`, { headers }), 404, 'price_move_not_found');
  const patched = await api.server.request('PATCH', `${base}/${id}`, {
    headers,
    body: { status: 'cancelled' },
  });
  expectRefusal(patched, 404, 'price_move_not_found');
  const listed = await api.server.request('GET', base, { headers });
  expect(listed.body.data).toEqual([]);
});

seesEveryAnswerOf(
  'listPriceMoves',
  'createPriceMove',
  'previewPriceMove',
  'showPriceMove',
  'updatePriceMove',
);
