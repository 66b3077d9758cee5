/** The rival's tables: the minimum that the flow needs. */
import { makeWorkerUtils } from 'graphile-worker';
import pg from 'pg';

const TABLES = `
  create table sessions (
    id text primary key default 'riv_' || replace(gen_random_uuid()::text, '-', ''),
    state text not null default 'created',
    amount int8 not null,
    currency text not null,
    content jsonb not null,
    created_at timestamptz not null default now()
  );
  create table payments (
    id text primary key default 'rivp_' || replace(gen_random_uuid()::text, '-', ''),
    session_id text not null references sessions,
    method_token text not null,
    status text not null default 'processing',
    call_begun_at timestamptz,
    rail_reference text
  );
  create unique index on payments (session_id) where status in ('processing', 'succeeded');
  create table events (
    id text primary key default 'evt_' || replace(gen_random_uuid()::text, '-', ''),
    session_id text not null references sessions,
    body text not null,
    delivered_at timestamptz
  )`;

export async function prepareTables(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(TABLES);
  await client.end();
  const utils = await makeWorkerUtils({ connectionString: databaseUrl });
  await utils.migrate();
  await utils.release();
}
