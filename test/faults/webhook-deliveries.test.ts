/** The worker is killed in the middle of a batch: nothing is lost, and only running deliveries are repeated. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { openPool, type Pool, sql } from '../../db/core/pool.ts';
import { inTransaction } from '../../db/core/transaction.ts';
import { recordEvent } from '../../db/webhook/events.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { SecretBox } from '../../platform/secrets/encryption.ts';
import { wakeAfterCommits } from '../../platform/temporal/wake-endpoints.ts';
import { eventually } from '../support/core/eventually.ts';
import { createEndpoint, createMerchant } from '../support/db/webhooks.ts';
import { type Receiver, startReceiver } from '../support/server/receiver.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { keepHistory } from '../support/temporal/replay.ts';

/** The limit per endpoint (`MAX_CONCURRENCY` in activities/webhook/drain.ts). */
const REQUESTS_AT_ONCE = 32;

const quiet = { warn() {} };

let stack: TestStack;
let pool: Pool;
/** A pool whose commits signal the endpoints. */
let waking: Pool;
let connection: Connection;
let client: Client;
let receiver: Receiver;
let scope: Scope;
let endpointId: string;

beforeAll(async () => {
  stack = await startStack({
    parts: ['worker'],
    env: { WEBHOOK_TIMEOUT_SECONDS: '2', WEBHOOK_ALLOW_LOOPBACK: '1' },
  });
  pool = await openPool({ url: stack.databaseUrl });
  connection = await Connection.connect({ address: stack.temporal.address });
  client = new Client({ connection, namespace: stack.temporal.namespace });
  waking = await openPool({ url: stack.databaseUrl });
  wakeAfterCommits(waking, client, quiet);
});
afterAll(async () => {
  await connection?.close();
  await pool?.end();
  await waking?.end();
  await stack?.stop();
});
beforeEach(async () => {
  receiver = await startReceiver();
  scope = await createMerchant(pool);
  const sealWith = new SecretBox(stack.secretsKey);
  endpointId = (await createEndpoint(pool, scope, { url: receiver.url, sealWith })).id;
});
afterEach(() => receiver.stop());

async function record(count: number, wake = true): Promise<string[]> {
  return inTransaction(wake ? waking : pool, async (tx) => {
    const written: string[] = [];
    for (let version = 1; version <= count; version += 1) {
      const event = {
        scope,
        type: 'payment.succeeded' as const,
        aggregateId: scope.merchantId,
        aggregateVersion: version,
      };
      written.push(await recordEvent(tx, event));
    }
    return written;
  });
}

const statuses = () =>
  pool.any(sql.type(z.object({ status: z.string(), attempts: z.int() }))`
    select status, attempts from deliveries where endpoint_id = ${endpointId}`);

const allSucceeded = (count: number) =>
  eventually(async () => {
    const rows = await statuses();
    expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(count);
  }, 60_000);

describe('a worker killed in the middle of a batch', () => {
  test('loses no event, and repeats only the deliveries in flight, with the same id', async () => {
    receiver.answer = (response) => {
      setTimeout(() => response.writeHead(200).end(), 150);
    };
    const ids = await record(120);
    await receiver.untilReceived(40);
    await stack.kill('worker');
    const recorded = await pool.anyFirst(sql.type(z.object({ id: z.string() }))`
      select event_id as id from deliveries where endpoint_id = ${endpointId} and status = 'succeeded'`);
    await stack.start('worker');
    await allSucceeded(120);

    const sent = receiver.received.map(({ event }) => event.id);
    expect([...new Set(sent)].sort()).toEqual([...ids].sort());
    const again = sent.filter((id, index) => sent.indexOf(id) !== index);
    expect(again.length).toBeGreaterThan(0);
    // Sent once more: deliveries in flight, and answered ones whose batch was not recorded yet.
    expect(again.length).toBeLessThanOrEqual(2 * REQUESTS_AT_ONCE);
    expect(new Set(again).size).toBe(again.length);
    for (const id of again) expect(recorded).not.toContain(id);
    expect((await statuses()).every(({ attempts }) => attempts === 1)).toBe(true);
  }, 120_000);
});

describe('the nightly schedule', () => {
  test('prunes events older than 90 days', async () => {
    const [old = '', young = ''] = await record(2);
    await allSucceeded(2);
    await pool.query(sql.unsafe`
      update events set created_at = created_at - interval '91 days' where id = ${old}`);
    const schedule = client.schedule.getHandle('prune-events');
    await schedule.trigger();
    await eventually(async () => {
      const left = await pool.anyFirst(sql.type(z.object({ id: z.string() }))`
        select id from events where merchant_id = ${scope.merchantId}`);
      expect(left).toEqual([young]);
    }, 30_000);
    const [action] = (await schedule.describe()).info.recentActions;
    const run = client.workflow.getHandle(action?.action.workflow.workflowId ?? '');
    await run.result();
    await keepHistory(run, 'prune-events');
  }, 60_000);
});

describe('an event whose signal was lost', () => {
  test('is found by the sweep if the process died between commit and signal', async () => {
    const [id = ''] = await record(1, false);
    await pause(1_000);
    expect(receiver.received).toHaveLength(0);
    await pool.query(sql.unsafe`
      update deliveries set next_attempt_at = next_attempt_at - interval '6 seconds' where event_id = ${id}`);
    await client.schedule.getHandle('sweep').trigger();
    await receiver.untilReceived(1, 30_000);
    await allSucceeded(1);
  }, 60_000);
});
