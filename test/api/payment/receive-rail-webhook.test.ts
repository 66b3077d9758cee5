/** POST /rails/:rail/:railAccountId/webhooks: acceptance and storage of webhooks. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import type { Rail } from '../../../rail/rail.ts';
import { RailWebhookInvalid } from '../../../rail/webhook.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';

/** A fixed string instead of the sandbox rail's signature. */
const rail: Pick<Rail, 'name' | 'parseWebhook'> = {
  name: 'sandbox',
  parseWebhook(_account, rawBody, headers) {
    if (headers['x-signature'] !== 'good') throw new RailWebhookInvalid('no');
    const [webhook = '', railReference] = String(rawBody).split(' at the rail ');
    if (railReference) return { railEventId: webhook, reference: null, railReference, hint: 'dispute' };
    const [railEventId = '', reference = null] = webhook.split(' of ');
    return { railEventId, reference, hint: 'other' };
  },
};

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi({ rails: new Map([['sandbox', rail as Rail]]) });
  shop = await insertShop(api.pool);
});
afterAll(() => api?.stop());

const post = (path: string, signature: string, raw = 'webhook-1') =>
  api.request('POST', `/rails/${path}/webhooks`, { raw, headers: { 'x-signature': signature } });
const kept = () =>
  api.pool.oneFirst(sql.type(z.object({ n: z.number() }))`select count(*) as n from rail_webhooks`);

test('200: a signed webhook is stored once', async () => {
  expect((await post(`sandbox/${shop.railAccountId}`, 'good')).status).toBe(200);
  expect((await post(`sandbox/${shop.railAccountId}`, 'good')).status).toBe(200);
  expect(await kept()).toBe(1);
});

test('400 invalid_request: a wrong signature; nothing is stored', async () => {
  const before = await kept();
  expectRefusal(await post(`sandbox/${shop.railAccountId}`, 'bad'), 400, 'invalid_request');
  expect(await kept()).toBe(before);
});

test.each(['sandbox/acct_unknown', 'stripe/acct_unknown', 'sandbox/%00', '%00/acct_unknown'])(
  '404 route_not_found: %s, without an error in the log',
  async (path) => {
    const before = api.logLines.length;
    expectRefusal(await post(path, 'good'), 404, 'route_not_found');
    expectRefusal(await api.request('GET', `/rails/${path}/fields`), 404, 'route_not_found');
    expect(api.logLines.slice(before).filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  },
);

test.each([
  ['an event id with a NUL', 'webhook\0'],
  ['a reference with a NUL', 'webhook-2 of ap_pay\0'],
  ['the processor’s id with a NUL', 'webhook-4 at the rail pi\0'],
  ['a reference of 50,000 characters', `webhook-3 of ${'x'.repeat(50_000)}`],
  ['an event id of 50,000 characters', 'y'.repeat(50_000)],
])('200: a signed webhook with %s is ignored, and logged in truncated form', async (_what, raw) => {
  const [before, logged] = [await kept(), api.logLines.length];
  expect((await post(`sandbox/${shop.railAccountId}`, 'good', raw)).status).toBe(200);
  expect(await kept()).toBe(before);
  const lines = api.logLines.slice(logged);
  expect(lines.filter((line) => line.includes('signed rail webhook ignored'))).toHaveLength(1);
  for (const line of lines) expect(line.length).toBeLessThan(1_000);
});

seesEveryAnswerOf('receiveRailWebhook');
