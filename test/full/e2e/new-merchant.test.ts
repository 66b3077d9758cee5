/** docs/people.md, "From a new merchant to the first payment", through public interfaces alone. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { PLATFORM } from '../../../sandbox/stack/dev-accounts.ts';
import { pageAfterLogIn, tokenOn } from '../../support/log-in.ts';
import { startStack, type TestStack } from '../../support/stack.ts';

const OWNER = 'nora@new-merchant.example';

let stack: TestStack;
beforeAll(async () => {
  stack = await startStack({ parts: ['rail', 'api', 'worker', 'identity'] });
}, 120_000);
afterAll(() => stack?.stop());

async function post(url: string, body: unknown, token?: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const logIn = async (account: string) => tokenOn(await pageAfterLogIn(stack.identityUrl, account));

test('a new merchant takes its first payment', async () => {
  const { apiUrl, identityUrl, railUrl } = stack;
  const platform = await logIn(PLATFORM);
  const created = await post(`${apiUrl}/v1/merchants`, { name: 'New Merchant' }, platform);
  const merchant = `${apiUrl}/v1/merchants/${created.id}`;

  await post(`${identityUrl}/people`, { id: OWNER, name: 'Nora', role: 'owner', merchants: [created.id] });
  const owner = await logIn(OWNER);

  const atRail = {
    id: 'acct_new_merchant',
    secret: `rsk_${randomBytes(32).toString('hex')}`,
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
  };
  await post(`${railUrl}/admin/accounts`, { ...atRail, merchantName: 'New Merchant' });
  const { id: account, ...secrets } = atRail;
  const set = { environment: 'sandbox', rail: 'sandbox', credential: { account, ...secrets } };
  const railAccount = await post(`${merchant}/rail-accounts`, set, platform);
  expect(railAccount).toMatchObject({ status: 'active' });

  const product = await post(`${merchant}/products`, { name: 'Tea' }, owner);
  const terms = { amount: 450, tax_rate: 19, billing_mode: 'one_time' };
  await post(`${merchant}/products/${product.id}/prices`, terms, owner);

  const key = created.api_key.key;
  const wanted = { productId: product.id, externalCustomerId: 'customer-1' };
  const { id, hostedUrl } = await post(`${apiUrl}/v1/checkouts`, wanted, key);
  const { report, problem } = await payAsBuyer({
    ...{ hostedUrl, card: '4242424242424242', email: 'ada@example.org' },
    ...{ challenge: 'approve', timeoutSeconds: 60 },
  });
  expect({ state: report.state, problem }).toEqual({ state: 'succeeded', problem: null });

  const headers = { authorization: `Bearer ${key}` };
  const { data } = await (await fetch(`${apiUrl}/v1/payments`, { headers })).json();
  expect(data).toMatchObject([{ status: 'succeeded', amount: 450 }]);
  expect(id).toMatch(/^ap_chk_/);
}, 120_000);
