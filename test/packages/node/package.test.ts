/** The packed package, installed in a shop: ES modules, CommonJS, types, size, examples and command line. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWebhookSecret, signWebhook } from '../../../contract/webhook/webhook-signature.ts';
import { eventually } from '../../support/core/eventually.ts';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../../packages/node', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
/** Compressed, with the documentation of its methods. */
const MAX_BYTES = 18_400;

let shop: string;
let installed: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  shop = await mkdtemp(join(tmpdir(), 'shop-'));
  installed = join(shop, 'node_modules/hosted-checkout');
  await mkdir(installed, { recursive: true });
  await run(process.execPath, ['build.mjs', join(installed, 'dist')], { cwd: PACKAGE });
  for (const file of ['package.json', 'README.md', 'examples']) {
    await cp(join(PACKAGE, file), join(installed, file), { recursive: true });
  }
  for (const name of ['express', 'fastify', 'hono', 'typescript', '@types']) {
    await symlink(join(MODULES, name), join(shop, 'node_modules', name));
  }
});
afterAll(async () => {
  const ended = children.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined));
  for (const child of children) child.kill();
  await Promise.all(ended);
  await rm(shop, { recursive: true, force: true });
});

const node = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [...args], {
    cwd: shop,
    env: { ...process.env, NODE_OPTIONS: '', HOSTED_CHECKOUT_URL: '', HOSTED_CHECKOUT_API_KEY: '', ...env },
  });

test('the files named in the manifest exist, and the library imports no module', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  const { import: esm, require: cjs } = manifest.exports['.'];
  for (const file of [esm.types, esm.default, cjs.types, cjs.default, manifest.bin['hosted-checkout']]) {
    await readFile(join(installed, file));
  }
  const library = await readFile(join(installed, 'dist/index.js'), 'utf8');
  expect(library).not.toMatch(/\bfrom\s*["']|\brequire\(|\bimport\(|node:/);
  for (const types of [esm.types, cjs.types]) {
    expect(await readFile(join(installed, types), 'utf8')).not.toMatch(/from '[^']+\.ts'/);
  }
  expect(gzipSync(library).length).toBeLessThan(MAX_BYTES);
});

test('the package runs as an ES module and as CommonJS', async () => {
  const use = "new HostedCheckout('ap_test_1', { baseUrl: 'https://pay.example' }).baseUrl";
  await writeFile(
    join(shop, 'esm.mjs'),
    `import { HostedCheckout } from 'hosted-checkout'; console.log(${use});`,
  );
  await writeFile(
    join(shop, 'cjs.cjs'),
    `const { HostedCheckout } = require('hosted-checkout'); console.log(${use});`,
  );
  expect((await node(['esm.mjs'])).stdout).toBe('https://pay.example\n');
  expect((await node(['cjs.cjs'])).stdout).toBe('https://pay.example\n');
});

test.each(['mts', 'cts'])('the package has types for events and requests (.%s)', async (extension) => {
  const code = `import { HostedCheckout, type WebhookEvent } from 'hosted-checkout';
export async function buy(checkout: HostedCheckout): Promise<string> {
  // @ts-expect-error a required field is missing
  await checkout.checkouts.create({ productId: 'p' });
  // @ts-expect-error a refund names its payment or its order
  await checkout.refunds.create({ amount: 500 });
  return (await checkout.checkouts.create({ productId: 'p', externalCustomerId: 'c' })).hostedUrl;
}
export function paid(event: WebhookEvent): string | null {
  return event.type === 'payment.succeeded' ? event.payment.id : null;
}
`;
  await writeFile(join(shop, `types.${extension}`), code);
  const tsc = join(MODULES, 'typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
  const modules = ['--module', 'nodenext', '--moduleResolution', 'nodenext'];
  await node([tsc, ...options, ...modules, `types.${extension}`]);
});

const secret = createWebhookSecret();
const rawBody = JSON.stringify({ id: 'evt_1', type: 'payment.succeeded', payment: { id: 'ap_pay_1' } });
const headersFrom = (by: string) => ({
  'content-type': 'application/json',
  'service-signature': signWebhook({ rawBody, timestamp: Math.floor(Date.now() / 1_000), secrets: [by] }),
});

/** Starts an example that listens. */
async function serve(example: string) {
  await cp(join(installed, 'examples', example), join(shop, example));
  const child = spawn(process.execPath, [example], {
    cwd: shop,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PORT: '0',
      WEBHOOK_SECRET: secret,
      HOSTED_CHECKOUT_URL: 'https://pay.example',
      HOSTED_CHECKOUT_API_KEY: 'ap_test_1',
    },
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const url = await eventually(() => {
    const found = /http:\/\/localhost:\d+/.exec(output)?.[0];
    if (!found) throw new Error(output);
    return found;
  });
  const post = async (by: string) =>
    (await fetch(`${url}/webhooks`, { method: 'POST', headers: headersFrom(by), body: rawBody })).status;
  return { post, output: () => output };
}

test('the Express example handles a verified event once and rejects other requests with 400', async () => {
  const { post, output } = await serve('express.mjs');
  expect(await Promise.all([post(secret), post(secret), post(createWebhookSecret())])).toEqual([
    200, 200, 400,
  ]);
  expect(output().match(/deliver the goods of payment ap_pay_1/g)).toHaveLength(1);
  expect(output()).toMatch(/No signature matches.*Use this endpoint's secret/);
});

test('the Fastify example verifies the bytes as sent', async () => {
  const { post, output } = await serve('fastify.mjs');
  expect([await post(secret), await post(createWebhookSecret())]).toEqual([200, 400]);
  expect(output()).toContain('deliver the goods of payment ap_pay_1');
});

test.each([
  ['next-route.mjs', "import { POST } from './next-route.mjs'; const handle = POST;"],
  ['hono.mjs', "import app from './hono.mjs'; const handle = (request) => app.fetch(request);"],
])('the example %s handles a web-standard request', async (example, imported) => {
  await cp(join(installed, 'examples', example), join(shop, example));
  await writeFile(
    join(shop, 'route.mjs'),
    `${imported}
for (const headers of ${JSON.stringify([headersFrom(secret), headersFrom(createWebhookSecret())])}) {
  const url = 'http://shop.example/webhooks';
  const request = new Request(url, { method: 'POST', headers, body: ${JSON.stringify(rawBody)} });
  console.log((await handle(request)).status);
}`,
  );
  const { stdout } = await node(['route.mjs'], { WEBHOOK_SECRET: secret });
  expect(stdout).toBe('deliver the goods of payment ap_pay_1\n200\n400\n');
});

test('the generated shop passes its secret to the listener in the environment, which others cannot read', async () => {
  const folder = join(shop, 'written');
  await mkdir(folder);
  await cp(join(PACKAGE, '../create-shop/template/shared/listen.mjs'), join(folder, 'listen.mjs'));
  await writeFile(join(folder, '.env'), 'WEBHOOK_SECRET=not-a-secret\nPORT=3000\n');
  const listen = run(process.execPath, ['listen.mjs'], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: undefined },
  });
  await expect(listen).rejects.toMatchObject({
    stderr: expect.stringContaining('WEBHOOK_SECRET must begin with whsec_.'),
  });
});

test('the command line prints help for every command, and rejects unknown commands', async () => {
  const cli = join(installed, 'dist/cli.js');
  const { stdout: help } = await node([cli, '--help']);
  const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
  expect(commands).toEqual(['login', 'buy', 'trigger', 'listen', 'logs', 'open', 'completion']);
  for (const name of commands) {
    expect((await node([cli, name, '--help'])).stdout).toMatch(new RegExp(`^Usage: hosted-checkout ${name}`));
  }
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect((await node([cli, '--version'])).stdout).toBe(`${version}\n`);
  const home = { XDG_CONFIG_HOME: join(shop, 'no-config') };
  await expect(node([cli, 'pay'], home)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no command pay'),
  });
  await expect(node([cli, 'buy', '--crad', '4'], home)).rejects.toMatchObject({ code: 2 });
  await expect(node([cli, 'logs'], home)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('login'),
  });
  const live = node([cli, 'buy', '--url', 'http://127.0.0.1:1', '--key', 'ap_live_1'], home);
  await expect(live).rejects.toMatchObject({ stderr: expect.stringContaining('ap_test_') });
  const temporal = ['open', 'ap_chk_1', '--temporal', '--json'];
  expect(JSON.parse((await node([cli, ...temporal], home)).stdout)).toEqual({
    url: 'http://localhost:8233/namespaces/default/workflows/ap_chk_1',
  });
  await expect(node([cli, 'open', 'ap_cus_1', '--temporal'], home)).rejects.toMatchObject({ code: 2 });
});

/** Runs `listen --once` with an API that answers by path. An answer of `null` loses the connection. */
async function listenOnce(
  answerTo: (path: string) => object | null,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
) {
  const server = createServer(({ url: path = '' }, response) => {
    const answer = path.startsWith('/v1/billing/dashboard')
      ? { merchant_id: 'ap_mer_1' }
      : path === '/healthz'
        ? {}
        : answerTo(path);
    if (!answer) response.destroy();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const command = [join(installed, 'dist/cli.js'), 'listen', '--once', '--json', '--url', url, ...args];
    const running = node(command, { HOSTED_CHECKOUT_API_KEY: 'ap_test_1', ...env });
    children.push(running.child);
    return await running;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('`listen` outlasts an outage of the API, and prints the event recorded during it', async () => {
  const event = { id: 'evt_1', type: 'payment.succeeded', occurred_at: '2026-01-31T09:30:00.000Z' };
  let endsAt: number | undefined;
  let lost = 0;
  const { stdout, stderr } = await listenOnce((path) => {
    if (path.includes('/webhook-events/evt_1')) return { ...event, body: rawBody };
    if (endsAt === undefined) {
      endsAt = performance.now() + 3_000;
      return { data: [], next_cursor: null };
    }
    if (performance.now() > endsAt)
      return { data: [{ ...event, recorded_at: event.occurred_at }], next_cursor: null };
    lost += 1;
    return null;
  });
  expect(JSON.parse(stdout)).toMatchObject({ event: { id: 'evt_1' } });
  expect(stderr.match(/could not be reached.* Waiting until the API answers\./g)).toHaveLength(1);
  expect(stderr).toContain('The API answers again.');
  expect(lost).toBeGreaterThan(3);
});

test('`listen` verifies a delivery that is listed more than five minutes after its attempt', async () => {
  const endpoint = { id: 'ap_whe_1', url: 'https://shop.example', status: 'enabled' };
  let attempt: object | undefined;
  const { stdout, stderr } = await listenOnce(
    (path) => {
      if (path.includes('/webhook-endpoints')) return { data: [endpoint] };
      if (path.includes('/webhook-events/evt_1')) return { body: rawBody };
      const data = attempt ? [attempt] : [];
      attempt ??= {
        event_id: 'evt_1',
        event_type: 'payment.succeeded',
        attempt: 1,
        at: new Date().toISOString(),
        request_headers: headersFrom(secret),
      };
      return { data, next_cursor: null };
    },
    ['--endpoint', 'ap_whe_1'],
    // A second between two requests stands for a quarter of an hour.
    {
      WEBHOOK_SECRET: secret,
      NODE_OPTIONS:
        '--import=data:text/javascript,const%20now=Date.now,start=now();Date.now=()=>start+900*(now()-start)',
    },
  );
  expect(stderr).not.toContain('NOT VERIFIED');
  expect(JSON.parse(stdout)).toMatchObject({ event: { id: 'evt_1' } });
});

test('`login` reads the key from standard input, and reports a missing key', async () => {
  const env = { ...process.env, NODE_OPTIONS: '', HOSTED_CHECKOUT_API_KEY: undefined };
  const logIn = (input: string) => {
    const args = [join(installed, 'dist/cli.js'), 'login', '--url', 'http://127.0.0.1:2'];
    return spawnSync(process.execPath, args, { cwd: shop, env, input, encoding: 'utf8' });
  };
  const none = logIn('');
  expect(none.status).toBe(2);
  expect(none.stderr).toContain('There is no API key on standard input. Pass one in HOSTED_CHECKOUT_API_KEY');
  // With a key it would call the installation, which does not exist.
  const given = logIn('ap_test_1\n');
  expect(given.status).toBe(1);
  expect(given.stderr).toContain('http://127.0.0.1:2 could not be reached');
});

test('`open` knows every kind of id in the API, and explains why it rejects anything else', async () => {
  const cli = join(installed, 'dist/cli.js');
  const open = (id: string, ...more: string[]) =>
    node([cli, 'open', id, '--url', 'http://127.0.0.1:1', '--key', 'ap_test_1', ...more]);
  const description = JSON.parse(await readFile(join(MODULES, '../docs/openapi.json'), 'utf8'));
  const operations = Object.values<object>(description.paths).flatMap((methods) =>
    Object.values<{ tags?: string[]; operationId?: string }>(methods as never),
  );
  // Operators' requests, which no key may read, and API keys.
  const others = ['ap_opr_', 'ap_test_', 'ap_live_'];
  const kinds = new Set(JSON.stringify(description).match(/\b(?:ap_[a-z]+_|evt_)(?=[0-9a-z])/g));
  expect(kinds.size).toBeGreaterThan(20);
  for (const kind of [...kinds].filter((each) => !others.includes(each))) {
    const { url } = JSON.parse((await open(`${kind}1`, '--reference', '--json')).stdout);
    const [, tag, operationId] = /#\/(.+)\/(\w+)$/.exec(decodeURI(url)) ?? [];
    expect({ kind, tags: operations.find((each) => each.operationId === operationId)?.tags }).toEqual({
      kind,
      tags: [tag],
    });
  }
  for (const [word, sentence] of [
    ['ap_opr_1', 'ap_opr_1 has neither a page in the dashboard nor an operation that reads it.'],
    ['ap_test_1', 'This is an API key, not an id'],
    ['order-7', 'order-7 is not an id of this API'],
  ] as const) {
    const stderr = expect.stringContaining(sentence);
    await expect(open(word)).rejects.toMatchObject({ code: 2, stderr });
  }
});

test('completion can be printed as JSON, and offers no ids without a log-in', async () => {
  const cli = join(installed, 'dist/cli.js');
  const { shell, script } = JSON.parse((await node([cli, 'completion', 'fish', '--json'])).stdout);
  expect({ shell, lines: script.split('\n').length }).toEqual({ shell: 'fish', lines: expect.any(Number) });
  expect(script).toBe((await node([cli, 'completion', 'fish'])).stdout.trimEnd());
  const unreachable = { HOSTED_CHECKOUT_URL: 'http://127.0.0.1:1', HOSTED_CHECKOUT_API_KEY: 'ap_test_1' };
  for (const env of [{ XDG_CONFIG_HOME: join(shop, 'no-config') }, unreachable]) {
    const { stdout, stderr } = await node([cli, 'completion', 'ids', '--', 'open', 'open', 'ap_'], env);
    expect({ stdout, stderr }).toEqual({ stdout: '\n', stderr: '' });
  }
});

test.each([
  ['bu', ['buy']],
  ['--', ['--help', '--version']],
  ['trigger refund', ['refund.created']],
  ['open --t', ['--temporal']],
  ['trigger webhook', ['webhook.test']],
])('the shell completes %j', async (typed, expected) => {
  const cli = join(installed, 'dist/cli.js');
  const { stdout: script } = await node([cli, 'completion', 'bash']);
  const words = ['hosted-checkout', ...typed.split(' ')];
  const asked = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _hosted_checkout`;
  const { stdout } = await run('bash', ['-c', `${script}\n${asked}\necho "\${COMPREPLY[*]}"`]);
  expect(stdout.trim().split(' ')).toEqual(expected);
});
