/** Unauthenticated requests add few metric series, because each series is kept until the process ends. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { metrics } from '@opentelemetry/api';
import { type MetricsServer, serveMetrics } from '../../../platform/observability/metrics-server.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { description } from '../../support/api/api-description.ts';
import { scrape } from '../../support/tool/metrics.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const TOKENS = [null, 'Bearer made-up', 'Bearer ap_test_madeup', 'Basic bWFkZS11cA=='];
const MOUNTS = [
  '',
  '/v1',
  '/v1/merchants/ap_mer_0',
  '/pay',
  '/PAY',
  '/dashboard',
  '/docs',
  '/rails',
  '/invoices',
];

let api: TestApi;
let server: MetricsServer;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  const logger = { info() {}, error() {} };
  server = serveMetrics({ service: 'test', host: '127.0.0.1', port, perMerchant: false, logger });
  url = `http://127.0.0.1:${port}/metrics`;
  api = await startTestApi();
});
afterAll(async () => {
  server?.close();
  metrics.disable();
  await api?.stop();
});

test('made-up paths, methods and tokens create no metric series', async () => {
  const paths = Object.keys(description.paths);
  const asked = [
    ...paths.flatMap((path) => METHODS.flatMap((method) => TOKENS.map((token) => ({ path, method, token })))),
    ...MOUNTS.flatMap((mount) =>
      Array.from({ length: 50 }, (_, n) => ({ path: `${mount}/${n}/made-up`, method: 'GET', token: null })),
    ),
  ];
  while (asked.length > 0) {
    await Promise.all(
      asked.splice(0, 50).map(async ({ path, method, token }) => {
        const answer = await fetch(`${api.url}${path.replaceAll(/\{\w+\}/g, 'made-up')}`, {
          method,
          redirect: 'manual',
          headers: token === null ? {} : { authorization: token },
        });
        await answer.arrayBuffer();
      }),
    );
  }
  const samples = (await scrape(url)).filter(({ name }) => name.startsWith('http_server_'));
  const routes = new Set(samples.map(({ labels }) => labels.http_route ?? ''));
  const ofStrangers = samples.filter(({ labels }) => labels.http_response_status_code === '401');
  expect([...routes].filter((route) => /\d\/made-up|PAY/.test(route))).toEqual([]);
  expect(new Set(ofStrangers.map(({ labels }) => labels.http_route))).toEqual(new Set(['none']));
  // Metrics took 7 MB before series were bounded.
  expect((await (await fetch(url)).text()).length).toBeLessThan(1_000_000);
});
