/**
 * docs/people.md, "From a new merchant to the first payment", through public interfaces only; and the command
 * line.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { PLATFORM } from '../../../sandbox/stack/demo/dev-accounts.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { pageAfterLogIn, tokenOn } from '../../support/stack/log-in.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import {
  buyAndReadLogs,
  forwardByteForByte,
  holdBackUnverified,
  logInInBrowser,
  logInWithKey,
  nameCauseAndRemedy,
  openPages,
  signWithoutEndpoint,
  triggerEveryEvent,
  triggerEveryOperation,
} from './command-line.ts';

const PACKAGES = join(PROJECT_DIR, 'packages');
const OWNER = 'nora@new-merchant.example';

let stack: TestStack;
beforeAll(async () => {
  stack = await startStack({ parts: ['rail', 'api', 'worker', 'identity'], refunds: true });
});
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
  const { report, problem } = await payAsBuyer({ hostedUrl });
  expect({ state: report.state, problem }).toEqual({ state: 'succeeded', problem: null });

  const headers = { authorization: `Bearer ${key}` };
  const list = async (what: string) => (await (await fetch(`${apiUrl}/v1/${what}`, { headers })).json()).data;
  const [payment] = await list('payments');
  expect(payment).toMatchObject({ status: 'succeeded', amount: 450 });
  expect(id).toMatch(/^ap_chk_/);

  const [invoice] = await list('invoices');
  const env = { ...process.env, NODE_OPTIONS: '', HOSTED_CHECKOUT_URL: apiUrl, HOSTED_CHECKOUT_API_KEY: key };
  const opened = async (...args: string[]) => {
    const cli = join(PACKAGES, 'node/cli/main.ts');
    return JSON.parse(await runTool(process.execPath, [cli, 'open', ...args, '--json'], { env })).url;
  };
  const dashboard = `${apiUrl}/dashboard/${created.id}/sandbox`;
  expect(await opened(payment.order_id)).toBe(`${dashboard}/payments/${payment.id}`);
  for (const each of [payment.id, payment.order_id, invoice.id]) {
    expect(await opened(each, '--temporal')).toMatch(new RegExp(`/workflows/${id}$`));
  }
});

describe('the command line', () => {
  test('logs in through the browser, and stores the key in a file that only its owner can read', () =>
    logInInBrowser(stack));
  test('logs in with a key, and shell completion offers the newest ids', () => logInWithKey(stack));
  test('triggers every event that it offers', () => triggerEveryEvent(stack), 240_000);
  test('triggers every operation on a subscription', () => triggerEveryOperation(stack), 300_000);
  test('buys, and shows the delivery', () => buyAndReadLogs(stack));
  test('`listen` forwards requests to an endpoint unchanged, byte for byte', () => forwardByteForByte(stack));
  test('`listen` holds back unverified requests, and states the cause', () => holdBackUnverified(stack));
  test('`listen` signs events that it forwards without an endpoint', () => signWithoutEndpoint(stack));
  test('opens the page of a related object for ids that have no page', () => openPages(stack));
  test('states cause and remedy for a wrong key, secret, environment and address', () =>
    nameCauseAndRemedy(stack));
});
