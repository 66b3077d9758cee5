/** Metrics as a scraper reads them, with OpenTelemetry's real provider and exporter. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import { metrics } from '@opentelemetry/api';
import { observeFigures } from '../../../platform/observability/database-gauges.ts';
import { observeDependencies, observeWorkers } from '../../../platform/observability/dependencies.ts';
import {
  type MetricsOptions,
  type MetricsServer,
  serveMetrics,
} from '../../../platform/observability/metrics-server.ts';
import { observeProcess } from '../../../platform/observability/process.ts';
import { recordRequest } from '../../../platform/observability/requests.ts';
import { countAttempt, countStep } from '../../../platform/observability/state-changes.ts';
import { askTemporal, openTemporal } from '../../../platform/temporal/client.ts';
import { readUnserved } from '../../../platform/temporal/queue-states.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createTestNamespace } from '../../support/temporal/temporal.ts';
import { scrape, sumOf } from '../../support/tool/metrics.ts';

let server: MetricsServer | undefined;
afterEach(() => {
  server?.close();
  metrics.disable();
});

const lines: { readonly level: string; readonly message: string }[] = [];
const logger = {
  info: (_details: object, message: string) => void lines.push({ level: 'info', message }),
  warn: (_details: object, message: string) => void lines.push({ level: 'warn', message }),
  error: (_details: object, message: string) => void lines.push({ level: 'error', message }),
};

async function serve(more: Partial<MetricsOptions> = {}): Promise<string> {
  const port = more.port ?? (await freePort());
  server = serveMetrics({ service: 'test', host: '127.0.0.1', perMerchant: false, logger, ...more, port });
  const url = `http://127.0.0.1:${port}/metrics`;
  await eventually(async () => expect((await fetch(url)).status).toBe(200));
  return url;
}

const REQUEST = {
  method: 'GET',
  route: '/v1/checkouts/:id',
  status: 404,
  errorCode: 'checkout_not_found',
  seconds: 0.2,
  isAborted: false,
};
const SALE = {
  merchant_id: 'ap_mer_1',
  environment: 'production',
  rail: 'sandbox',
  amount: 1_900,
  currency: 'EUR',
  off_session: false,
};

test('metric names end with their unit, and requests are labelled with route, status and code', async () => {
  const url = await serve();
  recordRequest(REQUEST);
  recordRequest({ ...REQUEST, method: 'BREW', route: '', errorCode: undefined });
  const samples = await scrape(url);
  const bucket = { http_route: '/v1/checkouts/:id', error_type: 'checkout_not_found' };
  expect(
    sumOf(samples, 'http_server_request_duration_seconds_bucket', {
      ...bucket,
      http_request_method: 'GET',
      http_response_status_code: '404',
      le: '0.25',
    }),
  ).toBe(1);
  expect(sumOf(samples, 'http_server_request_duration_seconds_bucket', { ...bucket, le: '0.1' })).toBe(0);
  expect(
    sumOf(samples, 'http_server_request_duration_seconds_count', {
      http_request_method: '_OTHER',
      http_route: 'none',
    }),
  ).toBe(1);
});

test('metrics have a merchant label only if it is enabled', async () => {
  const sell = () => {
    countAttempt(SALE, 'succeeded', null);
    countStep({ ...SALE, subscription_id: null }, 'succeeded');
  };
  const url = await serve();
  sell();
  const without = await scrape(url);
  expect(sumOf(without, 'checkout_payment_amount_total', { currency: 'EUR' })).toBe(1_900);
  expect(without.filter(({ labels }) => labels.merchant)).toEqual([]);
  server?.close();
  metrics.disable();

  const urlWith = await serve({ perMerchant: true });
  sell();
  const named = await scrape(urlWith);
  expect(sumOf(named, 'checkout_payment_amount_total', { merchant: 'ap_mer_1' })).toBe(1_900);
  expect(sumOf(named, 'checkout_session_steps_total', { merchant: 'ap_mer_1' })).toBe(1);
});

test('event loop, memory, CPU time and pools have metrics', async () => {
  const url = await serve();
  const state = () => ({ acquiredConnections: 2, idleConnections: 3, waitingClients: 4 });
  observeProcess(10, { api: { state } });
  const samples = await eventually(async () => {
    const found = await scrape(url);
    expect(sumOf(found, 'nodejs_eventloop_delay_p99_seconds')).toBeGreaterThan(0);
    return found;
  });
  expect(sumOf(samples, 'process_memory_usage_bytes')).toBeGreaterThan(1e7);
  expect(sumOf(samples, 'process_cpu_time_seconds_total')).toBeGreaterThan(0);
  const pool = { db_client_connection_pool_name: 'api' };
  expect(sumOf(samples, 'db_client_connection_count', { ...pool, db_client_connection_state: 'used' })).toBe(
    2,
  );
  expect(sumOf(samples, 'db_client_connection_pending_requests', pool)).toBe(4);
});

test('database metrics are read once for many scrapes, and are absent while the database is unreachable', async () => {
  const url = await serve();
  const reads: (() => void)[] = [];
  observeFigures(() => new Promise((_, reject) => reads.push(() => reject(new Error('away')))), logger);
  const scrapes = Promise.all([scrape(url), scrape(url), scrape(url)]);
  await eventually(() => expect(reads).toHaveLength(1));
  reads[0]?.();
  for (const samples of await scrapes)
    expect(samples.some(({ name }) => name === 'checkout_sweep_age_seconds')).toBe(false);
  expect(reads).toHaveLength(1);
  expect(lines).toContainEqual({ level: 'warn', message: 'database metrics unavailable' });
});

test('after a slow read, the database metrics are read again within a minute', async () => {
  const url = await serve();
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  let reads = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  observeFigures(async () => {
    reads += 1;
    aheadMs += 5_000;
    return [];
  }, logger);
  for (const [laterMs, expected] of [
    [0, 1],
    [55_000, 1],
    [6_000, 2],
  ] as const) {
    aheadMs += laterMs;
    await scrape(url);
    expect(reads).toBe(expected);
  }
  clock.mockRestore();
});

test('an unreachable Temporal is reported as down', async () => {
  const url = await serve();
  const { address, namespace } = await createTestNamespace();
  const upAt = async (at: string) => {
    const client = openTemporal({ address: at, namespace });
    observeDependencies({ askDatabase: async () => {}, askTemporal: () => askTemporal(client) });
    const samples = await scrape(url);
    await client.connection.close();
    return samples.filter(({ name }) => name === 'checkout_temporal_up').at(-1)?.value;
  };
  expect(await upAt(address)).toBe(1);
  expect(await upAt(`127.0.0.1:${await freePort()}`)).toBe(0);
});

test('queues that no worker polls are missing workers, unless Temporal does not answer', async () => {
  const { address, namespace } = await createTestNamespace();
  const missingAt = async (at: string) => {
    const url = await serve();
    const client = openTemporal({ address: at, namespace });
    observeWorkers(() => readUnserved(client));
    const samples = await scrape(url);
    await client.connection.close();
    return samples.flatMap(({ name, labels, value }) =>
      name === 'checkout_workers_missing'
        ? [[labels.environment, labels.task_queue, labels.state, value].join(' ')]
        : [],
    );
  };
  const missing = await missingAt(address);
  expect(missing).toHaveLength(12);
  expect(missing).toEqual(
    expect.arrayContaining([
      'production billing missing 1',
      'production billing late 0',
      'sandbox sandbox-webhooks missing 1',
    ]),
  );
  expect(await missingAt(`127.0.0.1:${await freePort()}`)).toEqual([]);
});

test("Temporal's own metrics are included, or omitted if the SDK does not answer", async () => {
  const sdk = createServer((_request, response) => response.end('temporal_workflow_completed_total 3\n'));
  sdk.listen(0, '127.0.0.1');
  await once(sdk, 'listening');
  const sdkUrl = `http://127.0.0.1:${(sdk.address() as AddressInfo).port}/metrics`;
  const url = await serve({ sdkUrl });
  recordRequest(REQUEST);
  expect(sumOf(await scrape(url), 'temporal_workflow_completed_total')).toBe(3);
  sdk.close().closeAllConnections();
  const samples = await scrape(url);
  expect(sumOf(samples, 'http_server_request_duration_seconds_count')).toBe(1);
  expect(sumOf(samples, 'temporal_workflow_completed_total')).toBe(0);
});

test('a port that is in use is logged once, and the process continues', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  lines.length = 0;
  server = serveMetrics({ service: 'test', host: '127.0.0.1', port, perMerchant: false, logger });
  await eventually(() => expect(lines.map(({ level }) => level)).toEqual(['error']));
  recordRequest(REQUEST);
  expect(lines).toEqual([{ level: 'error', message: 'metrics disabled: the port cannot be used' }]);
  other.close();
});

test('only /metrics is served', async () => {
  const url = await serve();
  expect((await fetch(new URL('/', url))).status).toBe(404);
});
