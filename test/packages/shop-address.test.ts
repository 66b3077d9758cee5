/**
 * The shop of `create-shop`: who can reach it, and where buyers return.
 * @reads packages/create-shop packages/node/src
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const ended: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ended.reverse()) await end();
});

async function startShop(apiUrl: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'));
  ended.push(() => rm(folder, { recursive: true }));
  await cp(join(PROJECT_DIR, 'packages/create-shop/template/express'), folder, { recursive: true });
  const client = join(folder, 'node_modules/hosted-checkout');
  await mkdir(client, { recursive: true });
  await symlink(join(PROJECT_DIR, 'node_modules/express'), join(folder, 'node_modules/express'));
  const entryPoints = [join(PROJECT_DIR, 'packages/node/src/index.ts')];
  await build({ entryPoints, bundle: true, format: 'esm', outfile: join(client, 'index.mjs') });
  await writeFile(join(client, 'package.json'), '{"exports":"./index.mjs"}');
  const settings = {
    HOSTED_CHECKOUT_URL: apiUrl,
    HOSTED_CHECKOUT_API_KEY: 'ap_test_1',
    PRODUCT_ID: 'ap_prod_1',
  };
  const lines = Object.entries({ ...settings, PORT: '0', SHOP_URL: 'https://shop.example/' });
  await writeFile(join(folder, '.env'), lines.map((line) => line.join('=')).join('\n'));
  const child = spawn(process.execPath, ['shop.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  ended.push(() => child.kill());
  const [said] = await once(child.stdout, 'data');
  return Number(/:(\d+)/.exec(String(said))?.[1]);
}

test('buyers return to SHOP_URL, whatever the Host header says, and only this machine reaches the shop', async () => {
  const asked: unknown[] = [];
  const api = createServer(async (call, response) => {
    asked.push(await json(call));
    response.setHeader('content-type', 'application/json').end('{"hostedUrl":"https://pay.example/1"}');
  }).listen(0, '127.0.0.1');
  ended.push(() => api.close());
  await once(api, 'listening');
  const port = await startShop(`http://127.0.0.1:${(api.address() as AddressInfo).port}`);
  const buy = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/buy',
    headers: { host: 'evil.example' },
  });
  const [answer] = await once(buy.end(), 'response');
  expect(answer.statusCode).toBe(303);
  expect(asked).toEqual([
    expect.objectContaining({ successUrl: 'https://shop.example/', failUrl: 'https://shop.example/' }),
  ]);
  const others = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).filter((each) => !each.internal),
  );
  for (const { address } of others.filter(({ family }) => family === 'IPv4')) {
    await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow('fetch failed');
  }
});

test('create-shop prints a command that works for a folder with a space in its name', async () => {
  const product = {
    id: 'ap_prod_1',
    name: 'Tea',
    status: 'active',
    active_price: { billing_mode: 'one_time' },
  };
  const api = createServer((_call, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [product] }));
  }).listen(0, '127.0.0.1');
  ended.push(() => api.close());
  await once(api, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'shops-'));
  ended.push(() => rm(folder, { recursive: true }));
  const program = join(PROJECT_DIR, 'packages/create-shop/create.mjs');
  const env = {
    ...process.env,
    HOSTED_CHECKOUT_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    HOSTED_CHECKOUT_API_KEY: 'ap_test_1',
  };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'My Shop'], { cwd: folder, env });
  const [enter = ''] = /^ {2}cd .*/m.exec(stdout) ?? [];
  const entered = await promisify(execFile)('sh', ['-c', `${enter} && pwd`], { cwd: folder });
  expect(entered.stdout.trim()).toMatch(/\/My Shop$/);
});
