/**
 * Purchases on what production runs (`npm run stack -- --temporal=postgres --apis 2 --workers 3`): the distributed
 * Temporal server on PostgreSQL, two API processes behind one address, three workers.
 * @needs temporal-server
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/core/eventually.ts';
import { type DistributedStack, startDistributed } from './distributed-stack.ts';

const PURCHASES = 24;
const AT_ONCE = 6;

let stack: DistributedStack;
beforeAll(async () => {
  stack = await startDistributed({ apis: 2, workers: 3 });
}, 180_000);
afterAll(() => stack?.stop());

async function buyMany(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let left = count;
  const buyer = async () => {
    while (left-- > 0) ids.push(await stack.buy());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, buyer));
  return ids;
}

async function countOf(metricsUrl: string, name: RegExp): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const lines = text.split('\n').filter((line) => name.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('dev.json names no Temporal UI, which does not run', () => {
  expect(stack.dev.temporalAddress).toMatch(/^127/);
  expect(stack.dev).not.toHaveProperty('temporalUiUrl');
});

test('every process takes its share of the purchases', async () => {
  await stack.chargedOnceEach(await buyMany(PURCHASES));
  const { apis, workers } = stack.processes;
  for (const { metrics } of apis) {
    expect(await countOf(metrics, /^http_server_request_duration_seconds_count/)).toBeGreaterThan(PURCHASES);
  }
  await eventually(async () => {
    for (const { metrics } of workers) {
      expect(await countOf(metrics, /^temporal_workflow_task_execution_latency\w*_count/)).toBeGreaterThan(0);
    }
  });
}, 120_000);

test('an API and a worker that are killed lose no purchase', async () => {
  const buying = buyMany(PURCHASES);
  await stack.purchases(4);
  stack.kill('worker-3');
  stack.kill('api-2');
  await stack.chargedOnceEach(await buying);
}, 120_000);
