/** The probes of a worker. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, type Pool, readClock } from '../../db/core/pool.ts';
import { answerHealth, clockProblem } from '../../worker/health.ts';
import { failing, NOT_THERE } from '../support/db/broken-pool.ts';
import { createTestDatabase } from '../support/db/postgres.ts';

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

test('a worker that starts or stops is alive and not ready', async () => {
  readiness = async () => 'starting';
  expect(await probes()).toEqual(['/livez 200', '/readyz 503 starting', '/healthz 503 starting']);
});

test('one without a database is alive and not ready, and ready once the database is back', async () => {
  readiness = () => clockProblem(() => readClock(failing(NOT_THERE)(pool)));
  expect(await probes()).toEqual(['/livez 200', '/readyz 503 no database', '/healthz 503 no database']);
  readiness = () => clockProblem(() => readClock(pool));
  expect(await probes()).toEqual(['/livez 200', '/readyz 200', '/healthz 200']);
});
