/** The probes of a worker. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createRelay, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { openPool, type Pool, readClock } from '../../db/core/pool.ts';
import { QUICK_RECONNECT } from '../../platform/temporal/client.ts';
import { answerHealth, clockProblem, temporalProblem } from '../../worker/health.ts';
import { eventually } from '../support/core/eventually.ts';
import { failing, NOT_THERE } from '../support/db/broken-pool.ts';
import { createTestDatabase } from '../support/db/postgres.ts';
import { createTestNamespace } from '../support/temporal/temporal.ts';

let server: Server;
let pool: Pool;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let readiness: () => Promise<string | null>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool({ url: database.url });
  server = createServer(answerHealth(() => readiness())).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await pool.end();
  await database.drop();
});

async function probe(path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  const { problem = '' } = (await response.json()) as { readonly problem?: string };
  return `${path} ${response.status} ${problem}`.trimEnd();
}
const probes = () => Promise.all(['/livez', '/readyz', '/healthz'].map(probe));

test('a starting or stopping worker is alive but not ready', async () => {
  readiness = async () => 'starting';
  expect(await probes()).toEqual(['/livez 200', '/readyz 503 starting', '/healthz 503 starting']);
});

test('a worker without a database is alive but not ready, and ready once the database is back', async () => {
  readiness = () => clockProblem(() => readClock(failing(NOT_THERE)(pool)));
  expect(await probes()).toEqual(['/livez 200', '/readyz 503 no database', '/healthz 503 no database']);
  readiness = () => clockProblem(() => readClock(pool));
  expect(await probes()).toEqual(['/livez 200', '/readyz 200', '/healthz 200']);
});

test('a worker that cannot reach Temporal is alive but not ready, and ready once Temporal is back', async () => {
  const [host, port] = (await createTestNamespace()).address.split(':');
  const sockets = new Set<Socket>();
  const relay = createRelay((socket) => {
    const onward = connect(Number(port), host);
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) sockets.add(each.on('error', () => {}));
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port: relayPort } = relay.address() as AddressInfo;
  const connection = await Connection.connect({
    address: `127.0.0.1:${relayPort}`,
    channelArgs: QUICK_RECONNECT,
  });
  readiness = () => temporalProblem(connection);
  try {
    expect(await probes()).toEqual(['/livez 200', '/readyz 200', '/healthz 200']);
    relay.close();
    for (const socket of sockets) socket.destroy();
    expect(await probes()).toEqual(['/livez 200', '/readyz 503 no Temporal', '/healthz 503 no Temporal']);
    relay.listen(relayPort, '127.0.0.1');
    await eventually(async () => expect(await probe('/readyz')).toBe('/readyz 200'));
  } finally {
    await connection.close();
    relay.close();
    for (const socket of sockets) socket.destroy();
  }
});
