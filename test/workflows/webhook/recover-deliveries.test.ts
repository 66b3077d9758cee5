/**
 * A recovery in several batches: no faster than the endpoint accepts them, across a change of worker, each delivery
 * once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { z } from 'zod';
import { resumeRecoveries } from '../../../activities/sweep/recover-overdue.ts';
import { sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { pauseEndpoint } from '../../../db/webhook/endpoint-status.ts';
import { recordEvent } from '../../../db/webhook/events.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { requestRecovery } from '../../../platform/temporal/start-recovery.ts';
import { recoveryWorkflowId } from '../../../workflows/webhook/recovery-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';
import { type Answer, ok, type Receiver, startReceiver } from '../../support/server/receiver.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { createTestNamespace, type TestNamespace } from '../../support/temporal/temporal.ts';
import { type Delivery, QUICK, startDelivery } from '../../support/world/delivery.ts';

/** Three batches of 500. */
const MISSED = 1_200;
/** The next batch is added while at most 500 deliveries wait. */
const MOST_DUE = 1_000;
/** Longer than the interval at which the recovery checks for room. */
const LOOKS_AGAIN_MS = 5_000;
const TIMEOUT_MS = 60_000;

let temporal: TestNamespace;
let database: TestDatabase;
let delivery: Delivery;
let receiver: Receiver;
let scope: Scope;
let endpointId: string;

const start = () => startDelivery({ ...QUICK, timeoutSeconds: 30 }, { databaseUrl: database.url, temporal });

beforeAll(async () => {
  temporal = await createTestNamespace();
  database = await createTestDatabase();
  delivery = await start();
});
afterAll(async () => {
  await delivery?.stop();
  await database?.drop();
});
beforeEach(async () => {
  receiver = await startReceiver();
  scope = await createMerchant(delivery.pool);
  endpointId = (await createEndpoint(delivery.pool, scope, { url: receiver.url })).id;
});
afterEach(() => receiver.stop());

/** Events whose deliveries are exhausted. */
async function miss(count: number): Promise<void> {
  await inTransaction(delivery.pool, async (tx) => {
    for (let aggregateVersion = 1; aggregateVersion <= count; aggregateVersion += 1) {
      const of = { scope, type: 'payment.succeeded', aggregateId: scope.merchantId } as const;
      await recordEvent(tx, { ...of, aggregateVersion });
    }
    await tx.query(sql.unsafe`
      update deliveries set status = 'exhausted', attempts = 10, round_attempts = 10
      where endpoint_id = ${endpointId}`);
  });
}

/** @returns the end of the range; null if refused */
function recover(temporal = delivery.client, failures: unknown[] = []): Promise<string | null> {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const deps = {
    pool: delivery.pool,
    temporal,
    deadlineMs: TIMEOUT_MS,
    leftToSweep: (error: unknown) => failures.push(error),
  };
  return requestRecovery(deps, { endpointId, ...scope }, since, { actor: 'ada' });
}

const recovery = () => delivery.client.workflow.getHandle(recoveryWorkflowId(endpointId));
const resume = () =>
  resumeRecoveries({ pool: delivery.pool, client: delivery.client, logger: pino({ level: 'silent' }) });
const isStored = () =>
  delivery.pool.exists(sql.unsafe`
    select from webhook_endpoints where id = ${endpointId} and recover_until is not null`);
const later = () =>
  delivery.pool.query(sql.unsafe`
    with minutes as (update deliveries set created_at = created_at - interval '2 minutes')
    update webhook_endpoints set recover_until = recover_until - interval '2 minutes'`);

const countOf = (status: string) =>
  delivery.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from deliveries where endpoint_id = ${endpointId} and status = ${status}`);

/** Holds all responses until it is opened. */
function gate(): { readonly answer: Answer; open(): void } {
  const held: Parameters<Answer>[] = [];
  let isOpen = false;
  return {
    answer: (...request) => {
      if (isOpen) ok(...request);
      else held.push(request);
    },
    open() {
      isOpen = true;
      for (const request of held) ok(...request);
    },
  };
}

test('a recovery adds a batch only after the endpoint took the previous ones, and survives a change of worker', async () => {
  const { answer, open } = gate();
  receiver.answer = answer;
  await miss(MISSED);
  await recover();
  await eventually(async () => expect(await countOf('pending')).toBe(MOST_DUE), TIMEOUT_MS);
  await pause(LOOKS_AGAIN_MS);
  expect(await countOf('pending')).toBe(MOST_DUE);
  expect(await currentDetails(recovery())).toMatch(`**running**: ${MOST_DUE} deliveries of events from`);

  await delivery.stop();
  delivery = await start();
  expect(await countOf('exhausted')).toBe(MISSED - MOST_DUE);
  open();
  expect(await recovery().result()).toMatchObject({ state: 'finished', recovered: MISSED });
  expect(await isStored()).toBe(false);
  await eventually(async () => expect(await countOf('succeeded')).toBe(MISSED), TIMEOUT_MS);
  await keepHistory(recovery(), 'recover-deliveries-in-batches');
});

test('a recovery ends, with the reason, when its endpoint is paused', async () => {
  receiver.answer = () => {};
  await miss(MISSED);
  await recover();
  await eventually(async () => expect(await countOf('pending')).toBe(MOST_DUE), TIMEOUT_MS);
  await pauseEndpoint(delivery.pool, { endpointId, ...scope }, { actor: 'ada' });
  expect(await recovery().result()).toMatchObject({ state: 'endpoint_not_enabled', recovered: MOST_DUE });
  expect([await countOf('pending'), await countOf('exhausted')]).toEqual([MOST_DUE, MISSED - MOST_DUE]);
  expect(await isStored()).toBe(false);
  await keepHistory(recovery(), 'recover-deliveries-paused');
});

test('a recovery whose start fails is kept in its endpoint’s row, and the sweep starts it only once', async () => {
  await miss(3);
  const down = Object.create(delivery.client, {
    withDeadline: { value: () => Promise.reject(new Error('Temporal is down')) },
  });
  const failures: unknown[] = [];
  expect(await recover(down, failures)).not.toBeNull();
  expect(failures).toHaveLength(1);
  expect(await recover()).toBeNull();
  await resume();
  expect(await countOf('exhausted')).toBe(3);

  await later();
  await resume();
  await eventually(async () => expect(await countOf('succeeded')).toBe(3), TIMEOUT_MS);
  expect(await recovery().result()).toMatchObject({ state: 'finished', recovered: 3 });
  const { runId } = await recovery().describe();
  await resume();
  expect((await recovery().describe()).runId).toBe(runId);
  expect(await isStored()).toBe(false);
});

test('a recovery is resumed when its run is lost half-way', async () => {
  const { answer, open } = gate();
  receiver.answer = answer;
  await miss(MISSED);
  await recover();
  await eventually(async () => expect(await countOf('pending')).toBe(MOST_DUE), TIMEOUT_MS);
  const { runId } = await recovery().describe();
  await later();
  await resume();
  expect((await recovery().describe()).runId).toBe(runId);
  await recovery().terminate();
  open();
  await resume();
  await eventually(async () => expect(await countOf('succeeded')).toBe(MISSED), TIMEOUT_MS);
  expect((await recovery().describe()).runId).not.toBe(runId);
});
