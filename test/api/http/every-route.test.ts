/**
 * Errors shared by several routes: each is provoked on every route whose description lists it. The routes
 * come from the API description, so new ones are covered too.
 */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { hashJson } from '../../../contract/core/canonical-json.ts';
import type { ErrorCode } from '../../../contract/core/errors.ts';
import { commonErrors } from '../../../contract/openapi/common-errors.ts';
import { pathParameters } from '../../../contract/openapi/operation-object.ts';
import { claimKey } from '../../../db/core/idempotency.ts';
import { sql } from '../../../db/core/pool.ts';
import { type Answer, expectRefusal, type RequestOptions } from '../../support/api/api.ts';
import { routes } from '../../support/api/api-description.ts';
import { type PeopleApi, startPeopleApi } from '../../support/api/people-api.ts';
import { commonAnswers, noteAnswer, notSeen } from '../../support/api/seen-answers.ts';
import { failing, NOT_THERE } from '../../support/db/broken-pool.ts';
import { insertCoupon } from '../../support/db/coupons.ts';
import {
  insertApiKey,
  insertMerchant,
  insertPurchase,
  insertShop,
  insertStorefrontClient,
  type Shop,
} from '../../support/db/fixtures.ts';

import { createEndpoint } from '../../support/db/webhooks.ts';

type DescribedRoute = (typeof routes)[number];

const ORIGIN = 'https://shop.example';
const UNKNOWN_MERCHANT = 'ap_mer_0';

let api: PeopleApi;
/** An API that waits only half a second for a request to arrive. */
let impatient: PeopleApi;
let limited: PeopleApi;
let withoutDatabase: PeopleApi;
let broken: PeopleApi;
let shop: Shop;
let other: Shop;
let inactiveKey: string;
let catalogueKey: string;
/** Ids of existing subjects, by their names in paths and bodies. */
let subjects: Awaited<ReturnType<typeof insertSubjects>>;
let clientId: string;
let inactiveClientId: string;
/** The token of a person with every permission. */
let person: string;

beforeAll(async () => {
  api = await startPeopleApi();
  impatient = await startPeopleApi({ requestTimeoutMs: 500, databaseUrl: api.databaseUrl });
  limited = await startPeopleApi({
    rateLimits: { perKey: 1_000, perAddress: 1, perRailAddress: 1, perPageAddress: 1 },
    databaseUrl: api.databaseUrl,
  });
  withoutDatabase = await startPeopleApi({ databaseUrl: api.databaseUrl, poolThrough: failing(NOT_THERE) });
  broken = await startPeopleApi({ databaseUrl: api.databaseUrl, poolThrough: failing(new Error('a bug')) });
  shop = await insertShop(api.pool);
  other = await insertShop(api.pool);
  subjects = await insertSubjects();
  clientId = await insertStorefrontClient(api.pool, { ...shop, origins: [ORIGIN] });
  const merchantId = await insertMerchant(api.pool, { status: 'inactive' });
  const inactive = { merchantId, environment: 'sandbox' as const };
  catalogueKey = await insertApiKey(api.pool, shop, { scope: 'catalogue' });
  inactiveKey = await insertApiKey(api.pool, inactive);
  inactiveClientId = await insertStorefrontClient(api.pool, { ...inactive, origins: [ORIGIN] });
  person = await api.provider.token({ role: ['owner', 'platform'], merchants: [shop.merchantId] });
});
afterAll(async () => {
  for (const each of [api, impatient, limited, withoutDatabase, broken]) await each?.stop();
});

interface Way {
  readonly at?: PeopleApi;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly merchantId?: string;
  readonly publicId?: string;
  /** Ids for the path, instead of the examples'. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly options?: RequestOptions;
}

/** How to provoke each refusal on any route that lists it. */
const WAYS: Partial<Record<ErrorCode, (route: DescribedRoute) => Way | Promise<Way>>> = {
  service_api_key_required: () => ({ headers: { authorization: '' } }),
  api_key_invalid: () => ({ headers: bearer('ap_test_0') }),
  merchant_inactive: ({ describe }) =>
    describe.security === 'storefront' ? { publicId: inactiveClientId } : { headers: bearer(inactiveKey) },
  merchant_scope_mismatch: () => ({ headers: bearer(shop.apiKey), query: '?merchantId=ap_mer_other' }),
  service_merchant_forbidden: () => ({ headers: bearer(other.apiKey) }),
  administration_forbidden: async ({ describe }) => ({
    headers: describe.catalogue ? await api.provider.as('analyst', shop.merchantId) : bearer(shop.apiKey),
  }),
  api_key_scope_insufficient: ({ describe }) => ({
    headers: bearer(describe.catalogue ? shop.apiKey : catalogueKey),
  }),
  access_token_invalid: () => ({ headers: bearer('a.b.c') }),
  access_token_expired: async () => ({ headers: bearer(await api.provider.token({ exp: 1_000 })) }),
  access_token_role_missing: async () => ({ headers: bearer(await api.provider.token({ role: 'guest' })) }),
  merchant_not_found: () => ({ merchantId: UNKNOWN_MERCHANT }),
  checkout_client_not_found: () => ({ publicId: 'ap_pcl_0' }),
  origin_not_allowed: () => ({ headers: { origin: 'https://evil.example' } }),
  api_key_not_allowed: () => ({ headers: bearer(shop.apiKey) }),
  async rate_limited(route) {
    // Uses up the limit of one request, because this one may be the first of its minute.
    await ask(route, { at: limited });
    return { at: limited };
  },
  dependency_unavailable: ({ describe }) => ({ at: withoutDatabase, headers: keyOf(describe.security) }),
  internal_error: ({ describe }) => ({ at: broken, headers: keyOf(describe.security) }),
  payload_too_large: () => ({ options: { raw: `{"a":"${'x'.repeat(102_400)}"}` } }),
  unsupported_media_type: () => ({ headers: { 'content-encoding': 'compress' } }),
  invalid_json: () => ({ options: { raw: '{' } }),
  unknown_field: ({ path, describe }) => ({
    ids: path.startsWith('/v1/invoices/') ? { ...subjects, id: subjects.invoiceId } : subjects,
    options: { body: { ...(describe.body?.example as object), ...subjects, misspelt: true } },
  }),
  idempotency_key_required: () => ({ headers: { 'idempotency-key': '' } }),
  idempotency_key_invalid: () => ({ headers: { 'idempotency-key': 'x'.repeat(256) } }),
  idempotency_key_conflict: async (route) => ({
    headers: { 'idempotency-key': await takenKey(route, 'another') },
  }),
  idempotency_key_in_progress: async (route) => ({
    headers: { 'idempotency-key': await takenKey(route, route.describe.body?.example) },
  }),
};

async function insertSubjects() {
  const { pool } = api;
  const bought = await insertPurchase(pool, shop, shop.products.recurring, { recurring: true });
  const id = z.object({ id: z.string() });
  const { customerId, subscriptionId, paymentId, priceId } = bought;
  const externalCustomerId = await pool.oneFirst(sql.type(id)`
    select external_customer_id as id from customers where id = ${customerId}`);
  const { id: endpointId } = await createEndpoint(pool, shop);
  const keyId = await pool.oneFirst(
    sql.type(id)`select id from api_keys where merchant_id = ${shop.merchantId}`,
  );
  const invoiceId = await pool.oneFirst(
    sql.type(id)`select id from invoices where subscription_id = ${subscriptionId}`,
  );
  const { id: couponId } = await insertCoupon(pool, shop);
  const priceMoveId = await pool.oneFirst(sql.type(id)`
    insert into price_moves (merchant_id, environment, product_id, old_price_id, new_price_id, from_at, notice_days)
    values (${shop.merchantId}, ${shop.environment}, ${shop.products.recurring}, ${priceId}, ${priceId}, '2100-01-01', 30)
    returning id`);
  const subject = { id: subscriptionId ?? '', subscriptionId: subscriptionId ?? '', externalCustomerId };
  return {
    ...subject,
    customerId,
    invoiceId,
    paymentId,
    payment_id: paymentId,
    priceId,
    couponId,
    priceMoveId,
    productId: shop.products.recurring,
    endpointId,
    keyId,
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const keyOf = (security: string) => (/apiKey|person/i.test(security) ? bearer(shop.apiKey) : {});

/** A key with which a request to this route, with this body, is in progress. */
async function takenKey(route: DescribedRoute, body: unknown): Promise<string> {
  const key = randomUUID();
  const scope =
    route.describe.security === 'storefront'
      ? `client:${clientId}`
      : `merchant:${shop.merchantId}:${/person/i.test(route.describe.security) ? 'people' : shop.environment}`;
  await claimKey(api.pool, {
    scope,
    key,
    method: route.method.toUpperCase(),
    path: pathOf(route),
    bodyHash: hashJson(body ?? {}),
    leaseSeconds: 60,
    movesMoney: false,
  });
  return key;
}

function pathOf(
  { path, describe }: DescribedRoute,
  { merchantId = shop.merchantId, publicId = clientId, ids = {} }: Way = {},
) {
  const examples: Record<string, string> = { merchantId, publicId, ...ids };
  return path.replaceAll(/:(\w+)/g, (_, name) => {
    const { example } = pathParameters(path, describe).shape[name]?.meta() ?? {};
    return examples[name] ?? String(example);
  });
}

async function ask(route: DescribedRoute, way: Way): Promise<Answer> {
  const { security, idempotencyKey, body } = route.describe;
  const given: Record<string, string> = {
    ...(idempotencyKey && { 'idempotency-key': randomUUID() }),
    ...(security === 'apiKey' && bearer(shop.apiKey)),
    ...(/person/i.test(security) && bearer(person)),
    ...(/storefront|preflight/.test(security) && { origin: ORIGIN }),
    ...way.headers,
  };
  const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  return (way.at ?? api).request(route.method.toUpperCase(), pathOf(route, way) + (way.query ?? ''), {
    headers,
    ...(body && !way.options && { body: body.example }),
    ...way.options,
  });
}

const listing = (code: ErrorCode) =>
  routes.filter(({ describe, path }) => commonErrors({ ...describe, path }).includes(code));

test.each(Object.keys(WAYS) as ErrorCode[])(
  'every route whose description lists %s returns it',
  async (code) => {
    const able = listing(code);
    expect(able.length).toBeGreaterThan(0);
    const wrong: string[] = [];
    const left = able.values();
    // A hundred concurrent requests would wait too long for a connection on a busy machine.
    const askAll = async () => {
      for (const route of left) {
        const way = await WAYS[code]?.(route);
        const { status, body } = await ask(route, way ?? {});
        if (body.code !== code) wrong.push(`${route.describe.operationId}: ${status} ${body.code}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, askAll));
    expect(wrong).toEqual([]);
  },
);

test('an unknown subject of the path is reported before an unknown field', async () => {
  const wrong: string[] = [];
  for (const route of listing('unknown_field')) {
    if (!/:(?!merchantId|publicId)\w+/.test(route.path)) continue;
    const { status, body } = await ask(route, {
      options: { body: { ...(route.describe.body?.example as object), misspelt: true } },
    });
    if (status !== 404) wrong.push(`${route.describe.operationId}: ${status} ${body.code}`);
  }
  expect(wrong).toEqual([]);
});

test('an id with NUL in a path never causes an internal error', async () => {
  const wrong: string[] = [];
  for (const route of routes) {
    for (const [, name = ''] of route.path.matchAll(/:(\w+)/g)) {
      for (const id of [
        '%00',
        `${pathParameters(route.path, route.describe).shape[name]?.meta()?.example}%00`,
      ]) {
        const ids = { ...subjects, [name]: id };
        const { status } = await ask(route, { ids, ...(name === 'merchantId' && { merchantId: id }) });
        if (status >= 500 && status !== 501)
          wrong.push(`${route.describe.operationId}, ${name} ${id}: ${status}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['invalid_request', 400, 'not a header\r\n\r\n'],
  ['request_timeout', 408, 'Accept: text/plain'],
] as const)('every route returns %s before its handler runs', async (code, status, rest) => {
  await Promise.all(
    routes.map(async (route) => {
      const answer = await sendRaw(
        `${route.method.toUpperCase()} ${pathOf(route)} HTTP/1.1\r\nHost: x\r\n${rest}`,
      );
      expectRefusal(answer, status, code);
      noteAnswer(route.describe.operationId, answer.status, answer.body.code);
    }),
  );
});

/** Sends raw bytes and reads until the server closes. */
async function sendRaw(bytes: string): Promise<Answer> {
  const socket = connect(Number(new URL(impatient.url).port), '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const lines = head
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(': ') as [string, string]);
  return { status: Number(head.split(' ')[1]), headers: new Headers(lines), body: JSON.parse(body) };
}

test('every route has returned every shared error that its description lists', () => {
  expect(notSeen(routes.flatMap(({ describe }) => commonAnswers(describe.operationId)))).toEqual([]);
});
