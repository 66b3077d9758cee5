/** Temporal is restored to an earlier instant, and its workers are restarted, as the runbook says. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { createSweepActivities } from '../../../activities/sweep/sweep.ts';
import { sql } from '../../../db/core/pool.ts';
import { workersSince } from '../../../platform/temporal/old-workers.ts';
import { openTemporalServer, type Temporal } from '../../faults/harness/place/temporal.ts';
import { eventually } from '../../support/core/eventually.ts';
import { withOldRuns } from '../../support/temporal/old-runs.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const APPROVED = '4242424242424242';
const CHALLENGE = '4000002760003184';
const DECLINED = '4000000000000002';

let dir: string;
let temporal: Temporal;
let world: SessionWorld;
let closeConnections: () => Promise<unknown>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'checkout-restored-temporal-'));
  temporal = await openTemporalServer(dir, false);
  const [connection, nativeConnection] = await Promise.all([
    Connection.connect({ address: temporal.address }),
    NativeConnection.connect({ address: temporal.address }),
  ]);
  closeConnections = () => Promise.all([connection.close(), nativeConnection.close()]);
  const client = new Client({ connection });
  world = await createSessionWorld({ temporal: { client, nativeConnection, namespace: 'default' } });
  await world.startWorker();
});
afterAll(async () => {
  await world?.close();
  await closeConnections?.();
  await temporal?.end();
  await rm(dir, { recursive: true, force: true });
});

test('each open session ends with one charge', async () => {
  const fresh = await world.session();
  const declined = await world.session();
  await world.pay(declined, DECLINED);
  await world.until(declined, 'created');
  const challenged = await world.session();
  await world.pay(challenged, CHALLENGE);
  await world.until(challenged, 'requires_action');

  await temporal.remember();
  await world.answerChallenge(challenged, 'fail');
  const open = [fresh, declined];
  for (const id of open) {
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
  }
  const { openAttempt } = await world.view(challenged);
  await world.client.workflow
    .getHandle(challenged)
    .executeUpdate('completeChallenge', { args: [{ attemptId: openAttempt?.attemptId }] });
  await world.until(challenged, 'created');
  expect((await world.pay(challenged, APPROVED)).kind).toBe('claimed');
  await world.until(challenged, 'succeeded');
  await temporal.restore();
  const since = new Date().toISOString();
  await eventually(async () => expect((await workersSince(world.client, since)).old).toHaveLength(1), 60_000);
  await world.stopWorker();
  await world.startWorker();
  await eventually(
    async () => expect((await workersSince(world.client, since)).unserved).toEqual([]),
    60_000,
  );

  for (const id of open) {
    await world.answerChallenge(id, 'approve');
    await world.pool.query(sql.unsafe`
      update checkouts set state = 'processing', next_action_at = service_clock() - interval '1 minute'
      where id = ${id}`);
    await world.pool.query(sql.unsafe`
      update payments set status = 'processing' where checkout_id = ${id} and status = 'requires_action'`);
  }
  await sweepUntil(
    async () => {
      for (const id of open) expect(await world.view(id)).toMatchObject({ state: 'succeeded' });
    },
    sql.unsafe`
      update checkouts set next_action_at = next_action_at - interval '1 minute'
      where state not in ('succeeded', 'failed') and next_action_at < service_clock()`,
  );
  const charged = (await world.ledger()).map(({ reference }) => reference);
  expect(charged).toHaveLength(3);
  expect(new Set(charged).size).toBe(3);
}, 300_000);

/** @param passMinute statement that ages rows by a minute */
async function sweepUntil(
  isDone: () => Promise<unknown>,
  passMinute: ReturnType<typeof sql.unsafe>,
): Promise<void> {
  const { sweepOnce } = createSweepActivities({ ...world.deps, client: withOldRuns(world.client) });
  await eventually(async () => {
    await world.pool.query(passMinute);
    await sweepOnce();
    // The pause lets a new run execute its first task before the next sweep replaces it.
    await eventually(isDone, 4_000);
  }, 200_000);
}
