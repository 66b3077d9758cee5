/** The command line as a merchant's developer runs it, against the whole service. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { TRIGGERS } from '../../../packages/node/cli/core/sandbox-events.ts';
import { OPERATIONS } from '../../../packages/node/cli/core/sandbox-operations.ts';
import { HostedCheckout, verifyWebhook } from '../../../packages/node/src/index.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { OWNER } from '../../../sandbox/stack/demo/dev-accounts.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { eventually } from '../../support/core/eventually.ts';
import { type Receiver, startReceiver } from '../../support/server/receiver.ts';
import { pageAfterLogIn, tokenOn } from '../../support/stack/log-in.ts';
import type { TestStack } from '../../support/stack/stack.ts';

const CLI = join(PROJECT_DIR, 'packages/node/cli/main.ts');
const NO_HOME = join(tmpdir(), 'checkout-test-without-home');
const OTHER_SECRET = `whsec_${'A'.repeat(43)}=`;
const TIMEOUT_MS = 60_000;

/** The ids created by `trigger`, by object type. */
type Made = Readonly<Record<string, string>>;

/** A running command, and its output so far. */
class Running {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exit: Promise<unknown[]>;

  constructor(stack: TestStack, args: readonly string[], env: NodeJS.ProcessEnv) {
    const { NODE_COMPILE_CACHE, PATH } = process.env;
    this.#child = spawn(process.execPath, [CLI, ...args], {
      env: {
        NODE_COMPILE_CACHE,
        PATH,
        XDG_CONFIG_HOME: NO_HOME,
        HOSTED_CHECKOUT_URL: stack.apiUrl,
        HOSTED_CHECKOUT_API_KEY: stack.merchant.apiKey,
        ...env,
      },
    });
    this.#child.stdin.end();
    this.#child.stdout.on('data', (chunk) => (this.stdout += chunk));
    this.#child.stderr.on('data', (chunk) => (this.stderr += chunk));
    this.#exit = once(this.#child, 'close');
  }

  says(what: string | RegExp): Promise<void> {
    return eventually(() => expect(this.stdout + this.stderr).toMatch(what), TIMEOUT_MS);
  }

  /** @returns its exit code */
  async ended(): Promise<unknown> {
    return (await this.#exit)[0];
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#exit;
  }
}

const start = (stack: TestStack, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  new Running(stack, args, env);

async function refused(stack: TestStack, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const running = start(stack, args, env);
  expect(await running.ended()).not.toBe(0);
  return running.stderr;
}

/** Each line that a command prints with --json. */
async function printed(stack: TestStack, args: readonly string[], env: NodeJS.ProcessEnv = {}, code = 0) {
  const running = start(stack, [...args, '--json'], env);
  expect({ code: await running.ended(), stderr: running.stderr }).toMatchObject({ code });
  return running.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function logInAsOwner(stack: TestStack, running: Running): Promise<URL> {
  await running.says('Log in here: ');
  const address = /Log in here: (\S+)/.exec(running.stderr)?.[1] ?? '';
  expect(await pageAfterLogIn(stack.identityUrl, OWNER, address)).toContain('You are logged in');
  return new URL(address);
}

const clientOf = (stack: TestStack, key = stack.merchant.apiKey) =>
  new HostedCheckout(key, { baseUrl: stack.apiUrl });
const ownerOf = async (stack: TestStack) =>
  clientOf(stack, tokenOn(await pageAfterLogIn(stack.identityUrl, OWNER)));

/** Triggers two at a time, because only two clocks of a merchant may move at once. */
export async function triggerEveryEvent(stack: TestStack): Promise<void> {
  const types = Object.keys(TRIGGERS).filter((type) => type !== 'webhook.test');
  const halves = [types.filter((_, nth) => nth % 2 === 0), types.filter((_, nth) => nth % 2 === 1)];
  const made: (readonly [string, Made])[] = [];
  // Charges are announced only while an endpoint names the events. A test event needs a single endpoint.
  const { webhookEndpoints } = (await ownerOf(stack)).merchants;
  const { id } = await webhookEndpoints.create(stack.merchant.id, {
    environment: 'sandbox',
    url: 'http://127.0.0.1:9/announcements',
    event_types: ['subscription.trial_ending', 'subscription.renewal_upcoming'],
  });
  await Promise.all(
    halves.map(async (half) => {
      for (const type of half) made.push([type, await trigger(stack, type)]);
    }),
  );
  await webhookEndpoints.delete(stack.merchant.id, id);
  made.push(['webhook.test', await trigger(stack, 'webhook.test')]);
  expect(made.length).toBe(types.length + 1);
  await Promise.all(made.map(([type, ids]) => untilLogged(stack, type, ids)));
}

const OUTCOMES: Readonly<Record<keyof typeof OPERATIONS, object>> = {
  'plan-change': { change: 'applied' },
  'plan-change-later': { change: 'applied' },
  'plan-change-declined': { change: 'failed' },
  'plan-change-requires-action': { change: 'requires_action', hostedUrl: expect.stringContaining('/pay/') },
  'plan-change-cancel': { change: 'cancelled' },
  'offering-change': { offering: expect.stringMatching(/^ap_off_/), change: 'applied' },
  quantity: { quantity: 2, change: 'applied' },
  'quantity-later': { quantity: 1, change: 'applied' },
  'cancel-later': { status: 'cancelled' },
  'cancel-undo': { status: 'active' },
  resume: { status: 'active' },
  'price-change': { change: 'applied', amount: 1_100 },
  'price-move': { move: expect.stringMatching(/^ap_pm_/), amount: 1_100 },
  'trial-extend': { status: 'trialing', trial_end: expect.any(String) },
  'trial-end': { status: 'active' },
  'invoice-pay': { status: 'succeeded' },
  'payment-link': { state: 'succeeded' },
  coupon: { coupon: expect.stringMatching(/^ap_cpn_/) },
};

export async function triggerEveryOperation(stack: TestStack): Promise<void> {
  const made = new Map<string, Made>();
  for (const name of Object.keys(OPERATIONS)) made.set(name, await trigger(stack, name));
  expect(Object.keys(OUTCOMES)).toEqual([...made.keys()]);
  expect(Object.fromEntries(made)).toMatchObject(OUTCOMES);
}

const NEEDS_LOG_IN = ['webhook.test', 'price-change', 'price-move'];

async function trigger(stack: TestStack, type: string): Promise<Made> {
  if (!NEEDS_LOG_IN.includes(type)) {
    const [made] = await printed(stack, ['trigger', type]);
    return made;
  }
  const running = start(stack, ['trigger', type, '--json']);
  await logInAsOwner(stack, running);
  expect(await running.ended()).toBe(0);
  return JSON.parse(running.stdout);
}

async function untilLogged(stack: TestStack, type: string, made: Made) {
  expect(made.type).toBe(type);
  const checkout = clientOf(stack);
  const { merchant_id } = await checkout.billing.showDashboard();
  const payment = made.checkout && (await checkout.checkouts.show(made.checkout)).payment_id;
  const ids = [made.event, made.subscription, made.checkout, payment].filter((id) => typeof id === 'string');
  await eventually(async () => {
    const { data } = await checkout.merchants.webhookEvents.list(merchant_id, {
      type: type as never,
      limit: 100,
    });
    const bodies = await Promise.all(
      data.map(({ id }) => checkout.merchants.webhookEvents.show(merchant_id, id)),
    );
    const found = bodies.filter(({ body }) => ids.some((id) => body.includes(`"${id}"`)));
    expect([type, ids, found.length > 0]).toEqual([type, ids, true]);
  }, TIMEOUT_MS);
}

export async function buyAndReadLogs(stack: TestStack): Promise<void> {
  const [bought] = await printed(stack, ['buy']);
  expect(bought).toMatchObject({ id: expect.stringMatching(/^ap_chk_/), state: 'succeeded', attempts: 1 });
  const args = ['buy', stack.products.oneTime];
  const [declined] = await printed(stack, [...args, '--card', '4000000000000002'], {}, 3);
  expect(declined).toMatchObject({ state: 'created', attempts: 1 });
  const undecided = start(stack, [...args, '--card', '4000009000000318', '--timeout', '2']);
  expect(await undecided.ended()).toBe(1);
  expect(undecided.stderr).toContain('No outcome within 2 s.');
  const id = await eventually(async () => {
    const attempts = await printed(stack, ['logs', '--type', 'payment.succeeded', '--limit', '100']);
    const bodies = await Promise.all(
      attempts.map(({ event_id }) =>
        clientOf(stack).merchants.webhookEvents.show(stack.merchant.id, event_id),
      ),
    );
    const found = bodies.find(({ body }) => body.includes(bought.id));
    if (!found) throw new Error(`no delivery for ${bought.id}`);
    return found.id;
  }, TIMEOUT_MS);
  const ofEvent = await printed(stack, ['logs', '--event', id, '--limit', '1']);
  expect(ofEvent).toEqual([expect.objectContaining({ event_id: id, event_type: 'payment.succeeded' })]);
}

export async function logInInBrowser(stack: TestStack): Promise<void> {
  await inNewHome(async (env) => {
    const running = start(stack, ['login', '--url', stack.apiUrl, '--browser'], {
      ...env,
      HOSTED_CHECKOUT_API_KEY: '',
    });
    await running.says('Log in here: ');
    const asked = new URL(/Log in here: (\S+)/.exec(running.stderr)?.[1] ?? '');
    const returned = new URL(asked.searchParams.get('redirect_uri') ?? '');
    expect(returned.hostname).toBe('127.0.0.1');
    expect((await fetch(`${returned}?code=forged&state=guessed`)).status).toBe(404);
    await logInAsOwner(stack, running);
    expect(await running.ended()).toBe(0);
    expect(running.stdout).toContain(`as ${stack.merchant.id}, sandbox`);
    await expectStored(stack, env, expect.stringMatching(/^ap_test_/));
    expect(running.stdout + running.stderr).not.toContain('ap_test_');
    const opened = await printed(stack, ['open', 'ap_pay_1'], loggedIn(env));
    expect(opened).toEqual([{ url: `${stack.dashboardUrl}/${stack.merchant.id}/sandbox/payments/ap_pay_1` }]);
  });
}

export async function logInWithKey(stack: TestStack): Promise<void> {
  await inNewHome(async (env) => {
    const args = ['login', '--url', stack.apiUrl, '--key', stack.merchant.apiKey];
    expect(await printed(stack, args, { ...env, HOSTED_CHECKOUT_API_KEY: '' })).toEqual([
      { merchant_id: stack.merchant.id, environment: 'sandbox', url: stack.apiUrl },
    ]);
    await expectStored(stack, env, stack.merchant.apiKey);
    const { id } = await stack.createCheckout(stack.products.oneTime);
    expect(await completedIn('bash', `open ${id.slice(0, -1)}`, { ...env, NODE_OPTIONS: '' })).toBe(id);
    const asked = ['completion', 'ids', '--json', '--', 'buy', 'buy', 'ap_'];
    const running = start(stack, asked, loggedIn(env));
    expect(await running.ended()).toBe(0);
    expect(JSON.parse(running.stdout)).toContain(stack.products.oneTime);
  });
}

/** The completions that a shell offers for the last word. */
async function completedIn(shell: string, typed: string, env: NodeJS.ProcessEnv): Promise<string> {
  const command = `"${process.execPath}" "${CLI}"`;
  const words = ['hosted-checkout', ...typed.split(' ')];
  const script = `hosted-checkout() { ${command} "$@"; }
eval "$(hosted-checkout completion ${shell})"
COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _hosted_checkout
echo "\${COMPREPLY[*]}"`;
  return runTool(shell, ['-c', script], { env: { PATH: process.env.PATH, ...env } });
}

const loggedIn = (env: NodeJS.ProcessEnv) => ({
  HOSTED_CHECKOUT_API_KEY: undefined,
  HOSTED_CHECKOUT_URL: undefined,
  ...env,
});

async function inNewHome(run: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'checkout-test-home-'));
  try {
    await run({ XDG_CONFIG_HOME: home });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function expectStored(stack: TestStack, env: NodeJS.ProcessEnv, key: unknown): Promise<void> {
  const file = join(env.XDG_CONFIG_HOME ?? '', 'hosted-checkout/login.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ url: stack.apiUrl, key });
}

export async function openPages(stack: TestStack): Promise<void> {
  const { merchant, products } = stack;
  const dashboard = `${stack.dashboardUrl}/${merchant.id}/sandbox`;
  const { data } = await clientOf(stack).products.list();
  const price = data.find(({ id }) => id === products.oneTime)?.active_price?.id ?? '';
  const dispute = await anyDispute(stack);
  for (const [id, page] of [
    ['ap_off_1', '/offerings/ap_off_1'],
    [price, `/products/${products.oneTime}`],
    [dispute.id, `/payments/${dispute.payment_id}`],
    ['ap_cn_1', '/invoices/credit-notes/ap_cn_1'],
    ['ap_cpn_1', '/coupons'],
    ['ap_key_1', '/api-keys'],
    ['ap_pcl_1', '/storefront-clients'],
    [merchant.id, ''],
  ] as const) {
    expect([id, await printed(stack, ['open', id])]).toEqual([id, [{ url: dashboard + page }]]);
  }
}

/** A dispute, from an earlier test if possible, because a new one takes a while to arrive. */
async function anyDispute(stack: TestStack) {
  const list = async () => (await clientOf(stack).merchants.disputes.list(stack.merchant.id)).data;
  if ((await list()).length === 0) await printed(stack, ['trigger', 'billing.operational_alert']);
  return eventually(async () => {
    const [dispute] = await list();
    if (!dispute) throw new Error('no dispute yet');
    return dispute;
  }, TIMEOUT_MS);
}

interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly sent: Receiver;
  /** Sends a test event. @returns its id */
  send(): Promise<string>;
}

/** Calls `run` with a new endpoint of the demo merchant, and a local address to forward to. */
async function withEndpoint(
  stack: TestStack,
  run: (endpoint: Endpoint, local: Receiver) => Promise<void>,
): Promise<void> {
  const [sent, local] = [await startReceiver(), await startReceiver()];
  const owner = await ownerOf(stack);
  const { id, secret } = await owner.merchants.webhookEndpoints.create(stack.merchant.id, {
    environment: 'sandbox',
    url: sent.url,
    standard_headers: true,
  });
  const send = async () =>
    (await owner.merchants.webhookEndpoints.sendTestEvent(stack.merchant.id, id)).event_id;
  try {
    await run({ id, secret, sent, send }, local);
  } finally {
    await owner.merchants.webhookEndpoints.delete(stack.merchant.id, id);
    await Promise.all([sent.stop(), local.stop()]);
  }
}

async function listening(
  stack: TestStack,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  run: (running: Running) => Promise<void>,
): Promise<void> {
  const running = start(stack, ['listen', ...args], env);
  try {
    await running.says('Listening for events');
    await run(running);
  } finally {
    await running.stop();
  }
}

export async function forwardByteForByte(stack: TestStack): Promise<void> {
  await withEndpoint(stack, async ({ id, secret, sent, send }, local) => {
    const args = ['--forward', local.url, '--endpoint', id];
    await listening(stack, args, { WEBHOOK_SECRET: secret }, async (running) => {
      await running.says(`${await send()}  → 200`);
      const [original, forwarded] = [sent.nth(0), local.nth(0)];
      expect(forwarded.body).toBe(original.body);
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
        expect(original.headers[name]).toBeDefined();
        expect([name, forwarded.headers[name]]).toEqual([name, original.headers[name]]);
      }
      expect(running.stdout + running.stderr).not.toContain('NOT VERIFIED');
    });
  });
}

/** Checks that unverifiable requests are neither printed as events nor forwarded, and that the cause is named. */
export async function holdBackUnverified(stack: TestStack): Promise<void> {
  await withEndpoint(stack, async ({ id, secret, send }, local) => {
    const args = ['--forward', local.url, '--endpoint', id, '--json'];
    await listening(stack, args, { WEBHOOK_SECRET: OTHER_SECRET }, async (running) => {
      const eventId = await send();
      await running.says(`${eventId}  NOT VERIFIED, skipped: No signature matches: the secret belongs to`);
      expect(running.stderr).toContain("Use this endpoint's secret");
      expect(running.stdout).toBe('');
    });
    expect(local.received).toEqual([]);
    for (const [seconds, how] of [
      [400, 'fast'],
      [-400, 'slow'],
    ] as const) {
      const env = { WEBHOOK_SECRET: secret, NODE_OPTIONS: clockOffBy(seconds) };
      await listening(stack, args, env, async (running) => {
        expect(running.stderr).toMatch(new RegExp(`clock is \\d+ s ${how}.*check its time synchronization`));
        await running.says(await send());
        expect(running.stderr).not.toContain('NOT VERIFIED');
      });
    }
    const since = new Date(Date.now() - 3_600_000).toISOString();
    await listening(
      stack,
      ['--endpoint', id, '--since', since],
      { WEBHOOK_SECRET: secret },
      async (running) => {
        await running.says('webhook.test');
        expect(running.stderr).not.toContain('NOT VERIFIED');
      },
    );
  });
}

const clockOffBy = (seconds: number) =>
  `--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+${seconds * 1_000}`;

/** With two endpoints, `listen` uses neither unless one is named, and signs with a secret that it prints. */
export async function signWithoutEndpoint(stack: TestStack): Promise<void> {
  await withEndpoint(stack, async (_endpoint, local) => {
    const args = ['--forward', local.url, '--type', 'payment.failed', '--once', '--json'];
    await listening(stack, args, {}, async (running) => {
      await running.says(/signed with whsec_\S+\n/);
      const secret = /signed with (whsec_\S+)/.exec(running.stderr)?.[1] ?? '';
      await printed(stack, ['trigger', 'payment.failed']);
      expect(await running.ended()).toBe(0);
      const event = { type: 'payment.failed' };
      expect(JSON.parse(running.stdout)).toMatchObject({ forwarded: '200', event });
      const { body: rawBody, headers } = local.nth(0);
      const signature = String(headers['service-signature']);
      expect(await verifyWebhook({ rawBody, signature, secret })).toMatchObject(event);
    });
  });
}

/** Checks that each bad input gets a sentence with cause and remedy. */
export async function nameCauseAndRemedy(stack: TestStack): Promise<void> {
  const owner = await ownerOf(stack);
  const { merchant } = stack;
  const { key: liveKey } = await owner.merchants.apiKeys.create(merchant.id, {
    environment: 'production',
    name: 'Live',
  });
  const { data } = await owner.merchants.webhookEndpoints.list(merchant.id, { environment: 'sandbox' });
  const live = { HOSTED_CHECKOUT_API_KEY: liveKey };
  const unknownKey = { HOSTED_CHECKOUT_API_KEY: `ap_test_${'0'.repeat(64)}` };
  const unknown = `The key is not known at ${stack.apiUrl}: it has expired, was revoked or cut off, or belongs to another`;
  const cases: readonly (readonly [readonly string[], NodeJS.ProcessEnv, string])[] = [
    [['logs'], unknownKey, unknown],
    [['trigger', 'payment.succeeded'], unknownKey, unknown],
    [['login', '--url', stack.apiUrl], unknownKey, unknown],
    [
      ['logs'],
      { HOSTED_CHECKOUT_API_KEY: OTHER_SECRET },
      'This is the secret of a webhook endpoint: an API key begins',
    ],
    [['buy'], live, 'This is a live key: test purchases need a sandbox key'],
    [['trigger', 'refund.created'], live, 'This is a live key: test purchases need a sandbox key'],
    [
      ['listen', '--endpoint', data[0]?.id ?? ''],
      live,
      'the sandbox and production have their own. There are: none.',
    ],
    [['listen'], { WEBHOOK_SECRET: merchant.apiKey }, 'WEBHOOK_SECRET must begin with whsec_.'],
    [['logs', '--url', 'pay.example'], {}, "is not an installation's address, which begins with https://"],
    [['logs', '--url', stack.railUrl], {}, `Check the address ${stack.railUrl}, which ends before /v1`],
    [['logs', '--url', stack.identityUrl], {}, 'check the address, and any proxy in between'],
  ];
  for (const [args, env, sentence] of cases) {
    const said = await refused(stack, args, env);
    expect(said).toContain(sentence);
    for (const secret of [merchant.apiKey, liveKey, OTHER_SECRET]) expect(said).not.toContain(secret);
  }
}
