/** Long histories: the server suggests a new run after a dozen events instead of thousands. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { sql } from '../../../db/core/pool.ts';
import { insertResolveRequest, readResolveAnswer } from '../../../db/payment/resolve-requests.ts';
import { fenceIfRestored } from '../../../db/restore/fence.ts';
import { findSessionToStart } from '../../../db/session/session-sweep.ts';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { createProgress } from '../../../sandbox/stack/core/progress.ts';
import { startForeignPart } from '../../../sandbox/stack/process/part.ts';
import { findTemporal } from '../../../sandbox/stack/temporal/temporal-binary.ts';
import { startTemporal, type TemporalServer } from '../../../sandbox/stack/temporal/temporal-dev.ts';
import { railWebhookSignal, resolveRequestedSignal } from '../../../workflows/core/messages.ts';
import { RESTORE_WORKFLOW, restoreStart } from '../../../workflows/restore/restore-messages.ts';
import { CHECKOUT_WORKFLOW, cancelUpdate } from '../../../workflows/session/session-messages.ts';
import { sessionStart } from '../../../workflows/session/session-start.ts';
import { advanceClockUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertSession } from '../../support/db/fixtures.ts';
import { liftFence } from '../../support/db/lift-fence.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  afterFirstPeriod,
  CARDS,
  chargesOf,
  subscribe,
  untilView,
  update,
  viewOf,
} from '../../support/world/subscription-world.ts';

const REQUEST = { outcome: 'failed', operator: 'ada', reason: 'r', evidence: 'e' } as const;

let server: TemporalServer;
let connections: { readonly client: Connection; readonly native: NativeConnection };
let world: SessionWorld;

beforeAll(async () => {
  const progress = createProgress(() => {});
  const binary = await findTemporal({ env: process.env, cacheDir: cacheDir(process.env), progress });
  const soon = ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=12'];
  server = await startTemporal({
    binary,
    port: await freePort(),
    start: (program) => startForeignPart({ ...program, args: [...program.args, ...soon] }),
  });
  const { address } = server;
  const [client, native] = await Promise.all([
    Connection.connect({ address }),
    NativeConnection.connect({ address }),
  ]);
  connections = { client, native };
  world = await createSessionWorld({
    // No timed look-ups, so that only messages from the test make the history grow.
    timings: { reconcileSeconds: [], reconcileLongSeconds: [3_600] },
    temporal: { client: new Client({ connection: client }), nativeConnection: native, namespace: 'default' },
  });
  await world.startWorker();
});
afterEach(() => world.faults.clear());
afterAll(async () => {
  await world?.close();
  await connections?.native.close();
  await connections?.client.close();
  await server?.part.stop();
});

const handle = (id: string) => world.client.workflow.getHandle(id);
const openAttempt = async (id: string) => (await world.view(id)).openAttempt?.attemptId ?? '';

/** Without start delay, because a run that continues as new before its delay is over passes on the rest of it. */
async function session(): Promise<string> {
  const { id } = await insertSession(world.pool, world.shop, world.shop.products.oneTime);
  const row = await findSessionToStart(world.pool, id);
  if (!row) throw new Error(`${id} cannot be started`);
  const { startDelay: _, ...start } = sessionStart(row, world);
  await world.client.workflow.start(CHECKOUT_WORKFLOW, start);
  return id;
}

/** Messages sent while no worker runs arrive in one activation. */
async function inOneActivation(send: () => Promise<unknown>): Promise<void> {
  await world.stopWorker();
  await send();
  await world.startWorker();
}

/** A session in doubt: the rail gives no answer about its charge. */
async function stuckSession(): Promise<{ readonly id: string; readonly paymentId: string }> {
  const id = await session();
  world.faults.add({ operation: 'authorize', mode: 'drop-before', count: 1, delayMs: 0 });
  world.faults.add({ operation: 'lookup', mode: '500', count: 100, delayMs: 0 });
  world.faults.add({ operation: 'cancel', mode: '500', count: 100, delayMs: 0 });
  await world.pay(id, CARDS.approved);
  await world.until(id, 'reconciliation_required');
  return { id, paymentId: await openAttempt(id) };
}

// Must come first: a retried call for another test's session would use up its faults.
test('a subscription continues as new during an open charge, and the next run adopts the charge', async () => {
  const id = await subscribe(world);
  const later = await afterFirstPeriod(world, id);
  world.faults.add({ operation: 'chargeStored', mode: 'drop-after', count: 1, delayMs: 0 });
  // The rail answers the look-up before the first send, because nothing is sent without that answer (rule 28).
  world.faults.add({ operation: 'lookup', mode: 'delay', count: 1, delayMs: 0 });
  world.faults.add({ operation: 'lookup', mode: '500', count: 100, delayMs: 0 });
  await update(world, id, advanceClockUpdate, { to: later(1) });
  const { openAttempt: open } = await untilView(world, id, ({ reconciling }) => reconciling);
  const webhook = { attemptId: open?.attemptId ?? '' };
  const runId = async () => (await handle(id).describe()).runId;
  const before = await runId();
  await eventually(async () => {
    await handle(id).signal(railWebhookSignal, webhook);
    await pause(500);
    expect(await runId()).not.toBe(before);
  });
  expect(await viewOf(world, id)).toMatchObject({ openAttempt: open, reconciling: true });
  world.faults.clear();
  await handle(id).signal(railWebhookSignal, webhook);
  await untilView(world, id, ({ openAttempt: now }) => now === null);
  expect(await chargesOf(world, id)).toEqual([900]);
  await keepHistory(handle(id), 'subscription-long-history');
});

/** Sends updates one after the other, so that each workflow task contains one. */
async function updatesUntilNextRun(id: string, send: () => Promise<unknown>): Promise<void> {
  const { runId } = await handle(id).describe();
  for (let n = 0; n < 12; n += 1) await send();
  expect((await handle(id).describe()).runId).not.toBe(runId);
}

test('a subscription continues as new even if every task contains an update', async () => {
  const id = await subscribe(world);
  // Refused, because the target is in the past.
  await updatesUntilNextRun(id, () =>
    update(world, id, advanceClockUpdate, { to: '2020-01-01T00:00:00.000Z' }),
  );
  expect((await viewOf(world, id)).status).toBe('active');
  await keepHistory(handle(id), 'subscription-new-run-between-updates');
});

test('a session continues as new even if every task contains an update', async () => {
  const id = await session();
  // Changes nothing: no attempt is open.
  await updatesUntilNextRun(id, () =>
    handle(id).executeUpdate(cancelUpdate, { args: [{ what: 'ap_pay_none' }] }),
  );
  expect((await world.view(id)).state).toBe('created');
  await keepHistory(handle(id), 'checkout-new-run-between-updates');
});

test('a long comparison after a restore continues as new', async () => {
  const id = await session();
  await world.pay(id, CARDS.approved);
  await world.until(id, 'succeeded');
  const epoch = await fenceIfRestored(world.pool, {
    sweepNumber: null,
    announced: { actor: 'operator:ada' },
  });
  if (epoch === null) throw new Error('not fenced');
  // A second charge for a session that accepts no more attempts; it stays open until an operator settles it.
  await world.pool.query(sql.unsafe`
    insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome, amount,
      currency, at)
    select ${epoch}::bigint, rail_account_id, 'charge', session_payment_id(id, created_at, 2), merchant_id, environment,
      'approved', amount, currency, created_at
    from checkouts where id = ${id}`);
  const comparison = restoreStart(epoch);
  const first = await world.client.workflow.start(RESTORE_WORKFLOW, comparison);
  await eventually(async () => {
    const { runId } = await handle(comparison.workflowId).describe();
    expect(runId).not.toBe(first.firstExecutionRunId);
  }, 30_000);
  await eventually(async () => {
    const { events } = await handle(comparison.workflowId).fetchHistory();
    expect(events?.length).toBeGreaterThan(8);
  }, 30_000);
  await handle(comparison.workflowId).terminate('seen');
  await keepHistory(handle(comparison.workflowId), 'restore-long');
  await liftFence(world.pool, epoch);
});

test('a session handles an operator’s request before it continues as new', async () => {
  const { id, paymentId } = await stuckSession();
  const requestId = await insertResolveRequest(world.pool, id, REQUEST);
  await inOneActivation(async () => {
    await handle(id).signal(railWebhookSignal, { attemptId: paymentId });
    await handle(id).signal(resolveRequestedSignal, { requestId });
  });
  await eventually(async () => {
    expect(await readResolveAnswer(world.pool, requestId)).toBe('done: failed');
  });
  await handle(id).result();
  await keepHistory(handle(id), 'checkout-resolved-in-long-history');
});

test('a session handles a cancellation from Temporal UI before it continues as new', async () => {
  const { id, paymentId } = await stuckSession();
  await inOneActivation(async () => {
    await handle(id).signal(railWebhookSignal, { attemptId: paymentId });
    await handle(id).cancel();
  });
  await eventually(async () => {
    expect(await world.view(id)).toMatchObject({ cancelRequested: true });
  });
  // Its retries would use up the next test's faults.
  await handle(id).terminate('seen');
});
