/**
 * What a purchase costs without HTTP and webhooks: statements and rows of the service's database, events of Temporal's
 * history. None of them depends on the machine; a change that raises one must justify it here and in
 * docs/performance.md.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const APPROVED = '4242424242424242';
/** A busy machine can add a task or a repeated statement, so the cheapest of several counts. */
const PURCHASES = 4;

/** One statement and one row of them keep the rail's answer for operators (`db/payment/rail-answers.ts`). */
const MOST = { statements: 19, rows: 17, events: 9 };

let world: SessionWorld;
let statements = 0;
const sendQuery = pg.Client.prototype.query;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
  // One purchase connects the pool and prepares the statements.
  await purchase();
  const name = new URL(world.databaseUrl).pathname.slice(1);
  pg.Client.prototype.query = function (this: pg.Client & { database?: string }, ...args: unknown[]) {
    if (this.database === name) statements += 1;
    return (sendQuery as (...given: unknown[]) => unknown).apply(this, args);
  } as typeof sendQuery;
});
afterAll(async () => {
  pg.Client.prototype.query = sendQuery;
  await world?.close();
});

/** The session and its start, the stored click, and everything up to the workflow's end. */
async function purchase(): Promise<string> {
  const id = await world.session();
  await world.pay(id, APPROVED);
  await world.client.workflow.getHandle(id).result();
  return id;
}

/**
 * Sessions of PostgreSQL report their statistics when they end; the pool makes new ones. The querying session reports
 * its own at most once a second unless told to.
 */
async function rowsWritten(): Promise<number> {
  const others = sql.fragment`from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
  await world.pool.query(sql.unsafe`select pg_terminate_backend(pid) ${others}`);
  await eventually(async () => expect(await world.pool.exists(sql.unsafe`select ${others}`)).toBe(false));
  await world.pool.query(sql.unsafe`select pg_stat_force_next_flush()`);
  return world.pool.oneFirst(sql.type(z.object({ written: z.number() }))`
    select sum(n_tup_ins + n_tup_upd + n_tup_del)::int8 as written from pg_stat_user_tables`);
}

test('a purchase costs at most so many statements, rows and events', async () => {
  const [statementsOf, eventsOf]: [number[], number[]] = [[], []];
  const before = await rowsWritten();
  for (let n = 0; n < PURCHASES; n += 1) {
    statements = 0;
    const id = await purchase();
    statementsOf.push(statements);
    const history = await world.client.workflow.getHandle(id).fetchHistory();
    eventsOf.push(history.events?.length ?? 0);
  }
  const rows = Math.round(((await rowsWritten()) - before) / PURCHASES);
  const cost = { statements: Math.min(...statementsOf), rows, events: Math.min(...eventsOf) };
  const grown = Object.entries(MOST).filter(([name, most]) => cost[name as keyof typeof cost] > most);
  expect({ cost, grown }).toEqual({ cost, grown: [] });
});
