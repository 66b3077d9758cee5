/** docs/people.md, "From a new merchant to the first payment", through public interfaces alone. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { OWNER as DEMO_OWNER, PLATFORM } from '../../../sandbox/stack/demo/dev-accounts.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { eventually } from '../../support/core/eventually.ts';
import { startReceiver } from '../../support/server/receiver.ts';
import { pageAfterLogIn, tokenOn } from '../../support/stack/log-in.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';

const PACKAGES = join(PROJECT_DIR, 'packages');
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
}, 120_000);

test('the command line logs in in the browser, and stores a key that only its owner can read', async () => {
  const home = await mkdtemp(join(tmpdir(), 'checkout-test-home-'));
  const env = { ...process.env, NODE_OPTIONS: '', XDG_CONFIG_HOME: home, HOSTED_CHECKOUT_API_KEY: '' };
  const cli = join(PACKAGES, 'node/cli/main.ts');
  const child = spawn(process.execPath, [cli, 'login', '--url', stack.apiUrl, '--browser'], { env });
  try {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const address = await eventually(() => {
      const found = /Log in here: (\S+)/.exec(said)?.[1];
      if (!found) throw new Error(said);
      return found;
    });
    const returned = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    expect(returned.hostname).toBe('127.0.0.1');
    expect((await fetch(`${returned}?code=forged&state=guessed`)).status).toBe(404);
    expect(await pageAfterLogIn(stack.identityUrl, DEMO_OWNER, address)).toContain('You are logged in');
    await eventually(() => expect(said).toContain(`as ${stack.merchant.id}, sandbox`));
    const file = join(home, 'hosted-checkout/login.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      url: stack.apiUrl,
      key: expect.stringMatching(/^ap_test_/),
    });
    expect(said).not.toContain('ap_test_');
    const stored = { ...env, HOSTED_CHECKOUT_API_KEY: undefined };
    const opened = await runTool(process.execPath, [cli, 'open', 'ap_pay_1', '--json'], { env: stored });
    expect(JSON.parse(opened)).toEqual({
      url: `${stack.apiUrl}/dashboard/${stack.merchant.id}/sandbox/payments/ap_pay_1`,
    });
  } finally {
    child.kill();
    await rm(home, { recursive: true, force: true });
  }
}, 60_000);

test('listen forwards what an endpoint is sent, byte for byte', async () => {
  const home = await mkdtemp(join(tmpdir(), 'checkout-test-home-'));
  const [endpointReceiver, local] = [await startReceiver(), await startReceiver()];
  const { apiUrl, merchant } = stack;
  const owner = await logIn(DEMO_OWNER);
  const endpoints = `${apiUrl}/v1/merchants/${merchant.id}/webhook-endpoints`;
  const wanted = { environment: 'sandbox', url: endpointReceiver.url, standard_headers: true };
  const { id, secret } = await post(endpoints, wanted, owner);
  const env = { ...process.env, NODE_OPTIONS: '', XDG_CONFIG_HOME: home, HOSTED_CHECKOUT_URL: apiUrl };
  const args = [join(PACKAGES, 'node/cli/main.ts'), 'listen', '--forward', local.url, '--endpoint', id];
  const child = spawn(process.execPath, args, {
    env: { ...env, HOSTED_CHECKOUT_API_KEY: merchant.apiKey, WEBHOOK_SECRET: secret },
  });
  try {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    await eventually(() => expect(said).toContain('Listening for events'), 30_000);
    const { event_id: eventId } = await post(`${endpoints}/${id}/test`, {}, owner);
    await eventually(() => expect(said).toContain(`${eventId}  → 200`), 30_000);
    const [sent] = endpointReceiver.received;
    const [forwarded] = local.received;
    expect(forwarded?.body).toBe(sent?.body);
    const names = [
      'content-type',
      'user-agent',
      'service-event-id',
      'service-delivery-attempt',
      'service-signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ];
    for (const name of names) {
      expect(sent?.headers[name]).toBeDefined();
      expect([name, forwarded?.headers[name]]).toEqual([name, sent?.headers[name]]);
    }
    expect(said).not.toContain('signature');
  } finally {
    child.kill();
    await Promise.all([endpointReceiver.stop(), local.stop(), rm(home, { recursive: true, force: true })]);
  }
}, 60_000);
