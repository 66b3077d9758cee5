/** Spans with OpenTelemetry's real SDK and exporter. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { context, diag, trace } from '@opentelemetry/api';
import {
  carrierOfActive,
  carrierOfRun,
  inSpan,
  isTracing,
  noteFlow,
  traceOfLog,
} from '../../../platform/observability/spans.ts';
import { startTracing, type Tracing } from '../../../platform/observability/trace-export.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { eventually } from '../../support/core/eventually.ts';
import { type Collector, startCollector } from '../../support/server/collector.ts';

let tracing: Tracing | undefined;
let collector: Collector | undefined;
const warnings: string[] = [];
const logger = { warn: (_details: object, message: string) => void warnings.push(message) };

afterEach(async () => {
  await tracing?.stop();
  collector?.close();
  trace.disable();
  context.disable();
  diag.disable();
});

async function start(ratio = 1): Promise<Collector> {
  collector = await startCollector();
  tracing = await startTracing({ service: 'test', endpoint: `${collector.url}/`, ratio, logger });
  return collector;
}

test('without an endpoint nothing is traced, propagated or logged', async () => {
  await startTracing({ service: 'test', endpoint: undefined, ratio: 1, logger });
  expect(isTracing()).toBe(false);
  await inSpan('request', { parent: null }, async (span) => {
    expect([span, carrierOfActive(), traceOfLog()]).toEqual([null, null, {}]);
  });
});

test('request id and flow id are on every span of a request, even in another process', async () => {
  const { spans } = await start();
  await inSpan('request', { parent: null, ids: { requestId: 'req_1' } }, async () => {
    noteFlow('ap_chk_1');
    const carrier = carrierOfActive();
    await inSpan('activity', { parent: carrier, ids: { flowId: 'ap_chk_2' } }, () =>
      inSpan('rail', {}, async () => {}),
    );
  });
  await eventually(() => expect(spans).toHaveLength(3));
  const byName = new Map(spans.map((span) => [span.name, span]));
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(byName.get('activity')?.parentSpanId).toBe(byName.get('request')?.spanId);
  expect(byName.get('rail')?.parentSpanId).toBe(byName.get('activity')?.spanId);
  expect(spans.map(({ attributes }) => attributes['checkout.request.id'])).toEqual([
    'req_1',
    'req_1',
    'req_1',
  ]);
  expect(byName.get('request')?.attributes['checkout.flow.id']).toBe('ap_chk_1');
  expect(byName.get('rail')?.attributes['checkout.flow.id']).toBe('ap_chk_2');
});

test('a failed span has the error’s name, not its message', async () => {
  const { spans } = await start();
  const failing = () => Promise.reject(new RangeError('ada@example.eu is too long'));
  await expect(
    inSpan('activity', { parent: carrierOfRun('01a203df-2b57-7788-89a4-fde20a538989') }, failing),
  ).rejects.toThrow('too long');
  await eventually(() => expect(spans).toHaveLength(1));
  expect(spans[0]?.traceId).toBe('01a203df2b57778889a4fde20a538989');
  expect(JSON.stringify(spans)).not.toContain('ada@');
});

test('sampling keeps or drops whole traces', async () => {
  const { spans } = await start(0);
  await inSpan('request', { parent: null }, async () => {
    expect(carrierOfActive()?.traceparent).toMatch(/-00$/);
    await inSpan('activity', { parent: carrierOfActive() }, async () => {});
  });
  await tracing?.stop();
  expect(spans).toEqual([]);
});

test('an unreachable collector is logged once, and the traced work succeeds', async () => {
  warnings.length = 0;
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  tracing = await startTracing({ service: 'test', endpoint, ratio: 1, logger });
  const work = () => inSpan('request', { parent: null }, async () => 'done');
  expect(await work()).toBe('done');
  await eventually(() => expect(warnings).toEqual(['traces are not exported']));
  expect(await work()).toBe('done');
  await pause(4_000);
  await tracing.stop();
  expect(warnings).toEqual(['traces are not exported']);
});
