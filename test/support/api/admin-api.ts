/** The API with two merchants and people who manage them, for tests of `/v1/merchants/:merchantId`. */
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { eventually } from '../core/eventually.ts';
import { insertShop, type Shop } from '../db/fixtures.ts';
import { type Answer, expectRefusal, startTestApi, type TestApi } from './api.ts';
import { asPerson, testPeopleGate } from './people.ts';

export interface AdminApi {
  readonly server: TestApi;
  readonly shop: Shop;
  /** Another merchant, whose data must stay invisible. */
  readonly other: Shop;
  /** Sends as a person of `shop`, under its path. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends with an API key, under the path of `shop`. */
  withKey(apiKey: string, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Audit rows of a subject, oldest first. */
  audited(subjectId: string): Promise<readonly Audited[]>;
}

const auditedRow = z.object({
  action: z.string(),
  actor: z.string(),
  environment: z.string().nullable(),
  request_id: z.string().nullable(),
  before: z.record(z.string(), z.json()).nullable(),
  after: z.record(z.string(), z.json()).nullable(),
});
type Audited = z.infer<typeof auditedRow>;

export async function startAdminApi(): Promise<AdminApi> {
  const api = await startTestApi({ merchantGate: testPeopleGate });
  const shop = await insertShop(api.pool);
  const other = await insertShop(api.pool, { name: 'Teehaus Süd' });
  const base = `/v1/merchants/${shop.merchantId}`;
  const withBody = (body: unknown) => (body === undefined ? {} : { body });
  return {
    server: api,
    shop,
    other,
    admin: (method, path, body) =>
      api.request(method, base + path, { headers: asPerson(shop.merchantId), ...withBody(body) }),
    withKey: (apiKey, method, path, body) => api.request(method, base + path, { apiKey, ...withBody(body) }),
    audited: (subjectId) =>
      api.pool.any(sql.type(auditedRow)`
        select action, actor, environment, request_id, before, after from audit_log
        where subject_id = ${subjectId} order by id`),
  };
}

/** The access checks of every route under a merchant. */
export function describeGate(it: () => AdminApi, method: 'GET' | 'POST' | 'PATCH', path: string): void {
  const send = (apiKey: string) => it().withKey(apiKey, method, path, method === 'GET' ? undefined : {});

  test(`${method} ${path}: 401 without a key, and with an invalid one`, async () => {
    const { server: api, shop } = it();
    const url = `/v1/merchants/${shop.merchantId}${path}`;
    expectRefusal(await api.request(method, url), 401, 'service_api_key_required');
    expectRefusal(await send('ap_test_nonsense'), 401, 'api_key_invalid');
  });

  test(`${method} ${path}: 403 for another merchant's key and another merchant's people`, async () => {
    const { server: api, shop, other } = it();
    expectRefusal(await send(other.apiKey), 403, 'service_merchant_forbidden');
    const url = `/v1/merchants/${shop.merchantId}${path}`;
    const theirs = await api.request(method, url, { headers: asPerson(other.merchantId) });
    expectRefusal(theirs, 403, 'service_merchant_forbidden');
  });

  if (method === 'GET') return;

  test(`${method} ${path}: 403 for the key of the merchant's server, which may only read`, async () => {
    const isCatalogue = /^\/(products|offerings)/.test(path);
    const code = isCatalogue ? 'api_key_scope_insufficient' : 'administration_forbidden';
    expectRefusal(await send(it().shop.apiKey), 403, code);
  });

  test(`${method} ${path}: 403 for a body that names another merchant`, async () => {
    const { admin, other } = it();
    expectRefusal(
      await admin(method, path, { merchantId: other.merchantId }),
      403,
      'merchant_scope_mismatch',
    );
  });

  test(`${method} ${path}: 400 and 415 for a body that is not a JSON object`, async () => {
    const { server: api, shop, admin } = it();
    const url = `/v1/merchants/${shop.merchantId}${path}`;
    const headers = asPerson(shop.merchantId);
    expectRefusal(await api.request(method, url, { headers, raw: '{' }), 400, 'invalid_json');
    expectRefusal(await admin(method, path, []), 400, 'invalid_request');
    const asText = { ...headers, 'content-type': 'text/plain' };
    expectRefusal(
      await api.request(method, url, { headers: asText, raw: 'x' }),
      415,
      'unsupported_media_type',
    );
    const large = { headers, raw: JSON.stringify({ name: 'x'.repeat(102_400) }) };
    expectRefusal(await api.request(method, url, large), 413, 'payload_too_large');
  });
}

/**
 * Sends changes concurrently and lets none commit before all are blocked or done, so that locks, not chance, decide
 * what each one reads of the others.
 */
export async function atOnce(
  { server: { pool } }: Pick<AdminApi, 'server'>,
  count: number,
  send: () => Promise<Answer>,
): Promise<readonly Answer[]> {
  const sent = await pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`lock table audit_log in share mode`);
    const answers = Promise.all(Array.from({ length: count }, send));
    await eventually(async () => {
      // Otherwise this transaction would keep reading its first snapshot of the statistics.
      await tx.query(sql.unsafe`select pg_stat_clear_snapshot()`);
      const waiting = await tx.oneFirst(sql.type(z.object({ count: z.number() }))`
        select count(*) as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      expect(waiting).toBe(count);
    });
    return { answers };
  });
  return sent.answers;
}

/** The response's resource, without the envelope. */
export function resourceOf({ body }: Answer): Record<string, unknown> {
  const { request_id, ...resource } = body;
  expect(request_id).toMatch(/^req_/);
  return resource;
}
