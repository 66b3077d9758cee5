/** Products under /v1/merchants/:merchantId: create, show, change, activate and deactivate. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { MOST_OF_MERCHANT } from '../../../api/http/lane.ts';
import { product } from '../../../contract/catalogue/resources.ts';
import { sessionTerms } from '../../../contract/session/terms.ts';
import { sql } from '../../../db/core/pool.ts';
import {
  type AdminApi,
  atOnce,
  describeGate,
  resourceOf,
  startAdminApi,
} from '../../support/api/admin-api.ts';
import { type Answer, expectMarks, expectRefusal } from '../../support/api/api.ts';
import { asPerson, PERSON } from '../../support/api/people.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { eventually } from '../../support/core/eventually.ts';
import { png } from '../../support/core/images.ts';

let api: AdminApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

const NONE = '/products/ap_prod_00000000000000000000000000000000';
const create = (fields: object = {}) => api.admin('POST', '/products', { name: 'Tasse', ...fields });
async function created(fields: object = {}): Promise<string> {
  const answer = await create(fields);
  expect(answer.status).toBe(201);
  return answer.body.id;
}
const show = (id: string) => api.admin('GET', `/products/${id}`);
const change = (id: string, fields: unknown) => api.admin('PATCH', `/products/${id}`, fields);

describeGate(() => api, 'POST', '/products');
describeGate(() => api, 'GET', NONE);
describeGate(() => api, 'PATCH', NONE);

/** Fields that creation and update refuse. */
const REFUSED: readonly [string, object][] = [
  ['an empty name', { name: '' }],
  ['a name that is not a string', { name: 7 }],
  ['a name that is too long', { name: 'x'.repeat(201) }],
  ['a name with NUL', { name: 'a\0b' }],
  ['a description that is too long', { description: 'x'.repeat(2_001) }],
  ['an empty external reference', { external_reference: '' }],
  ['an external reference that is too long', { external_reference: 'x'.repeat(201) }],
  ['a quantity without max', { quantity: { min: 1 } }],
  ['a quantity of none', { quantity: { min: 0, max: 5 } }],
  ['a quantity with min above max', { quantity: { min: 6, max: 5 } }],
  ['a quantity that is too large', { quantity: { min: 1, max: 10_001 } }],
  ['no billing cycle', { billing_cycles: 0 }],
  ['too many billing cycles', { billing_cycles: 1_001 }],
  ['one trial per customer that is not a boolean', { one_trial_per_customer: 1 }],
  ['an image over http', { image_url: 'http://shop.example/mug.png' }],
  ['an image URL that is too long', { image_url: `https://shop.example/${'x'.repeat(500)}` }],
  ['metadata that is not an object', { metadata: ['a'] }],
  ['metadata with a number', { metadata: { shelf: 3 } }],
  ['metadata with an empty key', { metadata: { '': 'x' } }],
  ['metadata with a key that is too long', { metadata: { ['k'.repeat(41)]: 'x' } }],
  ['metadata with a value that is too long', { metadata: { shelf: 'x'.repeat(501) } }],
  ['metadata with a key that JavaScript loses', { metadata: JSON.parse('{"shelf":"1","__proto__":"x"}') }],
  [
    'metadata with too many keys',
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, key) => [key, 'x'])) },
  ],
];

describe('POST /products', () => {
  test('201: returns the product, active and without a price', async () => {
    const answer = await create({
      description: 'Emaille',
      metadata: { shelf: '3' },
      external_reference: 'mug',
      amount: 1,
    });
    expect(answer.status).toBe(201);
    expectMarks(answer);
    expect(product.strict().parse(resourceOf(answer))).toMatchObject({
      merchant_id: api.shop.merchantId,
      name: 'Tasse',
      description: 'Emaille',
      metadata: { shelf: '3' },
      external_reference: 'mug',
      active_price: null,
      status: 'active',
    });
    expect(answer.body.id).toMatch(/^ap_prod_[0-9a-f]{32}$/);
    expect(resourceOf(await show(answer.body.id))).toEqual(resourceOf(answer));
  });

  test('201: a quantity is stored; null removes it', async () => {
    const id = await created({ quantity: { min: 2, max: 50 } });
    expect((await show(id)).body.quantity).toEqual({ min: 2, max: 50 });
    expect((await change(id, { name: 'Tassen' })).body.quantity).toEqual({ min: 2, max: 50 });
    expect((await change(id, { quantity: null })).body.quantity).toBeNull();
  });

  test('201: billing cycles are stored; null removes them', async () => {
    const id = await created({ billing_cycles: 12 });
    expect((await show(id)).body.billing_cycles).toBe(12);
    expect((await change(id, { name: 'Tassen' })).body.billing_cycles).toBe(12);
    expect((await change(id, { billing_cycles: null })).body.billing_cycles).toBeNull();
  });

  test.each(['one_subscription_per_customer', 'one_trial_per_customer'])(
    '201: %s is stored, and false by default',
    async (field) => {
      expect((await show(await created({}))).body[field]).toBe(false);
      const id = await created({ [field]: true });
      expect((await show(id)).body[field]).toBe(true);
      expect((await change(id, { name: 'Tassen' })).body[field]).toBe(true);
      expect((await change(id, { [field]: false })).body[field]).toBe(false);
    },
  );

  test('201: a name alone is enough; absent fields are null, and metadata is empty', async () => {
    expect((await create()).body).toMatchObject({
      description: null,
      external_reference: null,
      metadata: {},
    });
  });

  test('400: a body without a name', async () => {
    expectRefusal(await api.admin('POST', '/products'), 400, 'invalid_request');
  });

  test.each(REFUSED)('400: %s', async (_what, fields) => {
    const answer = await create(fields);
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.message).toContain(Object.keys(fields)[0] ?? '');
  });

  test('409: an external_reference of another product; only one of several concurrent requests succeeds', async () => {
    const answers = await atOnce(api, 5, () => create({ external_reference: 'once' }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectRefusal(answer, 409, 'external_reference_taken');
    // References are unique per merchant, so both shops can use this one.
    expectRefusal(await create({ external_reference: 'coffee-1kg' }), 409, 'external_reference_taken');
  });

  test('the audit log records actor, change and request', async () => {
    const answer = await create();
    expect(await api.audited(answer.body.id)).toEqual([
      {
        action: 'product.create',
        actor: PERSON,
        environment: null,
        request_id: answer.body.request_id,
        before: null,
        after: resourceOf(answer),
      },
    ]);
  });
});

test('PATCH /products/:productId: only one of several concurrent requests gets an external_reference, the others 409', async () => {
  const ids = [await created(), await created(), await created()];
  const answers = await atOnce(api, 3, () => change(ids.pop() ?? '', { external_reference: 'wanted' }));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

describe('GET /products/:productId', () => {
  test('200: people and keys of both environments see the product with its active price', async () => {
    const answer = await api.withKey(api.shop.apiKey, 'GET', `/products/${api.shop.products.recurring}`);
    expect(answer.status).toBe(200);
    expectMarks(answer);
    expect(product.strict().parse(resourceOf(answer)).active_price).toMatchObject({
      amount: 900,
      recurring: { interval: 'month', interval_count: 1, trial_period_days: null },
    });
    expect(resourceOf(await show(api.shop.products.recurring))).toEqual(resourceOf(answer));
  });
});

describe('PATCH /products/:productId', () => {
  test('200: only the given fields change; null removes a value', async () => {
    const id = await created({ description: 'Emaille', metadata: { shelf: '3', row: '1' } });
    const renamed = await change(id, { name: 'Becher', external_reference: `mug-${id}` });
    expect(renamed.status).toBe(200);
    expectMarks(renamed);
    expect(product.strict().parse(resourceOf(renamed))).toMatchObject({
      id,
      name: 'Becher',
      description: 'Emaille',
      metadata: { shelf: '3', row: '1' },
      external_reference: `mug-${id}`,
    });
    expect(Date.parse(renamed.body.updated_at)).toBeGreaterThan(Date.parse(renamed.body.created_at));
    const emptied = await change(id, { description: null, external_reference: null, metadata: { row: '2' } });
    expect(emptied.body).toMatchObject({
      name: 'Becher',
      description: null,
      external_reference: null,
      metadata: { row: '2' },
    });
    expect(resourceOf(await show(id))).toEqual(resourceOf(emptied));
  });

  test('200: an inactive product cannot be sold; it can be sold again once active', async () => {
    const productId = api.shop.products.oneTime;
    const { apiKey } = api.shop;
    const buy = () =>
      api.server.request('POST', '/v1/checkouts', { apiKey, body: { productId, externalCustomerId: 'u-1' } });
    expect((await change(productId, { status: 'inactive' })).body.status).toBe('inactive');
    expectRefusal(await buy(), 404, 'product_not_found');
    expect((await change(productId, { status: 'active' })).body.status).toBe('active');
    expect((await buy()).status).toBe(201);
  });

  test('200: a no-op change is not audited', async () => {
    const id = await created({ metadata: { shelf: '3' } });
    const before = resourceOf(await show(id));
    for (const fields of [undefined, {}, { name: 'Tasse' }, { metadata: { shelf: '3' }, status: 'active' }])
      expect(resourceOf(await change(id, fields))).toEqual(before);
    expect(await api.audited(id)).toHaveLength(1);
  });

  test.each(REFUSED)('400: %s; nothing changes', async (_what, fields) => {
    const id = await created();
    const before = resourceOf(await show(id));
    expectRefusal(await change(id, { ...fields, status: 'inactive' }), 400, 'invalid_request');
    expect(resourceOf(await show(id))).toEqual(before);
  });

  test.each(['deleted', null, 7])('400: the status %p', async (status) => {
    expectRefusal(await change(await created(), { status }), 400, 'invalid_request');
  });

  test('409: an external_reference that another product has', async () => {
    const id = await created();
    const answer = await change(id, { external_reference: 'coffee-1kg', name: 'Becher' });
    expectRefusal(answer, 409, 'external_reference_taken');
    expect((await show(id)).body).toMatchObject({ name: 'Tasse', external_reference: null });
  });

  test('the audit log records the state before and after', async () => {
    const id = await created();
    const before = resourceOf(await show(id));
    const answer = await change(id, { name: 'Becher' });
    expect((await api.audited(id)).at(-1)).toEqual({
      action: 'product.update',
      actor: PERSON,
      environment: null,
      request_id: answer.body.request_id,
      before,
      after: resourceOf(answer),
    });
  });
});

describe('image_url', () => {
  let images: Server;
  let sold = '';
  const served = new Map<string, Buffer>();
  /** Withheld responses, for paths that begin with `held`. */
  const held: ServerResponse[] = [];
  const urlOf = (name: string) => `http://127.0.0.1:${(images.address() as AddressInfo).port}/${name}`;
  beforeAll(async () => {
    images = createServer(({ url = '' }, res) => {
      if (url.startsWith('/held')) return void held.push(res);
      const body = served.get(url.slice(1));
      res.writeHead(body ? 200 : 404).end(body);
    }).listen(0, '127.0.0.1');
    await once(images, 'listening');
  });
  afterAll(() => void images?.close());

  /** The image in the terms of a new session. */
  const bought = async () => {
    const { apiKey } = api.shop;
    const body = { productId: sold, externalCustomerId: 'u-image' };
    const { id } = (await api.server.request('POST', '/v1/checkouts', { apiKey, body })).body;
    return { id, image: await imageIn(id) };
  };
  const imageIn = (id: string) =>
    api.server.pool.oneFirst(sql.type(z.object({ image: sessionTerms.shape.product.shape.image }))`
      select terms #> '{product,image}' as image from checkouts where id = ${id}`);

  test('201: the image is fetched once, and served to the page by this service', async () => {
    served.set('mug.png', png(30, 20));
    const answer = await create({ image_url: urlOf('mug.png') });
    expect(answer.status).toBe(201);
    sold = answer.body.id;
    expect(resourceOf(await show(sold))).toMatchObject({ image_url: urlOf('mug.png') });
    await api.admin('POST', `/products/${sold}/prices`, {
      amount: 900,
      tax_rate: 19,
      billing_mode: 'one_time',
    });
    const { image: shown } = await bought();
    expect(shown).toEqual({ name: expect.stringMatching(/^[0-9a-f]{32}\.png$/), width: 30, height: 20 });
    const path = `/pay/images/${shown?.name}`;
    const image = await fetch(new URL(path, api.server.url));
    const body = Buffer.from(await image.arrayBuffer());
    expect(shown?.name).toBe(`${createHash('sha256').update(body).digest('hex').slice(0, 32)}.png`);
    expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([30, 20]);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(image.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(image.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(new URL(path.replace(/.png$/, '.jpg'), api.server.url))).status).toBe(404);
  });

  test('200: the image is fetched again only if its URL changes; an open page keeps its image', async () => {
    served.delete('mug.png');
    expect((await change(sold, { image_url: urlOf('mug.png'), name: 'Becher' })).status).toBe(200);
    const open = await bought();
    expect(open.image).toMatchObject({ width: 30 });
    served.set('mug-2.png', png(40, 20));
    expect((await change(sold, { image_url: urlOf('mug-2.png') })).status).toBe(200);
    expect(await imageIn(open.id)).toEqual(open.image);
    expect((await bought()).image).toMatchObject({ width: 40 });
    expect((await change(sold, { image_url: null })).body.image_url).toBe(null);
    expect((await bought()).image).toBe(null);
  });

  test('422: an image that cannot be shown; nothing changes', async () => {
    served.set('page.html', Buffer.from('<html>'));
    expectRefusal(await create({ image_url: urlOf('missing') }), 422, 'product_image_refused');
    const answer = await change(sold, { image_url: urlOf('page.html'), name: 'Teller' });
    expectRefusal(answer, 422, 'product_image_refused');
    expect(answer.body.message).toBe('The image is not a complete still JPEG, PNG or WebP image.');
    expect((await show(sold)).body).toMatchObject({ name: 'Becher', image_url: null });
  });

  test('429: too many concurrent image downloads for one merchant; another merchant’s download is not delayed', async () => {
    served.set('mug.png', png(30, 20));
    const saves = Array.from({ length: MOST_OF_MERCHANT }, (_, n) =>
      create({ image_url: urlOf(`held-${n}`) }),
    );
    await eventually(() => expect(held).toHaveLength(MOST_OF_MERCHANT));
    expectRefusal(await create({ image_url: urlOf('mug.png') }), 429, 'rate_limited');
    const { merchantId } = api.other;
    const theirs = await api.server.request('POST', `/v1/merchants/${merchantId}/products`, {
      headers: asPerson(merchantId),
      body: { name: 'Krug', image_url: urlOf('mug.png') },
    });
    expect(theirs.status).toBe(201);
    for (const response of held) response.end(served.get('mug.png'));
    expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(saves.map(() => 201));
  });
});

test("404: another merchant's product, and a malformed id", async () => {
  const theirs = api.other.products.oneTime;
  const missing = (answer: Answer) => expectRefusal(answer, 404, 'product_not_found');
  for (const id of [
    theirs,
    NONE.slice('/products/'.length),
    'nonsense',
    '%00',
    `ap_price_${'0'.repeat(32)}`,
  ]) {
    missing(await show(id));
    missing(await change(id, { name: 'Meins' }));
  }
  const kept = await api.server.request('GET', `/v1/merchants/${api.other.merchantId}/products/${theirs}`, {
    apiKey: api.other.apiKey,
  });
  expect(kept.body.name).toBe('Filterkaffee, 1 kg');
});

test('405: an unsupported method', async () => {
  const answer = await api.admin('DELETE', `/products/${api.shop.products.oneTime}`);
  expectRefusal(answer, 405, 'method_not_allowed');
  expect(answer.headers.get('allow')).toBe('GET, HEAD, PATCH');
});

seesEveryAnswerOf('createProduct', 'showProduct', 'updateProduct');
