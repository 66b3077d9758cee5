/** The dashboard as it is built: its size, and how the API serves it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DashboardBuild, ensureDashboard, OUTPUT } from '../../dashboard/build.ts';
import { startTestApi, type TestApi } from '../support/api.ts';

const LIMIT_BYTES = 180 * 1_024;

let built: DashboardBuild;
let api: TestApi;

beforeAll(async () => {
  built = await ensureDashboard();
  const logIn = { issuer: 'https://id.example', audience: 'api', clientId: 'dashboard', scope: 'openid' };
  api = await startTestApi({ publicUrl: 'https://pay.example/checkout', dashboardLogIn: logIn });
});
afterAll(() => api?.stop());

test('all scripts and styles together are smaller than the first page may be', async () => {
  const sizes = await Promise.all(
    built.files.map(async (name) => gzipSync(await readFile(join(OUTPUT, 'assets', name))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LIMIT_BYTES);
});

test('every page is the same document: strict policy, nothing inline, the path of the public URL', async () => {
  const answer = await api.request('GET', '/dashboard/ap_mer_1/live/payments');
  expect(answer.status).toBe(200);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self' https://id.example");
  expect(policy).not.toContain('unsafe');
  expect(answer.body).not.toMatch(/<script>|<style| style=| on\w+=/);
  expect(answer.body).toContain(`src="/checkout/dashboard/assets/${built.script}"`);
});

test('scripts are compressed and kept for ever; an unknown one is 404', async () => {
  const script = await api.request('GET', `/dashboard/assets/${built.script}`, {
    headers: { 'accept-encoding': 'br' },
  });
  expect([script.status, script.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(script.headers.get('cache-control')).toContain('immutable');
  expect((await api.request('GET', '/dashboard/assets/main-OLD.js')).status).toBe(404);
});

test('the settings name the provider, and no secret', async () => {
  const { body } = await api.request('GET', '/dashboard/config.json');
  expect(body).toEqual({
    apiUrl: '/checkout',
    logIn: { issuer: 'https://id.example', audience: 'api', clientId: 'dashboard', scope: 'openid' },
  });
});

test('many loads of the document do not check the sources each', async () => {
  const load = () => api.request('GET', '/dashboard/');
  await load();
  const before = process.cpuUsage();
  for (let times = 0; times < 40; times += 1) expect((await load()).status).toBe(200);
  const { user, system } = process.cpuUsage(before);
  // Checked each time, they take 1,000 to 2,000 ms.
  expect((user + system) / 1_000).toBeLessThan(500);
});
