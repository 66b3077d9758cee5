/** `npm run bench -- observability`: CPU time of the metrics and the spans of one purchase, off and on. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { recordDelivery } from '../../observability/deliveries.ts';
import { serveMetrics } from '../../observability/metrics-server.ts';
import { recordRailCall } from '../../observability/rail-calls.ts';
import { recordRequest } from '../../observability/requests.ts';
import { inSpan } from '../../observability/spans.ts';
import { countAttempt, countStep } from '../../observability/state-changes.ts';
import { startTracing } from '../../observability/trace-export.ts';

const PURCHASES = 20_000;
const logger = { info() {}, warn: console.error, error: console.error };
const whose = { merchant_id: 'ap_mer_1', environment: 'production' };

function metricsOfAPurchase(): void {
  const request = { method: 'POST', route: '/v1/checkouts', status: 201, errorCode: undefined };
  for (let n = 0; n < 4; n += 1) recordRequest({ ...request, seconds: 0.02, isAborted: false });
  for (const step of ['created', 'attempted', 'succeeded'] as const)
    countStep({ ...whose, subscription_id: null }, step);
  const payment = { ...whose, rail: 'stripe', amount: 1_900, currency: 'EUR', off_session: false };
  countAttempt(payment, 'succeeded', null);
  const call = { rail: 'stripe', operation: 'authorize', outcome: 'approved', code: undefined };
  recordRailCall({ ...call, environment: 'production', seconds: 0.1 });
  const delivery = { merchantId: 'ap_mer_1', environment: 'production', httpStatus: 200 };
  for (let n = 0; n < 2; n += 1) recordDelivery({ ...delivery, delivered: true, seconds: 0.01 });
}

async function spansOfAPurchase(): Promise<void> {
  const attributes = { 'temporal.workflow.id': 'ap_chk_1', 'temporal.attempt': 1 };
  await inSpan('request', { parent: null, ids: { requestId: 'req_1' } }, () =>
    inSpan('update', {}, async () => {
      for (let n = 0; n < 6; n += 1) await inSpan('activity', { attributes }, async () => {});
    }),
  );
  // Otherwise the queue fills before it can be sent.
  await turn();
}

async function measure(what: string, act: () => void | Promise<void>): Promise<void> {
  for (let n = 0; n < PURCHASES / 10; n += 1) await act();
  const before = process.cpuUsage();
  for (let n = 0; n < PURCHASES; n += 1) await act();
  const { user, system } = process.cpuUsage(before);
  console.log(`${what}: ${((user + system) / PURCHASES).toFixed(1)} µs CPU for a purchase`);
}

const collector = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

await measure('metrics off', metricsOfAPurchase);
const metrics = serveMetrics({
  service: 'bench',
  host: '127.0.0.1',
  port: 9_469,
  perMerchant: false,
  logger,
});
await measure('metrics on', metricsOfAPurchase);
await measure('traces off', spansOfAPurchase);
const tracing = await startTracing({ service: 'bench', endpoint, ratio: 1, logger });
await measure('traces on, eight spans, exported', spansOfAPurchase);
await tracing.stop();
metrics.close();
collector.close().closeAllConnections();
