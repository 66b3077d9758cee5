/** A connection that breaks or hangs while a pool asks for PostgreSQL's types. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, type Pool, readClock } from '../../../db/core/pool.ts';
import { isDatabaseUnavailable } from '../../../db/core/unavailable.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';

/** The type byte of the message that begins a query with parameters. */
const PARSE = 'P'.charCodeAt(0);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

/** Passes on everything up to the first query. */
async function openPoolWithout(atQuery: (client: Socket) => void) {
  const target = new URL(database.url);
  let isBroken = true;
  const open = new Set<Socket>();
  const relay = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    for (const each of [client, server]) {
      open.add(each);
      each.on('error', () => {}).on('close', () => client.destroy() && server.destroy());
    }
    server.pipe(client);
    client.on('data', (bytes) => {
      if (isBroken && bytes[0] === PARSE) atQuery(client);
      else server.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = new URL(database.url);
  Object.assign(url, { hostname: '127.0.0.1', port: `${(relay.address() as AddressInfo).port}` });
  url.searchParams.set('connect_timeout', '1');
  const pool = await openPool({ url: url.href });
  return {
    pool,
    mend: () => {
      isBroken = false;
    },
    async close() {
      await pool.end();
      for (const each of open) each.destroy();
      relay.close();
    },
  };
}

const failureOf = (pool: Pool) => readClock(pool).catch((error: unknown) => error);

test.each([
  ['breaks', (client: Socket) => client.destroy()],
  ['hangs', () => {}],
])('a statement fails if its first connection %s, and the next statement succeeds', async (_how, atQuery) => {
  const { pool, mend, close } = await openPoolWithout(atQuery);
  try {
    expect(isDatabaseUnavailable(await failureOf(pool))).toBe(true);
    mend();
    await eventually(async () => expect(await readClock(pool)).toMatch(/^20/));
  } finally {
    await close();
  }
});
