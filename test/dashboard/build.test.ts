/** The built dashboard: its size, and how the API serves it. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { createDashboardRouter } from '../../api/serve-dashboard.ts';
import { type DashboardBuild, ensureDashboard, OUTPUT } from '../../dashboard/build.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';

const LIMIT_BYTES = 180 * 1_024;

let built: DashboardBuild;
let api: TestApi;

beforeAll(async () => {
  built = await ensureDashboard();
  const logIn = { issuer: 'https://id.example', audience: 'api', clientId: 'dashboard', scope: 'openid' };
  api = await startTestApi({ publicUrl: 'https://pay.example/checkout', dashboardLogIn: logIn });
});
afterAll(() => api?.stop());

test('all scripts and styles together are within the budget of the first page', async () => {
  const sizes = await Promise.all(
    built.files.map(async (name) => gzipSync(await readFile(join(OUTPUT, 'assets', name))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LIMIT_BYTES);
});

test('every page gets the same document, with a strict content security policy, no inline code and the path of the public URL', async () => {
  const answer = await api.request('GET', '/dashboard/ap_mer_1/live/payments');
  expect(answer.status).toBe(200);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self' https://id.example");
  expect(policy).not.toContain('unsafe');
  expect(answer.body).not.toMatch(/<script>|<style| style=| on\w+=/);
  expect(answer.body).toContain(`src="/checkout/dashboard/assets/${built.script}"`);
  expect(built.imports.length).toBeGreaterThan(0);
  for (const each of built.imports) expect(built.files).toContain(each);
  const config = /name="dashboard-config" content="([^"]*)"/
    .exec(answer.body)?.[1]
    ?.replaceAll('&quot;', '"');
  expect(JSON.parse(config ?? '')).toEqual((await api.request('GET', '/dashboard/config.json')).body);
});

test('scripts are compressed and cached indefinitely; an unknown script gets 404', async () => {
  const script = await api.request('GET', `/dashboard/assets/${built.script}`, {
    headers: { 'accept-encoding': 'br' },
  });
  expect([script.status, script.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(script.headers.get('cache-control')).toContain('immutable');
  expect((await api.request('GET', '/dashboard/assets/main-OLD.js')).status).toBe(404);
});

test('the settings name the identity provider, and contain no secret', async () => {
  const { body } = await api.request('GET', '/dashboard/config.json');
  expect(body).toEqual({
    apiUrl: '/checkout',
    logIn: { issuer: 'https://id.example', audience: 'api', clientId: 'dashboard', scope: 'openid' },
  });
});

test('repeated loads of the document check the sources at most once every three seconds', async () => {
  let checks = 0;
  let now = 10_000;
  const ensure = () => {
    checks += 1;
    return Promise.resolve(built);
  };
  const app = express().use(createDashboardRouter('https://pay.example', null, { ensure, now: () => now }));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const load = async () => {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return answer.text();
  };
  for (let times = 0; times < 5; times += 1) expect(await load()).toContain(built.script);
  expect(checks).toBe(1);
  now += 3_001;
  await load();
  expect(checks).toBe(2);
  await new Promise((done) => server.close(done));
});
