/**
 * Debian's PgBouncer in transaction mode between the service and PostgreSQL, with TLS to the service, as
 * docs/configuration.md describes it; workers separated by queue.
 * @needs pgbouncer
 */
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, sql } from '../../../db/core/pool.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { asUser, unprivilegedUser } from '../../../sandbox/stack/postgres/unprivileged.ts';
import { type Part, startForeignPart } from '../../../sandbox/stack/process/part.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { buy } from '../../support/stack/purchases.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';

/** Fewer than the 60 connections that the six pools would open. */
const SERVER_CONNECTIONS = 8;

let dir: string;
let database: TestDatabase;
let pooler: Part;
let pooled: URL;
let stack: TestStack;

beforeAll(async () => {
  database = await createTestDatabase();
  dir = await mkdtemp(join(tmpdir(), 'checkout-pgbouncer-'));
  await chmod(dir, 0o755);
  pooled = await startPooler();
  stack = await startStack({
    databaseUrl: database.url,
    env: {
      DATABASE_URL: `${pooled.href}?sslmode=verify-full&sslrootcert=${tls('ca.crt')}`,
      DATABASE_DIRECT_URL: database.url,
      DATABASE_PREPARED_STATEMENTS: 'off',
    },
  });
});
afterAll(async () => {
  await stack?.stop();
  await pooler?.stop();
  await database?.drop();
  await rm(dir, { recursive: true, force: true });
});

const tls = (name: string) => join(PROJECT_DIR, 'test/platform/outbound/tls', name);

async function startPooler(): Promise<URL> {
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const listen = await freePort();
  const key = join(dir, 'server.key');
  await copyFile(tls('localhost.key'), key);
  await chmod(key, 0o644);
  const file = join(dir, 'pgbouncer.ini');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: listen,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: SERVER_CONNECTIONS,
    max_client_conn: 200,
    ignore_startup_parameters: 'statement_timeout, idle_in_transaction_session_timeout',
    client_tls_sslmode: 'require',
    client_tls_key_file: key,
    client_tls_cert_file: tls('localhost.crt'),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const target = `host=${hostname} port=${port} user=${username} password=${password}`;
  await writeFile(file, ['[databases]', `* = ${target}`, '[pgbouncer]', ...lines, ''].join('\n'));
  const user = unprivilegedUser();
  const command = asUser(user, { command: 'pgbouncer', args: ['-q', file] }, [file, tls('localhost.crt')]);
  pooler = startForeignPart({ name: 'pgbouncer', ...command });
  const url = new URL(`postgres://${username}@localhost:${listen}${pathname}`);
  await eventually(async () => {
    if (!pooler.isRunning()) throw new Error(pooler.lastLines().join('\n'));
    const pool = await openPool({ url: `${url}?sslmode=no-verify`, maxConnections: 1 });
    await pool.query(sql.unsafe`select 1`).finally(() => pool.end());
  });
  return url;
}

async function delivered(sessionIds: readonly string[]): Promise<boolean> {
  const received = (await (await fetch(stack.webhook.eventsUrl)).json()) as readonly {
    event: { type: string; checkout?: { id: string } };
  }[];
  const paid = received.filter(({ event }) => event.type === 'payment.succeeded');
  return sessionIds.every((id) => paid.some(({ event }) => event.checkout?.id === id));
}

test('purchases and webhooks work through fewer connections than the service opens', async () => {
  const sessions = await Promise.all(Array.from({ length: 12 }, () => buy(stack)));
  const ids = sessions.map(({ id }) => id);
  await eventually(async () => expect(await delivered(ids)).toBe(true));
});

test('a certificate of another authority is rejected', async () => {
  const pool = await openPool({ url: `${pooled.href}?sslmode=verify-full`, maxConnections: 1 });
  await expect(pool.query(sql.unsafe`select 1`)).rejects.toThrow(/certificate/);
  await pool.end();
});

test('a worker without the queue of deliveries takes payments, and a worker with it delivers', async () => {
  await stack.restart('worker', { WORKER_QUEUES: 'checkout,billing' });
  const { id } = await buy(stack);
  // With the queue, a purchase is delivered within a second.
  await pause(5_000);
  expect(await delivered([id])).toBe(false);
  await stack.restart('worker', { WORKER_QUEUES: 'webhooks' });
  await eventually(async () => expect(await delivered([id])).toBe(true), 60_000);
});
