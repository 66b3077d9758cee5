/**
 * Shops against the running service: as `npm create hosted-checkout-shop` writes them, in Express and in Next.js, and
 * the program of docs/one-off-payments.md.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWebhookSecret, signWebhook } from '../../../contract/webhook/webhook-signature.ts';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { npmTools } from '../../../sandbox/stack/core/npm-tools.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { eventually } from '../../support/core/eventually.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';

const PACKAGES = join(PROJECT_DIR, 'packages');

let stack: TestStack;
beforeAll(async () => {
  stack = await startStack({ parts: ['rail', 'api', 'worker'] });
});
afterAll(() => stack?.stop());

test('an Express shop passes its test, sells and delivers', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'checkout-test-shop-'));
  const shop = join(dir, 'shop');
  const client = join(shop, 'node_modules/hosted-checkout');
  const { apiUrl, merchant } = stack;
  const env = { HOSTED_CHECKOUT_URL: apiUrl, HOSTED_CHECKOUT_API_KEY: merchant.apiKey };
  await node([join(PACKAGES, 'create-shop/create.mjs'), shop], dir, env);
  await installClient(client);
  await symlink(join(PROJECT_DIR, 'node_modules/express'), join(shop, 'node_modules/express'));
  await node(['--test'], shop);
  const inUse = { PORT: parseEnv(await readFile(join(shop, '.env'), 'utf8')).PORT ?? '' };
  const neighbour = createServer().listen(Number(inUse.PORT));
  await once(neighbour, 'listening');
  try {
    await node([join(PACKAGES, 'create-shop/create.mjs'), join(dir, 'another')], dir, env);
    await expect(node(['shop.mjs'], shop)).rejects.toThrow(`Port ${inUse.PORT} is in use: set PORT in .env`);
  } finally {
    neighbour.close();
  }
  expect(parseEnv(await readFile(join(dir, 'another/.env'), 'utf8')).PORT).not.toBe(inUse.PORT);

  await sellsAndDelivers({
    start: (port) => [
      spawn(process.execPath, ['shop.mjs'], inShop(shop, port)),
      spawn(process.execPath, ['listen.mjs'], inShop(shop, port)),
    ],
    afterwards: showsIt,
  });
  await rm(dir, { recursive: true, force: true });
});

test('a Next.js shop passes its test, is built, sells and delivers; so does the route of packages/node', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'checkout-test-shop-'));
  const { apiUrl, merchant } = stack;
  const env = { HOSTED_CHECKOUT_URL: apiUrl, HOSTED_CHECKOUT_API_KEY: merchant.apiKey };
  await node([join(PACKAGES, 'create-shop/create.mjs'), join(dir, 'shop'), '--next'], dir, env);
  const { dependencies, scripts } = JSON.parse(await readFile(join(dir, 'shop/package.json'), 'utf8'));
  const { 'hosted-checkout': _, ...packages } = dependencies;
  const { PORT: port, WEBHOOK_SECRET: secret = '' } = parseEnv(
    await readFile(join(dir, 'shop/.env'), 'utf8'),
  );
  expect(scripts).toMatchObject({
    dev: `next dev --hostname 127.0.0.1 --port ${port}`,
    start: `next start --hostname 127.0.0.1 --port ${port}`,
  });
  const tools = await npmTools(`next-${packages.next}`, packages);
  // Next.js follows no links out of its folder, so the shop is built inside the folder of the installed packages.
  const shop = await mkdtemp(join(tools, 'shop-'));
  try {
    await cp(join(dir, 'shop'), shop, { recursive: true });
    await installClient(join(shop, 'node_modules/hosted-checkout'));
    await node(['--test'], shop);
    await mkdir(join(shop, 'app/example'));
    await cp(join(PACKAGES, 'node/examples/next-route.mjs'), join(shop, 'app/example/route.js'));
    const next = join(tools, 'node_modules/next/dist/bin/next');
    await runTool(process.execPath, [next, 'build'], inShop(shop, ''));
    await sellsAndDelivers({
      start: (port) => [
        spawn(process.execPath, [next, 'start', '--port', port], inShop(shop, port)),
        spawn(process.execPath, ['listen.mjs'], inShop(shop, port)),
      ],
      async afterwards(opened) {
        await showsIt(opened);
        const post = (by: string) => postSigned(`${opened.url}/example`, by);
        expect([await post(secret), await post(createWebhookSecret())]).toEqual([200, 400]);
      },
    });
  } finally {
    await Promise.all([dir, shop].map((each) => rm(each, { recursive: true, force: true })));
  }
}, 300_000);

test('the program in docs/one-off-payments.md sells, delivers, and informs the buyer', async () => {
  const shop = await mkdtemp(join(tmpdir(), 'checkout-test-guide-'));
  try {
    const guide = await readFile(join(PROJECT_DIR, 'docs/one-off-payments.md'), 'utf8');
    await writeFile(join(shop, 'shop.mjs'), /^```js\n([\s\S]*?)^```/m.exec(guide)?.[1] ?? '');
    await installClient(join(shop, 'node_modules/hosted-checkout'));
    await symlink(join(PROJECT_DIR, 'node_modules/express'), join(shop, 'node_modules/express'));
    const { apiUrl, merchant, products } = stack;
    const secret = createWebhookSecret();
    const options = (port: string) => {
      const { env, cwd } = inShop(shop, port);
      const service = { HOSTED_CHECKOUT_URL: apiUrl, HOSTED_CHECKOUT_API_KEY: merchant.apiKey };
      return { cwd, env: { ...env, ...service, WEBHOOK_SECRET: secret, PRODUCT_ID: products.oneTime } };
    };
    const cli = join(shop, 'node_modules/hosted-checkout/dist/cli.js');
    await sellsAndDelivers({
      start: (port) => [
        spawn(process.execPath, ['shop.mjs'], options(port)),
        spawn(
          process.execPath,
          [cli, 'listen', '--forward', `http://localhost:${port}/webhooks`],
          options(port),
        ),
      ],
      offer: 'Buy',
      async afterwards({ url }) {
        const headers = { authorization: `Bearer ${merchant.apiKey}` };
        const { data } = await (await fetch(`${apiUrl}/v1/orders`, { headers })).json();
        const { external_reference: id } = data[0];
        expect(await (await fetch(`${url}/orders/${id}`)).text()).toContain('It is on its way');
        expect(await (await fetch(`${url}/orders/another`)).text()).toContain('waiting for your payment');
      },
    });
  } finally {
    await rm(shop, { recursive: true, force: true });
  }
});

async function showsIt({ url, paymentId }: Opened): Promise<void> {
  expect(await (await fetch(url)).text()).toContain(paymentId);
}

/** @returns the status of the response to a webhook that this secret has signed */
async function postSigned(url: string, secret: string): Promise<number> {
  const rawBody = JSON.stringify({ id: 'evt_1', type: 'payment.succeeded', payment: { id: 'ap_pay_1' } });
  const signature = signWebhook({ rawBody, timestamp: Math.floor(Date.now() / 1_000), secrets: [secret] });
  const headers = { 'content-type': 'application/json', 'service-signature': signature };
  return (await fetch(url, { method: 'POST', headers, body: rawBody })).status;
}

interface Opened {
  readonly url: string;
  readonly paymentId: string;
}

interface Selling {
  /** Starts the shop and the listener that forwards its webhooks. */
  readonly start: (port: string) => readonly ChildProcess[];
  /** A text on the shop's first page. */
  readonly offer?: string;
  readonly afterwards: (opened: Opened) => Promise<void>;
}

async function sellsAndDelivers({ start, offer = 'Enamel mug', afterwards }: Selling): Promise<void> {
  const port = `${await freePort()}`;
  const url = `http://127.0.0.1:${port}`;
  const parts = start(port);
  // A part has ended once no process that it started holds its output open.
  const ended = parts.map((part) => once(part, 'close'));
  try {
    let said = '';
    for (const { stdout, stderr } of parts) {
      for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (said += chunk));
    }
    await eventually(() => expect(said).toContain('Listening'));
    expect(await eventually(async () => (await fetch(url)).text(), 30_000)).toContain(offer);
    const bought = await fetch(`${url}/buy`, { method: 'POST', redirect: 'manual' });
    const hostedUrl = bought.headers.get('location') ?? '';
    expect(await payAsBuyer({ hostedUrl })).toMatchObject({ problem: null });
    const paymentId = await eventually(() => {
      const found = /Delivered for payment (ap_pay_\w+)/.exec(said)?.[1];
      if (!found) throw new Error(said);
      return found;
    }, 30_000);
    const forged = await fetch(`${url}/webhooks`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(forged.status).toBe(400);
    expect(said.match(/Delivered/g)).toHaveLength(1);
    await afterwards({ url, paymentId });
  } finally {
    for (const part of parts) part.kill();
    await Promise.all(ended);
  }
}

async function installClient(client: string): Promise<void> {
  await node([join(PACKAGES, 'node/build.mjs'), join(client, 'dist')], PROJECT_DIR);
  await cp(join(PACKAGES, 'node/package.json'), join(client, 'package.json'));
}

function node(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
  return runTool(process.execPath, args, { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env } });
}

function inShop(cwd: string, port: string) {
  const { HOSTED_CHECKOUT_URL: _url, HOSTED_CHECKOUT_API_KEY: _key, ...env } = process.env;
  return {
    cwd,
    env: { ...env, NODE_OPTIONS: '', NEXT_TELEMETRY_DISABLED: '1', PORT: port, XDG_CONFIG_HOME: cwd },
  };
}
