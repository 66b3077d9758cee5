/** The steps in docs/people.md: from a new merchant to a page on which a buyer can enter a card. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSandboxRail } from '../../../../rail/sandbox/index.ts';
import { type RunningRail, startRail } from '../../../sandbox/rail/running-rail.ts';
import { expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';

const credential = {
  account: 'acct_new_merchant',
  secret: 'rail_secret_of_a_new_merchant',
  webhookSecret: 'whsec_of_a_new_merchant_at_the_rail',
};

let rail: RunningRail;
let api: PeopleApi;

beforeAll(async () => {
  rail = await startRail();
  api = await startPeopleApi({ rails: new Map([['sandbox', createSandboxRail({ baseUrl: rail.url })]]) });
});
afterAll(async () => {
  await api?.stop();
  await rail?.close();
});

const platform = (method: string, path: string, body?: unknown) => api.as('platform')(method, path, body);

test('a newly created merchant can sell', async () => {
  const { body: merchant } = await platform('POST', '/v1/merchants', { name: 'Harbour Coffee' });
  const path = `/v1/merchants/${merchant.id}`;

  await rail.post('/admin/accounts', { id: credential.account, secret: credential.secret });
  const account = await platform('POST', `${path}/rail-accounts`, {
    environment: 'sandbox',
    rail: 'sandbox',
    credential,
  });
  expect(account).toMatchObject({ status: 200, body: { status: 'active', usable: true } });

  const owner = api.as('owner', merchant.id);
  const { body: product } = await owner('POST', `${path}/products`, { name: 'Enamel mug' });
  const terms = { amount: 1_900, tax_rate: 19, billing_mode: 'one_time' };
  expect((await owner('POST', `${path}/products/${product.id}/prices`, terms)).status).toBe(201);

  const checkout = await api.request('POST', '/v1/checkouts', {
    apiKey: merchant.api_key.key,
    body: { productId: product.id, externalCustomerId: 'customer-1' },
  });
  expect(checkout.status).toBe(201);
  const page = await fetch(api.url + new URL(checkout.body.hostedUrl).pathname);
  expect(page.headers.get('content-security-policy')).toContain(`frame-src 'self' ${rail.url}`);
  const html = await page.text();
  expect(html).toContain('Harbour Coffee');
  expect(html).toContain(`${rail.url}/fields?account=${credential.account}`);
});

describe('an account at the sandbox rail', () => {
  let path: string;
  const set = async (given: object) => {
    const { body: merchant } = await platform('POST', '/v1/merchants', { name: 'Another' });
    path = `/v1/merchants/${merchant.id}/rail-accounts`;
    return platform('POST', path, {
      environment: 'sandbox',
      rail: 'sandbox',
      credential: given,
    });
  };

  test.each<[string, object, string]>([
    ['unknown to the rail', { ...credential, secret: 'a_secret_of_nobody' }, 'could not be queried'],
    ['with another account’s secret', { ...credential, account: 'acct_other' }, 'belongs to another account'],
    ['with an incomplete credential', { secret: credential.secret }, 'needs account, secret'],
  ])('%s is refused with a reason and not stored', async (_name, given, why) => {
    await rail.post('/admin/accounts', { id: credential.account, secret: credential.secret });
    const refused = await set(given);
    expectRefusal(refused, 409, 'rail_account_refused');
    expect(refused.body.message).toContain(why);
    expect((await platform('GET', path)).body.data).toEqual([]);
  });

  test('becomes active when checked after the rail has activated it', async () => {
    const at = { id: 'acct_late', secret: 'rail_secret_of_a_late_one' };
    await rail.post('/admin/accounts', { ...at, status: 'activating' });
    const given = { account: at.id, secret: at.secret, webhookSecret: credential.webhookSecret };
    const { body: account } = await set(given);
    expect(account.status).toBe('activating');
    const check = `/v1/merchants/${account.merchant_id}/rail-accounts/${account.id}/check`;
    expect((await platform('POST', check)).body.status).toBe('activating');
    await rail.post('/admin/accounts', { ...at, status: 'active' });
    expect((await platform('POST', check)).body).toMatchObject({ status: 'active', usable: true });
  });

  test('accepts only its own fields', async () => {
    expectRefusal(await set({ ...credential, secretKey: 'sk_test_1' }), 400, 'invalid_request');
  });
});
