import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { ANSWER_WITHIN_MS } from '../../../../api/http/answer-deadline.ts';
import { probedRailAccountAnswer } from '../../../../contract/merchant/rail-accounts.ts';
import { sql } from '../../../../db/core/pool.ts';
import { disableRefusedAccount } from '../../../../db/merchant/rail-account-trouble.ts';
import { railCredentialOf } from '../../../../platform/secrets/places.ts';
import type { DoubleAccount } from '../../../rail/stripe/double/state.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import {
  insertApiKey,
  insertMerchant,
  insertRailAccount,
  testSecretBox,
} from '../../../support/db/fixtures.ts';
import { hurried, keysOf, type StripePeopleApi, startStripePeopleApi, timeIsUp } from './stripe-people.ts';

let api: StripePeopleApi;
let merchantId: string;
let theirs: DoubleAccount;
let accountId: string;
const path = (id = accountId) => `/v1/merchants/${merchantId}/rail-accounts/${id}/check`;

beforeAll(async () => {
  api = await startStripePeopleApi();
}, 300_000);
afterAll(() => api?.stop());
afterEach(() => void jest.restoreAllMocks());
beforeEach(async () => {
  merchantId = await insertMerchant(api.pool);
  theirs = api.newStripeAccount('1Berlin');
  theirs.settings.takesEuros = false;
  const { body } = await api.as('platform')('POST', `/v1/merchants/${merchantId}/rail-accounts`, {
    environment: 'sandbox',
    rail: 'stripe',
    credential: keysOf(theirs),
  });
  expect(body.status).toBe('activating');
  accountId = body.id;
});

const check = (body?: unknown, id = accountId) => api.as('platform')('POST', path(id), body);

/** Replaces the account with another one. */
async function replaceIt(): Promise<void> {
  const { body } = await api.as('platform')('POST', `/v1/merchants/${merchantId}/rail-accounts`, {
    environment: 'sandbox',
    rail: 'stripe',
    credential: keysOf(api.newStripeAccount('1Paris')),
    replace: true,
  });
  expect(body.status).toBe('active');
}

async function statuses(): Promise<readonly string[]> {
  const { body } = await api.as('platform')('GET', `/v1/merchants/${merchantId}/rail-accounts`);
  return body.data.map(({ status }: { status: string }) => status);
}

describe('POST /v1/merchants/:merchantId/rail-accounts/:railAccountId/check', () => {
  test('200: reports findings, activates the account once there are none, and audits the actor', async () => {
    const before = await check();
    expect(before).toMatchObject({ status: 200, body: { status: 'activating', usable: false } });
    const values = { currency: 'EUR', why: 'cards_off' };
    expect(before.body.findings).toContainEqual(
      expect.objectContaining({ ok: false, code: 'currency_not_taken', values }),
    );
    expect(await api.audited(merchantId)).toHaveLength(1);

    theirs.settings.takesEuros = true;
    const answer = await check();
    expectMarks(answer);
    const account = probedRailAccountAnswer.schema.strict().parse(answer.body);
    expect(account).toMatchObject({ id: accountId, status: 'active', usable: true });
    expect((await api.audited(merchantId)).slice(1)).toMatchObject([
      {
        actor: 'person:platform@people.example',
        action: 'rail_account.set',
        subject_id: accountId,
        request_id: account.request_id,
        before: { rail: 'stripe', status: 'activating', identity: 'acct_1Berlin' },
        after: { rail: 'stripe', status: 'active', identity: 'acct_1Berlin' },
      },
    ]);
  });

  test('200: with the publishable key of another account, an account is unusable and not activated', async () => {
    theirs.settings.takesEuros = true;
    const keys = { ...keysOf(theirs), publishableKey: api.newStripeAccount('1Paris').publishableKey };
    const sealed = testSecretBox.seal(JSON.stringify(keys), railCredentialOf(accountId));
    await api.pool.query(sql.unsafe`
      update rail_accounts set credential = ${sql.binary(sealed)} where id = ${accountId}`);
    expect((await check({ apply: true })).body).toMatchObject({
      status: 'activating',
      usable: false,
      findings: [{ ok: false, code: 'publishable_key_mismatch', values: { account: 'acct_1Berlin' } }],
    });
  });

  test('200: the capabilities of an active account change only with apply', async () => {
    theirs.settings.takesEuros = true;
    await check();
    theirs.settings.takesEuros = false;
    expect((await check()).body).toMatchObject({ status: 'active', usable: false });
    expect((await check({ apply: true })).body).toMatchObject({ status: 'activating', usable: false });
  });

  test('200: a disabled account that still cannot take money stays disabled and remains in the list', async () => {
    theirs.settings.takesEuros = true;
    await check();
    await disableRefusedAccount(api.pool, accountId);
    theirs.settings.takesEuros = false;
    expect((await check({ apply: true })).body).toMatchObject({ status: 'disabled', usable: false });
    expect(await statuses()).toEqual(['disabled']);
    theirs.settings.takesEuros = true;
    expect((await check({ apply: true })).body).toMatchObject({ status: 'active' });
  });

  test('409 rail_account_refused: a disabled account is not reactivated while another account is active', async () => {
    theirs.settings.takesEuros = true;
    await replaceIt();
    expectRefusal(await check({ apply: true }), 409, 'rail_account_refused');
    expect(await statuses()).toEqual(['active', 'disabled']);
    expect((await check()).body).toMatchObject({ status: 'disabled', usable: true });
  });

  test('409 rail_account_refused: another row is already bound to the account at the processor', async () => {
    theirs.settings.takesEuros = true;
    await check();
    const unknown = await insertRailAccount(api.pool, {
      merchantId,
      environment: 'sandbox',
      rail: 'stripe',
      status: 'disabled',
      credential: keysOf(theirs),
    });
    await api.pool.query(sql.unsafe`update rail_accounts set status = 'disabled' where id = ${accountId}`);
    const refused = await check({ apply: true }, unknown);
    expectRefusal(refused, 409, 'rail_account_refused');
    expect(refused.body.message).toContain(accountId);
    expect(await statuses()).toEqual(['disabled', 'disabled']);
  });

  test('409 rail_account_refused: new keys were set during the check, and are kept', async () => {
    theirs.settings.takesEuros = true;
    await check();
    // The account is active before and after; only its keys show the change.
    api.whenAskedNext(async () => {
      const { status } = await api.as('platform')('POST', `/v1/merchants/${merchantId}/rail-accounts`, {
        environment: 'sandbox',
        rail: 'stripe',
        credential: { webhookSecret: 'whsec_newer' },
      });
      expect(status).toBe(200);
    });
    expectRefusal(await check({ apply: true }), 409, 'rail_account_refused');
    const sealed = await api.pool.oneFirst(sql.type(z.object({ credential: z.instanceof(Buffer) }))`
      select credential from rail_accounts where id = ${accountId}`);
    expect(JSON.parse(testSecretBox.open(sealed, railCredentialOf(accountId))).webhookSecret).toBe(
      'whsec_newer',
    );
  });

  test('409 rail_account_refused: an account that its processor rejects during the check stays disabled', async () => {
    theirs.settings.takesEuros = true;
    await check();
    api.whenAskedNext(async () => void (await disableRefusedAccount(api.pool, accountId)));
    expectRefusal(await check({ apply: true }), 409, 'rail_account_refused');
    expect(await statuses()).toEqual(['disabled']);
    expect((await check({ apply: true })).body).toMatchObject({ status: 'active' });
  });

  test('200: an unresponsive processor is reported as a finding before the request times out; nothing is stored', async () => {
    theirs.settings.takesEuros = true;
    await check();
    const timeout = hurried();
    api.whenAskedNext(timeIsUp);
    const answer = await check({ apply: true });
    expect(answer).toMatchObject({ status: 200, body: { status: 'active', usable: false } });
    expect(answer.body.findings.at(-1)).toMatchObject({
      code: 'no_answer_in_time',
      text: expect.stringContaining('did not answer in time'),
    });
    expect(timeout()).toBeGreaterThan(0);
    expect(timeout()).toBeLessThan(ANSWER_WITHIN_MS - 2_000);
  });

  test('200: capabilities that the processor had no time to report do not count as missing', async () => {
    theirs.settings.takesEuros = true;
    await check();
    hurried();
    theirs.settings.takesEuros = false;
    api.whenAnsweredNext(timeIsUp);
    const answer = await check({ apply: true });
    expect(answer).toMatchObject({ status: 200, body: { status: 'active', usable: false } });
  });

  test('400 invalid_request, invalid_json; 413; 415', async () => {
    expectRefusal(await check({ apply: 'yes' }), 400, 'invalid_request');
    const headers = await api.provider.as('platform');
    const send = (raw: string, more = {}) =>
      api.request('POST', path(), { headers: { ...headers, ...more }, raw });
    expectRefusal(await send('{'), 400, 'invalid_json');
    expectRefusal(await send(`"${'x'.repeat(102_400)}"`), 413, 'payload_too_large');
    expectRefusal(await send('{}', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
  });

  test('404 rail_account_not_found: unknown, another merchant’s, or at a rail that cannot be probed', async () => {
    for (const id of ['ap_rac_0', '%00', 'a b']) {
      expectRefusal(await check({}, id), 404, 'rail_account_not_found');
    }
    const other = await insertMerchant(api.pool);
    const foreign = `/v1/merchants/${other}/rail-accounts/${accountId}/check`;
    expectRefusal(await api.as('platform')('POST', foreign), 404, 'rail_account_not_found');
    const silent = await insertRailAccount(api.pool, { merchantId, environment: 'production' });
    expectRefusal(await check({}, silent), 404, 'rail_account_not_found');
  });

  test.each(['owner', 'developer', 'support'] as const)('403 administration_forbidden: %s', async (role) => {
    expectRefusal(await api.as(role, merchantId)('POST', path()), 403, 'administration_forbidden');
  });

  test('401 and 403: no credentials, a key, another merchantId in the body', async () => {
    expectRefusal(await api.request('POST', path()), 401, 'service_api_key_required');
    const apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
    expectRefusal(await api.request('POST', path(), { apiKey }), 403, 'administration_forbidden');
    expectRefusal(await check({ merchantId: 'ap_mer_other' }), 403, 'merchant_scope_mismatch');
  });
});

seesEveryAnswerOf('checkRailAccount');
