/** `webhooks-listen` and the Express example as processes, and the packed package. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createWebhookSecret, signWebhook } from '../../contract/webhook/webhook-signature.ts';
import { eventually } from '../support/core/eventually.ts';
import { type Receiver, startReceiver } from '../support/server/receiver.ts';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../packages/webhooks', import.meta.url));
const secret = createWebhookSecret();
const rawBody = JSON.stringify({ id: 'evt_1', type: 'payment.succeeded', payment: { id: 'ap_pay_1' } });

let children: ChildProcess[] = [];
afterEach(async () => {
  const ended = children.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined));
  for (const child of children) child.kill();
  await Promise.all(ended);
  children = [];
});

async function start(script: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd = PACKAGE) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const url = await eventually(() => {
    const [, port] = /http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/.exec(output) ?? [];
    if (!port) throw new Error(output);
    return `http://127.0.0.1:${port}`;
  });
  return { url, output: () => output };
}

const signed = (secrets = [secret]) => ({
  'content-type': 'application/json',
  'service-signature': signWebhook({ rawBody, timestamp: Math.floor(Date.now() / 1_000), secrets }),
  'service-delivery-attempt': '2',
});
const post = (url: string, headers: Record<string, string>, body = rawBody) =>
  fetch(url, { method: 'POST', headers, body });

describe('webhooks-listen', () => {
  const listen = (...args: string[]) =>
    start('src/listen.ts', ['--port', '0', ...args], { WEBHOOK_SECRET: secret });

  test('prints a verified event, and marks a repeated event', async () => {
    const { url, output } = await listen();
    expect((await post(url, signed())).status).toBe(200);
    expect((await post(url, signed())).status).toBe(200);
    await eventually(() => expect(output()).toMatch(/payment\.succeeded {2}evt_1 {2}attempt 2, seen before/));
    expect(output()).toContain('"id": "ap_pay_1"');
    expect(output()).not.toContain(secret);
  });

  test('prints one JSON line per request with --json', async () => {
    const { url, output } = await listen('--json');
    await post(url, signed());
    await post(url, signed([createWebhookSecret()]));
    const lines = await eventually(() => {
      const found = output()
        .split('\n')
        .filter((line) => line.startsWith('{'));
      expect(found).toHaveLength(2);
      return found.map((line) => JSON.parse(line));
    });
    expect(lines[0]).toMatchObject({
      verified: true,
      reason: null,
      attempt: 2,
      again: false,
      event: { id: 'evt_1' },
    });
    expect(lines[1]).toMatchObject({ verified: false, event: null });
  });

  test('responds with 400 to an invalid signature, and prints the reason', async () => {
    const { url, output } = await listen();
    const refused = await post(url, signed([createWebhookSecret()]));
    expect({ status: refused.status, body: await refused.json() }).toEqual({
      status: 400,
      body: { code: 'invalid_signature' },
    });
    expect((await post(url, {})).status).toBe(400);
    expect((await fetch(url)).status).toBe(405);
    expect((await post(url, signed(), 'x'.repeat(2_000_000))).status).toBe(413);
    await eventually(() => expect(output()).toMatch(/NOT VERIFIED {2}No signature matches/));
  });

  test('states the cause of a rejection: a wrong clock, or a body or header changed by a proxy', async () => {
    const { url, output } = await listen();
    const seconds = Math.floor(Date.now() / 1_000);
    const at = (timestamp: number) => ({
      'service-signature': signWebhook({ rawBody, timestamp, secrets: [secret] }),
    });
    await post(url, at(seconds - 400));
    await post(url, at(seconds + 400));
    await post(url, at(seconds), JSON.stringify(JSON.parse(rawBody), null, 2));
    await post(url, {});
    await eventually(() => {
      const reasons = output().match(/(?<=NOT VERIFIED {2}).*/g);
      expect(reasons).toEqual([
        expect.stringContaining('the clock is fast (check its time synchronization)'),
        expect.stringContaining('the clock is slow (check its time synchronization)'),
        expect.stringContaining('re-serialized, by a JSON parser or a proxy. Use this endpoint'),
        expect.stringContaining('a proxy removed the header (let it pass)'),
      ]);
    });
  });

  describe('with --forward', () => {
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await startReceiver();
    });
    afterAll(() => receiver.stop());

    test('forwards verified events unchanged and returns the response', async () => {
      const { url } = await listen('--forward', receiver.url.replace('http://', ''));
      receiver.answer = (response) => response.writeHead(503).end('busy');
      const answer = await post(url, signed());
      expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 503, body: 'busy' });
      await post(url, {});
      expect(receiver.received).toHaveLength(1);
      expect(receiver.nth(0)).toMatchObject({ body: rawBody, headers: { 'service-delivery-attempt': '2' } });
    });
  });

  test('prints its help, and does not start without a secret', async () => {
    const { stdout } = await run(process.execPath, ['src/listen.ts', '--help'], { cwd: PACKAGE });
    expect(stdout).toContain('Usage: webhooks-listen');
    const env = { ...process.env, WEBHOOK_SECRET: '' };
    const without = run(process.execPath, ['src/listen.ts'], { cwd: PACKAGE, env });
    await expect(without).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('WEBHOOK_SECRET'),
    });
  });

  test('keeps listening after a sender that hangs up within the body', async () => {
    const { url, output } = await listen();
    const { port } = new URL(url);
    const sender = connect(Number(port), '127.0.0.1');
    await once(sender, 'connect');
    sender.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 100));
    sender.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await post(url, signed())).status).toBe(200);
    await eventually(() => expect(output()).toContain('payment.succeeded'));
  });

  test.each<[string, readonly string[], string, RegExp]>([
    ['a port in use', [], secret, /^Port \d+ is in use: choose another with --port\.\n$/],
    ['a port that is no number', ['--port', 'http'], secret, /^--port must be a number up to 65535\.\n$/],
    ['an unknown option', ['--ports', '1'], secret, /^Unknown option '--ports'.*Usage: webhooks-listen/s],
    ['a part of a secret', [], 'whsec_', /^WEBHOOK_SECRET is not the whole secret/],
  ])('does not start with %s, and explains why', async (_what, given, webhookSecret, said) => {
    const { url } = await listen();
    const args = ['src/listen.ts', ...(given.length > 0 ? given : ['--port', new URL(url).port])];
    const env = { ...process.env, WEBHOOK_SECRET: webhookSecret };
    await expect(run(process.execPath, args, { cwd: PACKAGE, env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(said),
    });
  });

  test('does not start if it could not forward to the given address', async () => {
    const env = { ...process.env, WEBHOOK_SECRET: secret };
    const args = ['src/listen.ts', '--forward', 'ftp://localhost/x'];
    await expect(run(process.execPath, args, { cwd: PACKAGE, env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--forward must be an http or https URL'),
    });
  });
});

describe('the packed package', () => {
  let shop: string;
  beforeAll(async () => {
    shop = await mkdtemp(join(tmpdir(), 'shop-'));
    const installed = join(shop, 'node_modules/hosted-checkout-webhooks');
    await mkdir(installed, { recursive: true });
    await run(process.execPath, ['build.mjs', join(installed, 'dist')], { cwd: PACKAGE });
    for (const file of ['package.json', 'README.md', 'examples']) {
      await cp(join(PACKAGE, file), join(installed, file), { recursive: true });
    }
  });
  afterAll(() => rm(shop, { recursive: true, force: true }));

  test('contains what its manifest names, and has no dependencies', async () => {
    const installed = join(shop, 'node_modules/hosted-checkout-webhooks');
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    const { types, default: library } = manifest.exports['.'];
    for (const file of [types, library, manifest.bin['webhooks-listen']])
      await readFile(join(installed, file));
    const { stdout } = await run(process.execPath, [join(installed, 'dist/listen.js'), '--help']);
    expect(stdout).toContain('Usage: webhooks-listen');
  });

  test('runs the Express example, which handles verified events once and rejects others with 400', async () => {
    await cp(join(PACKAGE, 'examples/express.js'), join(shop, 'express.mjs'));
    const express = fileURLToPath(new URL('../../node_modules', import.meta.url));
    await run(
      'sh',
      ['-c', `for one in "${express}"/*; do ln -s "$one" node_modules/ 2>/dev/null; done; true`],
      { cwd: shop },
    );
    const port = await freePort();
    const { url, output } = await start('express.mjs', [], { WEBHOOK_SECRET: secret, PORT: `${port}` }, shop);
    expect((await post(`${url}/webhooks`, signed())).status).toBe(200);
    expect((await post(`${url}/webhooks`, signed())).status).toBe(200);
    const refused = await post(`${url}/webhooks`, signed([createWebhookSecret()]));
    expect({ status: refused.status, body: await refused.json() }).toEqual({
      status: 400,
      body: { code: 'invalid_signature' },
    });
    await eventually(() => expect(output()).toContain('deliver the goods of payment ap_pay_1'));
    expect(output().match(/deliver the goods/g)).toHaveLength(1);
  });
});

async function freePort(): Promise<number> {
  const receiver = await startReceiver();
  await receiver.stop();
  return Number(new URL(receiver.url).port);
}
