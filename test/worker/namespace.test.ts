/** Registration of search attributes at start, on clusters that allow it and on clusters that do not. */
import { once } from 'node:events';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { msToTs } from '@temporalio/common/lib/time.js';
import { openTemporal } from '../../platform/temporal/client.ts';
import { ensureSchedules, ensureSearchAttributes } from '../../worker/namespace.ts';
import { SWEEP_SCHEDULE_ID } from '../../workflows/sweep/sweep-messages.ts';
import { PRUNE_EVENTS_SCHEDULE_ID } from '../../workflows/webhook/prune-messages.ts';
import { eventually } from '../support/core/eventually.ts';
import { createTestNamespace } from '../support/temporal/temporal.ts';

let server: Http2Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

/** A cluster that answers every call with this gRPC status. */
async function clusterThatAnswers(grpcStatus: number): Promise<string> {
  server = createServer();
  server.on('stream', (stream) => {
    const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': `${grpcStatus}` };
    stream.respond(headers, { endStream: true });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ensureAt(address: string, namespace: string): Promise<boolean> {
  const client = openTemporal({ address, namespace });
  try {
    return await ensureSearchAttributes(client, namespace);
  } finally {
    await client.connection.close();
  }
}

test('registered search attributes are kept', async () => {
  const { address, namespace } = await createTestNamespace();
  expect(await ensureAt(address, namespace)).toBe(true);
});

test('missing search attributes are registered and can be queried', async () => {
  const { address } = await createTestNamespace();
  const namespace = `test-bare-${Date.now()}`;
  const client = openTemporal({ address, namespace });
  try {
    await client.connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    const query = 'NeedsOperator = true';
    // New namespaces and attributes take about a second to become visible.
    await eventually(() => ensureSearchAttributes(client, namespace));
    await eventually(() => client.connection.workflowService.countWorkflowExecutions({ namespace, query }));
  } finally {
    await client.connection.close();
  }
});

test.each([
  ['forbids registration', 7],
  ['does not implement registration', 12],
])('a cluster that %s does not stop the worker', async (_what, status) => {
  expect(await ensureAt(await clusterThatAnswers(status), 'shop')).toBe(false);
});

test('any other failure stops the worker', async () => {
  await expect(ensureAt(await clusterThatAnswers(16), 'shop')).rejects.toThrow('UNAUTHENTICATED');
});

test.each([SWEEP_SCHEDULE_ID, PRUNE_EVENTS_SCHEDULE_ID])(
  'a stuck run of %s times out, so that its Schedule can start the next run',
  async (scheduleId) => {
    const client = openTemporal(await createTestNamespace());
    try {
      await ensureSchedules(client);
      const { action } = await client.schedule.getHandle(scheduleId).describe();
      expect(action.workflowExecutionTimeout).toBeGreaterThan(60_000);
    } finally {
      await client.connection.close();
    }
  },
);
