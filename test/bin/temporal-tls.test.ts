/**
 * Temporal behind mutual TLS: API, worker and `npm run ops` connect with the settings of `bin/config/temporal.ts`
 * alone. A TLS relay stands in front of the plain test server.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NativeConnection } from '@temporalio/worker';
import { readTemporalConfig } from '../../bin/config/temporal.ts';
import { openTemporal, type TemporalOptions } from '../../platform/temporal/client.ts';
import { pathOf, startTlsRelay, type TlsRelay } from '../support/server/tls-relay.ts';
import { buy } from '../support/stack/purchases.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { createTestNamespace, type TestNamespace } from '../support/temporal/temporal.ts';

const DEADLINE_MS = 60_000;

let temporal: TestNamespace;
let relay: TlsRelay;

beforeAll(async () => {
  temporal = await createTestNamespace();
  relay = await startTlsRelay(temporal.address);
});
afterAll(() => relay?.close());

const authority = { TEMPORAL_TLS_SERVER_CA_CERT_PATH: pathOf('ca.crt') };
const ourCertificate = {
  TEMPORAL_TLS_CLIENT_CERT_PATH: pathOf('localhost.crt'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: pathOf('localhost.key'),
};
const settings = () => ({
  TEMPORAL_ADDRESS: relay.address,
  TEMPORAL_NAMESPACE: temporal.namespace,
  ...authority,
  ...ourCertificate,
});

async function ask(options: TemporalOptions): Promise<void> {
  const { connection, options: client } = openTemporal(options);
  try {
    await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
      connection.workflowService.describeNamespace({ namespace: client.namespace }),
    );
  } finally {
    await connection.close();
  }
}

describe('a Temporal server behind TLS', () => {
  test('accepts a client and a worker configured by the environment', async () => {
    const { namespace, ...server } = readTemporalConfig(settings());
    await ask({ namespace, ...server });
    const native = await NativeConnection.connect(server);
    await native.close();
    expect(relay.accepted()).toBeGreaterThanOrEqual(2);
  });

  test.each([
    [
      'without a client certificate',
      (): NodeJS.ProcessEnv => ({
        ...settings(),
        TEMPORAL_TLS_CLIENT_CERT_PATH: '',
        TEMPORAL_TLS_CLIENT_KEY_PATH: '',
      }),
    ],
    [
      'with a certificate of an untrusted authority',
      () => ({ ...settings(), TEMPORAL_TLS_SERVER_CA_CERT_PATH: '' }),
    ],
    [
      'with another expected server name',
      () => ({ ...settings(), TEMPORAL_TLS_SERVER_NAME: 'temporal.example' }),
    ],
    ['without TLS', () => ({ TEMPORAL_ADDRESS: relay.address, TEMPORAL_NAMESPACE: temporal.namespace })],
  ])('rejects a connection %s', async (_how, env) => {
    const before = relay.accepted();
    const { namespace: _namespace, ...server } = readTemporalConfig(env());
    await expect(NativeConnection.connect(server)).rejects.toThrow();
    expect(relay.accepted()).toBe(before);
  });
});

describe('an API key', () => {
  let server: Http2SecureServer;
  const seen: (string | undefined)[] = [];

  beforeAll(async () => {
    const certificate = {
      key: readFileSync(pathOf('localhost.key')),
      cert: readFileSync(pathOf('localhost.crt')),
    };
    server = createSecureServer(certificate);
    server.on('stream', (stream, headers) => {
      seen.push(headers.authorization);
      // gRPC code UNAUTHENTICATED.
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' },
        { endStream: true },
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server?.close();
  });

  test('is sent with every call, by the client and by the worker', async () => {
    const options = readTemporalConfig({
      TEMPORAL_ADDRESS: `localhost:${(server.address() as AddressInfo).port}`,
      TEMPORAL_API_KEY: 'cloud-key',
      ...authority,
    });
    const { namespace: _namespace, ...address } = options;
    await expect(ask(options)).rejects.toThrow(/UNAUTHENTICATED/);
    const fromClient = seen.length;
    await expect(NativeConnection.connect(address)).rejects.toThrow();
    expect(fromClient).toBeGreaterThan(0);
    expect(seen.length).toBeGreaterThan(fromClient);
    expect(new Set(seen)).toEqual(new Set(['Bearer cloud-key']));
  });
});

describe('the service with Temporal behind TLS', () => {
  let stack: TestStack;
  let before: number;

  beforeAll(async () => {
    before = relay.accepted();
    stack = await startStack({ temporal, env: settings() });
  });
  afterAll(() => stack?.stop());

  test('sells, with API and worker connected through TLS', async () => {
    await buy(stack, { timeoutSeconds: 120 });
    // The API opens one connection and the worker two.
    expect(relay.accepted() - before).toBeGreaterThanOrEqual(3);
  }, 240_000);
});
