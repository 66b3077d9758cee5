/** Processes that start while PostgreSQL or Temporal hangs or is unreachable. They wait, unless waiting cannot help. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../sandbox/stack/core/ports.ts';
import { eventually } from '../support/core/eventually.ts';
import { TEST_PEPPER, TEST_SECRETS_KEY } from '../support/db/fixtures.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/db/postgres.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/db/stopped-postgres.ts';
import { pathOf, startTlsRelay } from '../support/server/tls-relay.ts';
import { BARE_ENV, type RunningProcess, startProcess } from '../support/stack/process.ts';
import { createTestNamespace, type TestNamespace } from '../support/temporal/temporal.ts';

const WITHIN_MS = 60_000;

let postgres: OwnPostgres;
let empty: TestDatabase;
let temporal: TestNamespace;
let started: RunningProcess | undefined;

beforeAll(async () => {
  [postgres, empty, temporal] = await Promise.all([
    startOwnPostgres(),
    createEmptyDatabase(),
    createTestNamespace(),
  ]);
});
afterEach(async () => {
  await started?.kill();
  started = undefined;
});
afterAll(async () => {
  postgres?.thaw();
  await Promise.all([postgres?.stop(), empty?.drop()]);
});

type Script = 'bin/api.ts' | 'bin/worker.ts';

async function start(script: Script, env: NodeJS.ProcessEnv = {}) {
  const port = `${await freePort()}`;
  const process = await startProcess({
    script,
    env: {
      ...BARE_ENV,
      DATABASE_URL: postgres.url,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      API_PORT: port,
      WORKER_HEALTH_PORT: port,
      API_METRICS_PORT: '0',
      WORKER_METRICS_PORT: '0',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      API_KEY_PEPPER: TEST_PEPPER,
      SECRETS_KEY: TEST_SECRETS_KEY,
      SANDBOX_RAIL_URL: 'http://127.0.0.1:9',
      ...env,
    },
  });
  started = process;
  const probe = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  return {
    ...process,
    probe,
    untilReady: () => eventually(async () => expect(await probe('/readyz')).toBe(200), WITHIN_MS),
  };
}

const told = (process: RunningProcess, words: string) =>
  eventually(() => expect(process.lines.join('\n')).toContain(words), WITHIN_MS);

/** A server that accepts connections and never responds. */
async function startSilentServer(port: number) {
  const server = createServer((socket) => socket.on('error', () => {})).listen(port, '127.0.0.1');
  const open = new Set<Socket>();
  server.on('connection', (socket) => open.add(socket));
  await once(server, 'listening');
  return async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}

const AWAY = ['hangs', 'refuses connections'] as const;

async function startAway(how: (typeof AWAY)[number]) {
  const port = await freePort();
  return { port, close: how === 'hangs' ? await startSilentServer(port) : async () => {} };
}

/** @param target `host:port` to which it forwards each connection */
async function startRelay(port: number, target: string): Promise<Server> {
  const [host, onwardPort] = target.split(':');
  const server = createServer((socket) => {
    const onward = connect(Number(onwardPort), host);
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) each.on('error', () => socket.destroy() && onward.destroy());
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe.each(['bin/api.ts', 'bin/worker.ts'] as const)('%s', (script) => {
  test('waits at startup for a PostgreSQL that hangs, and reports itself alive but not ready', async () => {
    postgres.freeze();
    try {
      const process = await start(script);
      await told(process, '"server":"PostgreSQL"');
      expect(await process.probe('/livez')).toBe(200);
      expect(await process.probe('/readyz')).toBe(503);
      postgres.thaw();
      await process.untilReady();
    } finally {
      postgres.thaw();
    }
  });

  test('waits at startup for a PostgreSQL that refuses connections', async () => {
    await postgres.leave();
    const process = await start(script);
    await told(process, '"server":"PostgreSQL"');
    await postgres.comeBack();
    await process.untilReady();
  });

  test.each(AWAY)('SIGTERM ends the wait for a PostgreSQL that %s', async (how) => {
    const { port, close } = await startAway(how);
    const process = await start(script, { DATABASE_URL: `postgres://x:x@127.0.0.1:${port}/checkout` });
    await told(process, 'waiting to start');
    expect(await process.stop()).toEqual({ code: 0, signal: null });
    await close();
  });

  test.each([
    [
      'a wrong password',
      () => Object.assign(new URL(postgres.url), { password: 'wrong' }).href,
      'PostgreSQL: password authentication failed for user',
    ],
    [
      'a missing database',
      () => Object.assign(new URL(postgres.url), { pathname: '/missing' }).href,
      'PostgreSQL: database "missing" does not exist',
    ],
    ['a missing schema', () => empty.url, 'run node bin/migrate.ts first'],
    [
      'a PostgreSQL without TLS',
      () => `${postgres.url}?sslmode=require`,
      'PostgreSQL: The server does not support SSL connections',
    ],
  ])('exits immediately because of %s', async (_what, url, words) => {
    const address = new URL(url());
    address.searchParams.set('connect_timeout', '30');
    const process = await start(script, { DATABASE_URL: address.href });
    await told(process, words);
    await eventually(() => expect(process.isRunning()).toBe(false), WITHIN_MS);
    expect(process.lines.join('\n')).not.toContain('waiting to start');
  });
});

describe('the API and its reader', () => {
  test('the API exits immediately if the reader rejects its password', async () => {
    const url = Object.assign(new URL(postgres.url), { password: 'wrong' }).href;
    const process = await start('bin/api.ts', { DATABASE_READER_URL: url });
    await told(process, 'PostgreSQL reader: password authentication failed for user');
    await eventually(() => expect(process.isRunning()).toBe(false), WITHIN_MS);
  });

  test('an unreachable reader does not keep the API from serving', async () => {
    const url = `postgres://postgres:test@127.0.0.1:${await freePort()}/checkout`;
    const process = await start('bin/api.ts', { DATABASE_READER_URL: url });
    await told(process, '"server":"PostgreSQL reader"');
    await process.untilReady();
  });

  test('a reader that comes back with another password does not stop a running API', async () => {
    const port = await freePort();
    const { hostname, port: target } = new URL(postgres.url);
    const url = Object.assign(new URL(postgres.url), { port: `${port}`, password: 'wrong' }).href;
    const process = await start('bin/api.ts', { DATABASE_READER_URL: url });
    await process.untilReady();
    const relay = await startRelay(port, `${hostname}:${target}`);
    try {
      await told(process, 'password authentication failed');
      expect(await process.probe('/readyz')).toBe(200);
    } finally {
      await process.kill();
      relay.close();
    }
  });
});

describe('bin/worker.ts', () => {
  test.each(AWAY)('SIGTERM ends the wait for a Temporal that %s', async (how) => {
    const { port, close } = await startAway(how);
    const process = await start('bin/worker.ts', { TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
    await told(process, '"server":"Temporal"');
    expect(await process.stop()).toEqual({ code: 0, signal: null });
    await close();
  });

  test.each(AWAY)('waits at startup for a Temporal that %s', async (how) => {
    const { port, close } = await startAway(how);
    const process = await start('bin/worker.ts', { TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
    await told(process, '"server":"Temporal"');
    expect(await process.probe('/livez')).toBe(200);
    expect(await process.probe('/readyz')).toBe(503);
    await close();
    const relay = await startRelay(port, temporal.address);
    try {
      await process.untilReady();
    } finally {
      await process.kill();
      relay.close();
    }
  });

  test('exits immediately if Temporal’s certificate is not trusted', async () => {
    const relay = await startTlsRelay(temporal.address);
    try {
      const process = await start('bin/worker.ts', {
        TEMPORAL_ADDRESS: relay.address,
        TEMPORAL_TLS_CLIENT_CERT_PATH: pathOf('localhost.crt'),
        TEMPORAL_TLS_CLIENT_KEY_PATH: pathOf('localhost.key'),
      });
      await told(process, 'InvalidCertificate(UnknownIssuer)');
      await eventually(() => expect(process.isRunning()).toBe(false), WITHIN_MS);
    } finally {
      await relay.close();
    }
  });

  test('exits immediately if the namespace does not exist', async () => {
    const process = await start('bin/worker.ts', { TEMPORAL_NAMESPACE: 'missing' });
    await told(process, 'Temporal: Namespace missing is not found');
    await eventually(() => expect(process.isRunning()).toBe(false), WITHIN_MS);
  });
});

test('bin/migrate.ts waits for an unreachable PostgreSQL', async () => {
  await postgres.leave();
  const process = await startProcess({
    script: 'bin/migrate.ts',
    env: { ...BARE_ENV, DATABASE_URL: postgres.url },
  });
  started = process;
  await told(process, 'trying again in a few seconds');
  await postgres.comeBack();
  await told(process, 'The schema is up to date.');
});

test('bin/migrate.ts exits immediately with a wrong password', async () => {
  const url = Object.assign(new URL(postgres.url), { password: 'wrong' }).href;
  const process = await startProcess({ script: 'bin/migrate.ts', env: { ...BARE_ENV, DATABASE_URL: url } });
  started = process;
  await told(process, 'PostgreSQL: password authentication failed for user');
  await eventually(() => expect(process.isRunning()).toBe(false), WITHIN_MS);
});
