/**
 * A program: makes PostgreSQL unavailable, and statements wrong, in every way that a client can, and prints what
 * `isDatabaseUnavailable` says of each error, as one line of JSON. DATABASE_URL has to be a superuser's.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openPool, type Pool, type PoolOptions, sql } from '../../db/pool.ts';
import { isDatabaseUnavailable } from '../../db/unavailable.ts';
import { freePort } from '../../sandbox/stack/ports.ts';

const url = process.env.DATABASE_URL ?? '';
const admin = await openPool({ url });
const silent = createServer(() => {}).listen(0, '127.0.0.1');
await once(silent, 'listening');
const role = `crowded_${process.pid}`;
const sleeping = sql.unsafe`select pg_sleep(20)`;

const elsewhere = (changes: Partial<Pick<URL, 'hostname' | 'port' | 'username'>>): Partial<PoolOptions> => ({
  url: Object.assign(new URL(url), changes).href,
});
const query = (text: ReturnType<typeof sql.unsafe>) => (pool: Pool) => pool.query(text);
const nothing = query(sql.unsafe`select 1`);

async function endSleepers(): Promise<void> {
  await pause(300);
  await admin.query(sql.unsafe`
    select pg_terminate_backend(pid) from pg_stat_activity
    where query like '%pg_sleep%' and pid <> pg_backend_pid() and datname = current_database()`);
}

async function idleTooLong(pool: Pool): Promise<void> {
  await pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`set local idle_in_transaction_session_timeout = 100`);
    await pause(1_000);
    await tx.query(sql.unsafe`select 1`);
  });
}

type Case = readonly [what: string, work: (pool: Pool) => Promise<unknown>, options?: Partial<PoolOptions>];
const CASES: readonly Case[] = [
  ['nobody listens', nothing, elsewhere({ port: `${await freePort()}` })],
  ['the name leads nowhere', nothing, elsewhere({ hostname: 'nowhere.invalid' })],
  ['the server never speaks', nothing, elsewhere({ port: `${(silent.address() as AddressInfo).port}` })],
  ['no connection is left', nothing, elsewhere({ username: role })],
  ['the connection is ended', (pool) => Promise.all([pool.query(sleeping), endSleepers()])],
  [
    'the connection of a transaction is ended',
    (pool) => Promise.all([pool.transaction((tx) => tx.query(sleeping)), endSleepers()]),
  ],
  ['the statement takes too long', query(sleeping), { statementTimeoutMs: 200 }],
  ['the transaction waits too long', idleTooLong],
  ['a syntax error', query(sql.unsafe`selct 1`)],
  ['a missing table', query(sql.unsafe`select from no_such_table`)],
  ['a violated constraint', query(sql.unsafe`insert into merchants (name) values (null)`)],
  ['a value that is none', query(sql.unsafe`select 'x'::int4`)],
  ['a missing row', (pool) => pool.one(sql.unsafe`select 1 where false`)],
];

const password = sql.literalValue(decodeURIComponent(new URL(url).password));
await admin.query(
  sql.unsafe`create role ${sql.identifier([role])} login password ${password} connection limit 0`,
);
const judged: Record<string, boolean | 'no error'> = {};
for (const [what, work, options] of CASES) {
  let pool: Pool | undefined;
  try {
    // Opening connects, so that it fails like any statement.
    pool = await openPool({ url, maxConnections: 1, ...options });
    await work(pool);
    judged[what] = 'no error';
  } catch (error) {
    judged[what] = isDatabaseUnavailable(error);
  } finally {
    await pool?.end();
  }
}
await admin.query(sql.unsafe`drop role ${sql.identifier([role])}`);
await admin.end();
silent.close();
console.log(JSON.stringify(judged));
process.exit();
