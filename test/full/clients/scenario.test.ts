/**
 * packages/scenario.json, played by the clients for JavaScript and for Python against the real service: they
 * send, repeat, verify and reject alike; the first in Node.js, Deno, Bun and an edge runtime, the second on
 * the oldest and the newest installed Python that it supports.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { eventually } from '../../support/core/eventually.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import { pythonEnvironment } from '../../support/tool/python.ts';
import { pythonInterpreters } from '../../support/tool/python-interpreters.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { Player } from './player.ts';
import { bun, deno } from './runtimes.ts';

interface Step {
  readonly name: string;
  readonly keep?: string;
  readonly pay?: string;
  readonly call?: string;
  readonly pages?: string;
  readonly args?: readonly unknown[];
  readonly options?: object;
  readonly key?: string;
  readonly faults?: readonly string[];
  readonly verify?: { readonly of: string; readonly clockSeconds?: number };
  readonly requests?: number;
  readonly afterMs?: number;
  readonly answer?: object;
  readonly error?: Readonly<Record<string, unknown>>;
}

const SCENARIO = join(PROJECT_DIR, 'packages/scenario.json');
const PYTHON_PACKAGE = join(PROJECT_DIR, 'packages/python');
const NODE_PLAYER = join(import.meta.dirname, 'node-player.ts');
const EDGE_PLAYER = join(import.meta.dirname, 'edge-player.ts');
const DENO_ARGS = ['run', '--allow-all', '--no-config', '--no-lock', '--node-modules-dir=none'];
const HTTPX = 'httpx==0.28.1';
const PYTHON_PLAYER = join(import.meta.dirname, 'python_player.py');

let stack: TestStack;
let shop: Server;
let proxy: FaultyProxy;
let python: string;
const pythons = new Map<number, string>();
let denoPath: string;
let bunPath: string;
let installed: string;
const webhooks: { readonly body: string; readonly signature: string; readonly type: string }[] = [];

beforeAll(async () => {
  const starting = startStack({ parts: ['rail', 'api', 'worker'], refunds: true });
  const tools = [HTTPX, 'mypy==2.4.1', 'hatchling==1.33.0'];
  [denoPath, bunPath] = await Promise.all([deno(), bun()]);
  python = join(await pythonEnvironment('python-client-1', tools), 'bin/python');
  for (const [minor, interpreter] of playedOn) {
    const environment = await pythonEnvironment(`python-client-1-on-3.${minor}`, [HTTPX], interpreter);
    pythons.set(minor, join(environment, 'bin/python'));
  }
  installed = await mkdtemp(join(tmpdir(), 'checkout-test-python-'));
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation', '--target', installed];
  await runTool(python, [...pip, PYTHON_PACKAGE]);
  stack = await starting;
  proxy = await startFaultyProxy(stack.apiUrl);
  shop = await listenAt(stack.webhook.url);
});
afterAll(async () => {
  proxy?.close();
  shop?.close();
  await Promise.all([stack?.stop(), rm(installed, { recursive: true, force: true })]);
});

/** Replaces the demo shop: keeps requests byte for byte. */
async function listenAt(url: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const signature = String(request.headers['service-signature']);
    webhooks.push({ body, signature, type: JSON.parse(body).type });
    response.end();
  });
  server.listen(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const steps: readonly Step[] = JSON.parse(await readFile(SCENARIO, 'utf8'));

/** Minor versions of Python 3 that packages/python supports. */
const MINORS = [10, 11, 12, 13, 14];
const interpreters = await pythonInterpreters(MINORS);
const found = [...interpreters].sort(([one], [other]) => one - other);
const playedOn = found.filter((_, nth) => nth === 0 || nth === found.length - 1);
const notFound = MINORS.filter((minor) => !interpreters.has(minor)).map((minor) => `3.${minor}`);

/**
 * Deno's `fetch` itself repeats requests whose reused connection was closed, so the number of requests
 * varies.
 */
const stepsInDeno = steps.filter(({ faults = [] }) => !faults.includes('hang up'));

const players: readonly (readonly [string, () => Player])[] = [
  ['Node.js', () => new Player(process.execPath, [NODE_PLAYER])],
  ['Deno', () => new Player(denoPath, [...DENO_ARGS, NODE_PLAYER])],
  ['Bun', () => new Player(bunPath, [NODE_PLAYER])],
  ['an edge runtime', () => new Player(process.execPath, [EDGE_PLAYER])],
  ...playedOn.flatMap(([minor]) =>
    ['', 'async'].map((how): readonly [string, () => Player] => [
      `Python 3.${minor}${how && ', asynchronous'}`,
      () => new Player(pythons.get(minor) ?? '', [PYTHON_PLAYER, how], { PYTHONPATH: installed }),
    ]),
  ),
];

test(`Python is installed here ${notFound.length > 0 ? `except ${notFound.join(', ')}` : 'in every version'}`, () => {
  expect(playedOn.length).toBeGreaterThan(0);
});

describe.each(players)('the client for %s', (name, start) => {
  let player: Player;
  const kept: Record<string, unknown> = {};

  beforeAll(() => {
    webhooks.length = 0;
    player = start();
    Object.assign(kept, {
      product: stack.products.oneTime,
      merchant: stack.merchant.id,
      customer: randomUUID(),
      secret: stack.webhook.secret,
    });
  });
  afterAll(() => player?.end());

  test.each(name === 'Deno' ? stepsInDeno : steps)('$name', async (step) => {
    proxy.reset();
    const began = performance.now();
    const outcome = await played(step);
    if (step.afterMs) expect(performance.now() - began).toBeGreaterThanOrEqual(step.afterMs);
    if (step.requests !== undefined) expect(proxy.requests).toHaveLength(step.requests);
    // Retries of a POST repeat its key. The creation of a session has none: an unpaid session costs nothing.
    const posts = proxy.requests.filter(({ method, path }) => method === 'POST' && path !== '/v1/checkouts');
    const [first] = posts;
    for (const { idempotencyKey } of posts) {
      expect(idempotencyKey).toEqual(expect.any(String));
      expect(idempotencyKey).toBe(first?.idempotencyKey);
    }
    if (step.error) {
      const { message = '', ...fields } = step.error;
      expect(outcome.error).toMatchObject(filled(fields) as object);
      expect(outcome.error?.message).toContain(message);
      return;
    }
    expect(outcome).not.toHaveProperty('error');
    if (step.answer) expect(outcome.answer).toMatchObject(filled(step.answer) as object);
    if (step.keep) kept[step.keep] = outcome.answer;
    if (step.keep === 'checkout') kept.rest = (outcome.answer as { amount: number }).amount - 100;
  });

  async function played(step: Step) {
    if (step.pay) return { answer: await paid(String(filled(step.pay))) };
    if (step.verify) return player.play({ verify: await verification(step.verify) });
    if (step.pages) kept.events = await eventsOfMerchant();
    proxy.faults = [...(step.faults ?? [])];
    const request = { call: step.call, pages: step.pages, args: step.args, options: step.options };
    return player.play({
      ...(filled(request) as object),
      baseUrl: proxy.url,
      key: step.key ?? stack.merchant.apiKey,
    });
  }

  async function eventsOfMerchant(): Promise<number> {
    const response = await fetch(
      `${stack.apiUrl}/v1/merchants/${stack.merchant.id}/webhook-events?limit=100`,
      {
        headers: { authorization: `Bearer ${stack.merchant.apiKey}` },
      },
    );
    const { data } = (await response.json()) as { data: readonly unknown[] };
    return data.length;
  }

  async function paid(hostedUrl: string) {
    const { report, problem } = await payAsBuyer({ hostedUrl });
    expect({ state: report.state, problem }).toEqual({ state: 'succeeded', problem: null });
    return report;
  }

  async function verification({ of, clockSeconds, ...given }: NonNullable<Step['verify']>) {
    const webhook = await eventually(() => {
      const found = webhooks.find(({ type }) => type === of);
      if (!found) throw new Error(`no ${of} yet`);
      return found;
    });
    const event = JSON.parse(webhook.body);
    kept.pretty = JSON.stringify(event, null, 2);
    return {
      rawBody: webhook.body,
      signature: webhook.signature,
      secret: stack.webhook.secret,
      ...(clockSeconds && { nowSeconds: Math.round(Date.now() / 1_000) + clockSeconds }),
      ...(filled(given) as object),
    };
  }

  /** `{name.field}` is a value kept by a step; it keeps its type if it is the whole text. */
  function filled(value: unknown): unknown {
    if (typeof value === 'string') {
      const whole = /^\{([\w.]+)\}$/.exec(value)?.[1];
      return whole ? keptAt(whole) : value.replaceAll(/\{([\w.]+)\}/g, (_, path) => String(keptAt(path)));
    }
    if (Array.isArray(value)) return value.map(filled);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]));
  }

  function keptAt(path: string): unknown {
    const found = path
      .split('.')
      .reduce((at: unknown, name) => (at as Record<string, unknown>)?.[name], kept);
    if (found === undefined) throw new Error(`no step kept ${path}`);
    return found;
  }
});

test('the client for Python and its example pass mypy --strict', async () => {
  const mypy = ['-m', 'mypy', '--strict', '--no-error-summary', '--cache-dir', join(installed, '.mypy')];
  const files = [join(PYTHON_PACKAGE, 'src'), join(PYTHON_PACKAGE, 'examples')];
  await runTool(python, [...mypy, '--python-version', '3.10', ...files], {
    cwd: join(PYTHON_PACKAGE, 'src'),
  });
});

test('the Python example sends the buyer to the page, and delivers once', async () => {
  const child = spawn(python, [join(PYTHON_PACKAGE, 'examples/shop.py')], {
    env: {
      ...process.env,
      PYTHONPATH: installed,
      PORT: '0',
      HOSTED_CHECKOUT_URL: stack.apiUrl,
      HOSTED_CHECKOUT_API_KEY: stack.merchant.apiKey,
      WEBHOOK_SECRET: stack.webhook.secret,
      PRODUCT_ID: stack.products.oneTime,
    },
  });
  try {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const url = await eventually(() => {
      const found = /http:\/\/localhost:\d+/.exec(output)?.[0];
      if (!found) throw new Error(output);
      return found;
    });
    const bought = await fetch(`${url}/buy`, { method: 'POST', redirect: 'manual' });
    expect(bought.status).toBe(303);
    expect(bought.headers.get('location')).toMatch(/\/pay\/ap_chk_/);
    const webhook = webhooks.find(({ type }) => type === 'payment.succeeded');
    const post = async (body = webhook?.body ?? '') => {
      const headers = { 'service-signature': webhook?.signature ?? '' };
      return (await fetch(`${url}/webhooks`, { method: 'POST', headers, body })).status;
    };
    expect([await post(), await post(), await post('{}')]).toEqual([200, 200, 400]);
    await eventually(() => expect(output).toContain('No signature matches'));
    expect(output.match(/deliver the goods/g)).toHaveLength(1);
  } finally {
    child.kill();
  }
});
