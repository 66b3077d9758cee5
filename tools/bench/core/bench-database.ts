/** A database for floors and rivals, in the service's PostgreSQL. */
import pg from 'pg';
import type { Place } from './place.ts';

export const BENCH_DATABASE = 'bench';

/** Creates the database. @returns its connection string */
export async function createBenchDatabase({ databases }: Place): Promise<string> {
  const client = new pg.Client({ connectionString: databases.service });
  await client.connect();
  await client.query(`create database ${BENCH_DATABASE}`);
  await client.end();
  const url = new URL(databases.service);
  url.pathname = BENCH_DATABASE;
  return url.href;
}
