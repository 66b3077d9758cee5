import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { probedRailAccountAnswer } from '../../../../contract/merchant/rail-accounts.ts';
import { settableRailList } from '../../../../contract/merchant/rails.ts';
import { sql } from '../../../../db/core/pool.ts';
import { CURRENCIES } from '../../../../domain/core/money.ts';
import { railCredentialOf } from '../../../../platform/secrets/places.ts';
import type { DoubleAccount } from '../../../rail/stripe/double/state.ts';
import { type Answer, expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { eventually } from '../../../support/core/eventually.ts';
import {
  insertApiKey,
  insertMerchant,
  insertRailAccount,
  testSecretBox,
} from '../../../support/db/fixtures.ts';
import {
  hurried,
  keysOf,
  type StripePeopleApi,
  showsKeys,
  startStripePeopleApi,
  timeIsUp,
} from './stripe-people.ts';

let api: StripePeopleApi;
let merchantId: string;
let theirs: DoubleAccount;
let others: DoubleAccount;
const path = () => `/v1/merchants/${merchantId}/rail-accounts`;

beforeAll(async () => {
  api = await startStripePeopleApi();
}, 300_000);
afterAll(() => api?.stop());
afterEach(() => void jest.restoreAllMocks());
beforeEach(async () => {
  merchantId = await insertMerchant(api.pool);
  theirs = api.newStripeAccount('1Berlin');
  others = api.newStripeAccount('1Paris');
});

const set = (fields: object = {}) =>
  api.as('platform')('POST', path(), {
    environment: 'sandbox',
    rail: 'stripe',
    credential: keysOf(theirs),
    ...fields,
  });
const storedAccount = z.object({ id: z.string(), credential: z.instanceof(Buffer) });
const storedKeys = async () => {
  const { id, credential } = await api.pool.one(sql.type(storedAccount)`
    select id, credential from rail_accounts where merchant_id = ${merchantId}`);
  return JSON.parse(testSecretBox.open(credential, railCredentialOf(id)));
};
const listed = async () =>
  (await api.as('platform')('GET', path())).body.data.map(
    ({ rail, status }: { rail: string; status: string }) => `${rail} ${status}`,
  );

describe('POST /v1/merchants/:merchantId/rail-accounts', () => {
  test("200: the account with its processor's findings; its credential is encrypted and never shown", async () => {
    const answer = await set();
    expect(answer.status).toBe(200);
    expectMarks(answer);
    const account = probedRailAccountAnswer.schema.strict().parse(answer.body);
    expect(account).toMatchObject({
      merchant_id: merchantId,
      environment: 'sandbox',
      rail: 'stripe',
      status: 'active',
      usable: true,
      capabilities: { currencies: CURRENCIES },
    });
    expect(account.findings.length).toBeGreaterThan(0);
    const stored = await api.pool.oneFirst(sql.type(z.object({ credential: z.instanceof(Buffer) }))`
      select credential from rail_accounts where id = ${account.id}`);
    expect(JSON.parse(testSecretBox.open(stored, railCredentialOf(account.id)))).toMatchObject(
      keysOf(theirs),
    );
    const audited = JSON.stringify(await api.audited(merchantId));
    for (const text of [
      stored.toString('latin1'),
      JSON.stringify(answer.body),
      audited,
      api.logLines.join(''),
    ]) {
      expect(showsKeys(theirs, text)).toBe(false);
    }
  });

  test('the audit log names actor, change and request', async () => {
    const { body } = await set();
    expect(await api.audited(merchantId)).toMatchObject([
      {
        actor: 'person:platform@people.example',
        action: 'rail_account.set',
        environment: 'sandbox',
        subject_id: body.id,
        request_id: body.request_id,
        before: null,
        after: { rail: 'stripe', status: 'active' },
      },
    ]);
  });

  test('200: an account that cannot take cards in EUR stays activating, with the reason in the findings', async () => {
    theirs.settings.takesEuros = false;
    const { status, body } = await set();
    expect({ status, account: body.status, usable: body.usable }).toEqual({
      status: 200,
      account: 'activating',
      usable: false,
    });
    expect(body.findings.some(({ ok }: { ok: boolean }) => !ok)).toBe(true);
  });

  test('200: replaces the keys of the same account; absent fields are unchanged', async () => {
    const { body: first } = await set({
      credential: { secretKey: theirs.secretKey, publishableKey: theirs.publishableKey },
    });
    const { body: second } = await set({ credential: { webhookSecret: theirs.webhookSecret } });
    expect(second.id).toBe(first.id);
    expect(await listed()).toEqual(['stripe active']);
  });

  test('409 rail_account_refused: keys of another account, unless the merchant replaces the current account', async () => {
    await set();
    const refused = await set({ credential: keysOf(others) });
    expectRefusal(refused, 409, 'rail_account_refused');
    expect(showsKeys(others, JSON.stringify(refused.body))).toBe(false);
    expect((await set({ credential: keysOf(others), replace: true })).status).toBe(200);
    expect(await listed()).toEqual(['stripe active', 'stripe disabled']);
  });

  test.each<[string, boolean, readonly ('theirs' | 'others')[]]>([
    ['A, B, A', true, ['theirs', 'others', 'theirs']],
    ['A, A', true, ['theirs', 'theirs']],
    ['A, B, A, where no probe has identified A yet', false, ['theirs', 'others', 'theirs']],
  ])(
    '200: an account that is set again keeps its row, so its mandates stay valid: %s',
    async (_name, known, order) => {
      const { body: first } = await set({ credential: { ...keysOf(theirs), webhookSecret: 'whsec_first' } });
      if (!known) {
        await api.pool.query(sql.unsafe`update rail_accounts set identity = null where id = ${first.id}`);
      }
      const accounts = { theirs, others };
      for (const name of order.slice(1, -1)) await set({ credential: keysOf(accounts[name]), replace: true });
      const { secretKey, publishableKey } = theirs;
      const { status, body: again } = await set({ credential: { secretKey, publishableKey }, replace: true });
      expect([status, again.id, again.status]).toEqual([200, first.id, 'active']);
      const disabled = order.length > 2 ? ['stripe disabled'] : [];
      expect(await listed()).toEqual([...disabled, 'stripe active']);
      const stored = await api.pool.one(sql.type(storedAccount)`
      select id, credential from rail_accounts where id = ${first.id}`);
      const keys = JSON.parse(testSecretBox.open(stored.credential, railCredentialOf(first.id)));
      expect(keys).toEqual({ secretKey, publishableKey, webhookSecret: 'whsec_first' });
      const replaced = { action: 'rail_account.replaced', after: { status: 'disabled' } };
      const last = { action: 'rail_account.set', subject_id: first.id, after: { status: 'active' } };
      expect((await api.audited(merchantId)).slice(-2)).toMatchObject(
        order.length > 2 ? [replaced, last] : [last, last],
      );
    },
  );

  test('409 rail_account_refused: other keys were set during the probe, and are kept', async () => {
    await set({ credential: { ...keysOf(theirs), webhookSecret: 'whsec_first' } });
    let between: Answer | undefined;
    api.whenAskedNext(async () => {
      between = await set({ credential: { webhookSecret: 'whsec_second' } });
    });
    expectRefusal(await set({ credential: { webhookSecret: 'whsec_third' } }), 409, 'rail_account_refused');
    expect(between?.status).toBe(200);
    expect((await storedKeys()).webhookSecret).toBe('whsec_second');
  });

  test('409 rail_account_refused: mistyped keys leave the active account unchanged', async () => {
    await set();
    const mistyped = { ...keysOf(others), secretKey: `${others.secretKey}0` };
    const refused = await set({ credential: mistyped, replace: true });
    expectRefusal(refused, 409, 'rail_account_refused');
    expect(refused.body.message).toContain('the key is wrong');
    expect(await listed()).toEqual(['stripe active']);
    expect(await api.audited(merchantId)).toHaveLength(1);
  });

  test.each([
    ["another account's", () => others.publishableKey],
    ['a mistyped', () => `${theirs.publishableKey}0`],
  ])(
    '409 rail_account_refused: %s publishable key, which would send buyers’ cards elsewhere',
    async (_name, key) => {
      await set();
      const refused = await set({ credential: { publishableKey: key() } });
      expectRefusal(refused, 409, 'rail_account_refused');
      expect(refused.body.message).toContain(
        'The publishable key does not belong to the account acct_1Berlin',
      );
      expectRefusal(
        await set({ credential: { ...keysOf(theirs), publishableKey: key() }, replace: true }),
        409,
        'rail_account_refused',
      );
      expect((await storedKeys()).publishableKey).toBe(theirs.publishableKey);
    },
  );

  test('409 rail_account_refused: mistyped keys do not replace those of an account with unknown identity', async () => {
    await set();
    // The keys are stored without a probe, as for a demo merchant, so the account's identity is unknown.
    const id = await api.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      select id from rail_accounts where merchant_id = ${merchantId}`);
    const nobodys = testSecretBox.seal(JSON.stringify(keysOf(theirs)), railCredentialOf(id));
    await api.pool.query(sql.unsafe`
      update rail_accounts set credential = ${sql.binary(nobodys)} where merchant_id = ${merchantId}`);
    const refused = await set({ credential: { secretKey: `${theirs.secretKey}0` } });
    expectRefusal(refused, 409, 'rail_account_refused');
    expect(refused.body.message).toContain('the key is wrong');
    expect((await storedKeys()).secretKey).toBe(theirs.secretKey);
    expect(await listed()).toEqual(['stripe active']);
  });

  test('409 rail_account_refused: keys whose probe did not finish in time are not stored', async () => {
    hurried();
    api.whenAnsweredNext(timeIsUp);
    expectRefusal(await set(), 409, 'rail_account_refused');
    expect(await listed()).toEqual([]);
    jest.restoreAllMocks();
    await set();
    hurried();
    api.whenAnsweredNext(timeIsUp);
    expectRefusal(await set({ credential: { webhookSecret: 'whsec_late' } }), 409, 'rail_account_refused');
    expect((await storedKeys()).webhookSecret).toBe(theirs.webhookSecret);
  });

  test('409 rail_account_refused: keys of the other mode are not stored', async () => {
    const refused = await set({ environment: 'production' });
    expectRefusal(refused, 409, 'rail_account_refused');
    expect(refused.body.message).toContain('is not a live key, which production needs');
    expect(await listed()).toEqual([]);
  });

  test('an account is never stored without its audit entry', async () => {
    await api.pool.query(sql.unsafe`
      alter table audit_log add constraint none_of_theirs check (merchant_id <> ${sql.literalValue(merchantId)})`);
    try {
      expectRefusal(await set(), 500, 'internal_error');
      expect(await listed()).toEqual([]);
    } finally {
      await api.pool.query(sql.unsafe`alter table audit_log drop constraint none_of_theirs`);
    }
  });

  test('409 rail_account_refused: an account at another rail is active', async () => {
    await insertRailAccount(api.pool, { merchantId, environment: 'sandbox' });
    expectRefusal(await set(), 409, 'rail_account_refused');
    expect(await listed()).toEqual(['sandbox active']);
  });

  test('409 rail_account_refused: all but one of several concurrent first accounts', async () => {
    const first = new pg.Client({ connectionString: api.databaseUrl });
    await first.connect();
    await first.query('begin');
    await first.query('select from merchants where id = $1 for update', [merchantId]);
    const sent = [1, 2, 3].map(() => set());
    // Waits until all have found no account, then lets one continue.
    await eventually(async () => {
      const waiting = await api.pool.oneFirst(sql.type(z.object({ count: z.number() }))`
        select count(*) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      expect(waiting).toBe(sent.length);
    });
    await first.end();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect(await listed()).toEqual(['stripe active']);
  });

  test.each<[string, object]>([
    ['no environment', { environment: undefined }],
    ['another environment', { environment: 'test' }],
    ['no rail', { rail: undefined }],
    ['an unconfigured rail', { rail: 'adyen' }],
    ['no credential', { credential: undefined }],
    ['an empty credential', { credential: {} }],
    ['a credential with an unknown field', { credential: { secretKey: 'sk_test_1', password: 'hunter2' } }],
    ['a field that is not a string', { credential: { secretKey: 5 } }],
    ['an empty field', { credential: { secretKey: '' } }],
    ['replace that is not a boolean', { replace: 'yes' }],
  ])('400 invalid_request: %s', async (_name, fields) => {
    const answer = await set(fields);
    expectRefusal(answer, 400, 'invalid_request');
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
    expect(await listed()).toEqual([]);
  });

  test('400 invalid_json, 413, 415: malformed JSON, a body that is too large, another content type', async () => {
    const headers = await api.provider.as('platform');
    const send = (raw: string, more = {}) =>
      api.request('POST', path(), { headers: { ...headers, ...more }, raw });
    expectRefusal(await send('{'), 400, 'invalid_json');
    expectRefusal(await send(`"${'x'.repeat(102_400)}"`), 413, 'payload_too_large');
    expectRefusal(await send('{}', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
  });

  test.each(['owner', 'developer', 'support'] as const)('403 administration_forbidden: %s', async (role) => {
    expectRefusal(await api.as(role, merchantId)('POST', path(), {}), 403, 'administration_forbidden');
  });

  test('401, 403, 404: no credentials, a key, another merchantId in the body, an unknown merchant', async () => {
    expectRefusal(await api.request('POST', path(), { body: {} }), 401, 'service_api_key_required');
    const apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
    expectRefusal(await api.request('POST', path(), { apiKey, body: {} }), 403, 'administration_forbidden');
    expectRefusal(await set({ merchantId: 'ap_mer_other' }), 403, 'merchant_scope_mismatch');
    const missing = await api.as('platform')('POST', '/v1/merchants/ap_mer_0/rail-accounts', {});
    expectRefusal(missing, 404, 'merchant_not_found');
  });
});

test('GET /v1/merchants/:merchantId/rails: rails where accounts can be set, with their credential fields', async () => {
  const answer = await api.as('support', merchantId)('GET', `/v1/merchants/${merchantId}/rails`);
  expectMarks(answer);
  expect(settableRailList.schema.strict().parse(answer.body).data).toContainEqual({
    name: 'stripe',
    credential_fields: expect.arrayContaining([{ name: 'secretKey', description: expect.any(String) }]),
  });
});

seesEveryAnswerOf('listRails', 'setRailAccount');
