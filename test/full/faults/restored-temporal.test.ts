/**
 * Temporal is restored to an earlier instant while workers run: their cached runs are ahead of the histories,
 * and corrupt them with the next tasks.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { returnOrphans } from '../../../activities/sweep/return-orphans.ts';
import { createSweepActivities } from '../../../activities/sweep/sweep.ts';
import { sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { recordEvent } from '../../../db/webhook/events.ts';
import { startReconcile } from '../../../platform/temporal/start-workflows.ts';
import { openTemporalServer, type Temporal } from '../../faults/harness/place/temporal.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';
import { type Receiver, startReceiver } from '../../support/server/receiver.ts';
import { withOldRuns } from '../../support/temporal/old-runs.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const APPROVED = '4242424242424242';
const CHALLENGE = '4000002760003184';
const DECLINED = '4000000000000002';

let dir: string;
let temporal: Temporal;
let world: SessionWorld;
let receiver: Receiver;
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
  receiver = await startReceiver();
}, 60_000);
afterAll(async () => {
  await world?.close();
  await receiver?.stop();
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
  const { openPayment } = await world.view(challenged);
  await world.client.workflow
    .getHandle(challenged)
    .executeUpdate('completeChallenge', { args: [{ paymentId: openPayment?.paymentId }] });
  await world.until(challenged, 'created');
  expect((await world.pay(challenged, APPROVED)).kind).toBe('claimed');
  await world.until(challenged, 'succeeded');
  await temporal.restore();

  for (const id of open) {
    await world.answerChallenge(id, 'approve');
    await world.pool.query(sql.unsafe`
      update checkouts set state = 'processing', next_action_at = service_clock() - interval '1 minute'
      where id = ${id}`);
    await world.pool.query(sql.unsafe`
      update payments set status = 'processing' where checkout_id = ${id} and status = 'requires_action'`);
  }
  const rounds = await sweepUntil(
    async () => {
      for (const id of open) expect(await world.view(id)).toMatchObject({ state: 'succeeded' });
    },
    sql.unsafe`
      update checkouts set next_action_at = next_action_at - interval '1 minute'
      where state not in ('succeeded', 'failed') and next_action_at < service_clock()`,
  );
  expect(rounds).toBeGreaterThan(1);
  const charged = (await world.ledger()).map(({ reference }) => reference);
  expect(charged).toHaveLength(3);
  expect(new Set(charged).size).toBe(3);
}, 300_000);

/**
 * A round replaces runs that two earlier rounds woke in vain, and one may meet a running task. The run of the
 * endpoint took ten.
 */
const ROUNDS = 5;

// A cached run that is ahead takes each new event of the history for a known one, and answers with nothing.
test('a stuck run of an endpoint is replaced, and its events are delivered', async () => {
  const scope = await createMerchant(world.pool);
  const endpoint = await createEndpoint(world.pool, scope, { url: receiver.url });
  let version = 0;
  const record = () =>
    inTransaction(world.pool, (tx) => {
      version += 1;
      const aggregate = { aggregateId: scope.merchantId, aggregateVersion: version };
      return recordEvent(tx, { scope, type: 'payment.succeeded', ...aggregate });
    });
  const deliver = async () => {
    await record();
    await receiver.untilReceived(version);
    await untilIdle(endpoint.id);
  };
  await deliver();
  await temporal.remember();
  for (let lost = 0; lost < 4; lost += 1) await deliver();
  await temporal.restore();
  await record();
  const rounds = await sweepUntil(
    () => receiver.untilReceived(version, 4_000),
    sql.unsafe`
      update deliveries set next_attempt_at = next_attempt_at - interval '1 minute'
      where status = 'pending' and endpoint_id = ${endpoint.id}`,
  );
  expect(rounds).toBeLessThanOrEqual(ROUNDS);
}, 300_000);

test('a session whose run is many tasks ahead is replaced, and the buyer is charged once', async () => {
  const id = await world.session();
  await world.pay(id, CHALLENGE);
  await world.until(id, 'requires_action');
  await untilIdle(id);
  await temporal.remember();
  for (let lost = 0; lost < 6; lost += 1) {
    await world.client.workflow.getHandle(id).signal('wake');
    await untilIdle(id);
  }
  await temporal.restore();
  await world.answerChallenge(id, 'approve');
  const rounds = await sweepUntil(
    async () => expect(await world.view(id)).toMatchObject({ state: 'succeeded' }),
    sql.unsafe`
      update checkouts set next_action_at = least(next_action_at, service_clock()) - interval '1 minute'
      where id = ${id} and state <> 'succeeded'`,
    // A wake-up resets the count of failed tries: the third follows the second's time-out of ten seconds.
    25_000,
  );
  expect(rounds).toBeLessThanOrEqual(ROUNDS);
  const payments = await world.payments(id);
  const charged = (await world.ledger()).filter(({ reference }) => reference === payments[0]?.id);
  expect([payments.length, charged.length]).toEqual([1, 1]);
}, 300_000);

// A cached run that is ahead repeats its last timer, which would be a day long here, and none of its tasks fails.
test('a return whose run is ahead is replaced, and the buyer is refunded once', async () => {
  const id = await world.session();
  await world.pay(id, APPROVED);
  await world.until(id, 'succeeded');
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  await world.pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${paymentId}`);
  world.faults.add({ operation: 'refund', mode: '500', count: 1_000, delayMs: 0 });
  const { merchantId } = world.shop;
  await startReconcile(world.client, { paymentId, merchantId, environment: 'sandbox' });
  const run = world.client.workflow.getHandle(`${paymentId}-reconcile`);
  const untilAsleep = (rounds: number) =>
    eventually(async () => {
      const { events } = await run.fetchHistory();
      expect(events?.filter((event) => event.timerStartedEventAttributes)).toHaveLength(rounds);
      await untilIdle(run.workflowId);
    }, 60_000);
  await untilAsleep(1);
  await temporal.remember();
  for (let lost = 1; lost <= 4; lost += 1) {
    await run.signal('railNews', { paymentId });
    await untilAsleep(1 + lost);
  }
  await temporal.restore();
  world.faults.clear();
  await eventually(async () => {
    await returnOrphans({ ...world.deps, client: withOldRuns(world.client) });
    await eventually(async () => expect((await run.describe()).status.name).toBe('COMPLETED'), 2_000);
  }, 60_000);
  const back = (await world.ledger()).filter(({ reference }) => reference === `${paymentId}-return`);
  expect(back).toHaveLength(1);
}, 300_000);

/** The next message is then another part of the history. */
async function untilIdle(workflowId: string): Promise<void> {
  await eventually(async () => {
    const { raw } = await world.client.workflow.getHandle(workflowId).describe();
    expect([raw.pendingActivities, raw.pendingWorkflowTask]).toEqual([[], null]);
  }, 60_000);
}

/**
 * @param passMinute makes rows a minute later @param betweenMs rounds without a pause would end each new run
 * before its first task @returns the number of rounds needed
 */
async function sweepUntil(
  isDone: () => Promise<unknown>,
  passMinute: ReturnType<typeof sql.unsafe>,
  betweenMs = 4_000,
): Promise<number> {
  const { sweepOnce } = createSweepActivities(world.deps);
  let rounds = 0;
  await eventually(async () => {
    rounds += 1;
    await world.pool.query(passMinute);
    await sweepOnce();
    await eventually(isDone, betweenMs);
  }, 200_000);
  return rounds;
}
