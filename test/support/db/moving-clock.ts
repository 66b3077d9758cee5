/** Makes a database's clock (`service_clock()`) follow a time-skipping Temporal server. */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { type Pool, sql } from '../../../db/core/pool.ts';

/** From now on the test moves the database's clock. */
export async function takeOverClock(pool: Pool): Promise<void> {
  await pool.query(sql.unsafe`create table moved_clock (by interval not null)`);
  await pool.query(sql.unsafe`insert into moved_clock values ('0')`);
  await pool.query(sql.unsafe`
    create or replace function service_clock() returns timestamptz language sql volatile as
    'select clock_timestamp() + (select by from moved_clock)'
  `);
}

/** Sets the database's clock to the server's. */
export async function followServer(pool: Pool, server: TestWorkflowEnvironment): Promise<void> {
  const aheadMs = (await server.currentTimeMs()) - Date.now();
  await pool.query(sql.unsafe`
    update moved_clock set by = ${aheadMs}::float8 * interval '1 millisecond'
  `);
}
