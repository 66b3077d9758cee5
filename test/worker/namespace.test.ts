/** What the worker makes of a cluster at its start: one that lets it register search attributes, and ones that do not. */
import { once } from 'node:events';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { msToTs } from '@temporalio/common/lib/time.js';
import { openTemporal } from '../../api/temporal.ts';
import { ensureSearchAttributes } from '../../worker/namespace.ts';
import { eventually } from '../support/eventually.ts';
import { createTestNamespace } from '../support/temporal.ts';

let server: Http2Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

/** A cluster that answers every call with a gRPC status. */
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

test('what is registered already is left, and said to be there', async () => {
  const { address, namespace } = await createTestNamespace();
  expect(await ensureAt(address, namespace)).toBe(true);
});

test('what is missing is registered, so that workflows can be found by it', async () => {
  const { address } = await createTestNamespace();
  const namespace = `test-bare-${Date.now()}`;
  const client = openTemporal({ address, namespace });
  try {
    await client.connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    const query = 'NeedsOperator = true';
    // The server learns of a new namespace, and then of its attributes, within a second or so.
    await eventually(() => ensureSearchAttributes(client, namespace));
    await eventually(() => client.connection.workflowService.countWorkflowExecutions({ namespace, query }));
  } finally {
    await client.connection.close();
  }
});

test.each([
  ['forbids it', 7],
  ['does not know of it', 12],
])('a cluster that %s is taken as it is', async (_what, status) => {
  expect(await ensureAt(await clusterThatAnswers(status), 'shop')).toBe(false);
});

test('any other failure ends the start', async () => {
  await expect(ensureAt(await clusterThatAnswers(16), 'shop')).rejects.toThrow('UNAUTHENTICATED');
});
