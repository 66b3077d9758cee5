/** The refund workflow on real parts: one refund at the rail, with a known outcome, whatever breaks. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { recoverOverdue } from '../../../activities/sweep/recover-overdue.ts';
import type { Refund } from '../../../contract/refund/refund.ts';
import { sql } from '../../../db/core/pool.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { insertResolveRequest, readResolveAnswer } from '../../../db/payment/resolve-requests.ts';
import { takeUnknownWebhooks } from '../../../db/payment/unapplied-webhooks.ts';
import { createRefund, findRefund } from '../../../db/refund/create-refund.ts';
import { applyRefundLookup, refundsContradictedByWebhooks } from '../../../db/refund/refund-sweep.ts';
import { settleCarriedOut } from '../../../db/refund/settle-carried-out.ts';
import type { ResolveCommand } from '../../../domain/core/resolution.ts';
import { startUnstartedRefunds } from '../../../platform/temporal/start-workflows.ts';
import { resolveRequestedSignal, wakeSignal } from '../../../workflows/core/messages.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import {
  REFUND_WORKFLOW,
  refundStart,
  resolveRefundUpdate,
} from '../../../workflows/refund/refund-messages.ts';
import { SWEEP_WORKFLOW } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { railCallsOf } from '../../support/temporal/rail-calls.ts';
import { keepHistory, payloadsOf } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

let world: SessionWorld;
/** Refunds returned to the rail by the buyer's bank. */
const sentBack = new Set<string>();
/** Refunds that the rail is still carrying out. */
const pendingAtRail = new Set<string>();
/** Refunds that the rail makes without answering the call or a look-up. */
const silentOnceSent = new Set<string>();

beforeAll(async () => {
  world = await createSessionWorld({
    pages: { dashboardUrl: 'https://pay.example/dashboard' },
    // Under load more than a second may pass between the mark and the call.
    railCallTimeoutSeconds: 3,
    wrapRail: (rail) => ({
      ...rail,
      lookupRefund: async (request) => {
        if (sentBack.has(request.reference)) return { kind: 'failed', code: 'refund_declined' };
        if (pendingAtRail.has(request.reference)) return { kind: 'pending', railReference: 're_pending' };
        return rail.lookupRefund(request);
      },
      refund: (request) => {
        const { reference } = request;
        if (silentOnceSent.delete(reference)) {
          world.faults.add({ operation: 'refund', mode: 'drop-after', count: 1, delayMs: 0, reference });
          world.faults.add({ operation: 'lookupRefund', mode: '500', count: 1_000, delayMs: 0, reference });
        }
        return rail.refund(request);
      },
    }),
  });
  await world.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}'
    where id = ${world.shop.railAccountId}`);
  await world.startWorker();
});
afterAll(() => world?.close());

async function paid(): Promise<string> {
  const session = await world.session();
  await world.pay(session, '4242424242424242');
  await world.until(session, 'succeeded');
  return (await world.payments(session))[0]?.id ?? '';
}

async function reserve(paymentId: string, amount: number | null = null): Promise<Refund> {
  const refund = await createRefund(world.pool, {
    scope: world.shop,
    operationId: randomUUID(),
    of: { paymentId },
    amount,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
  if (typeof refund === 'string') throw new Error(refund);
  return refund;
}

const toStart = ({ id, amount, currency }: Refund) => ({ ...world.shop, id, amount, currency });
const start = (refund: Refund) =>
  world.client.workflow.start(REFUND_WORKFLOW, refundStart(toStart(refund), world.timings));
const settled = (refund: Refund, status: Refund['status']) =>
  eventually(async () => {
    expect(await findRefund(world.pool, world.shop, refund.id)).toMatchObject({ status });
  });
const states = (paymentId: string) =>
  world.pool.one(sql.type(z.object({ payment: z.string(), order: z.string(), reserved: z.number() }))`
    select p.status as payment, o.status as "order", p.refunded_amount as reserved
    from payments p join orders o on o.id = p.order_id where p.id = ${paymentId}`);
const atRail = async ({ id }: Refund) => (await world.ledger()).filter(({ reference }) => reference === id);
const eventsOf = ({ id }: Refund) =>
  world.pool.any(sql.type(z.object({ type: z.string(), body: z.string() }))`
    select type, body from events where aggregate_id = ${id} order by aggregate_version`);
const alertsOf = async (about: Refund) =>
  (await eventsOf(about)).map(({ body }) => JSON.parse(body).alert).filter((alert) => alert !== undefined);
const fault = (
  refund: Refund,
  operation: 'refund' | 'lookupRefund',
  mode: 'drop-after' | 'drop-before' | '500',
  count = 1,
) => world.faults.add({ operation, mode, count, delayMs: 0, reference: refund.id });

test('partial refunds that add up to the whole amount leave payment and order refunded', async () => {
  const paymentId = await paid();
  const first = await reserve(paymentId, 400);
  const handle = await start(first);
  expect(await handle.result()).toEqual({ status: 'succeeded' });
  await keepHistory(handle, 'refund-succeeded');
  expect(await states(paymentId)).toEqual({
    payment: 'partially_refunded',
    order: 'partially_refunded',
    reserved: 400,
  });
  const rest = await reserve(paymentId);
  await (await start(rest)).result();
  expect(await states(paymentId)).toEqual({ payment: 'refunded', order: 'refunded', reserved: 1_900 });
  expect((await atRail(first)).map(({ amount }) => amount)).toEqual([400]);
  expect((await atRail(rest)).map(({ amount }) => amount)).toEqual([1_500]);
  const events = await eventsOf(rest);
  expect(events.map(({ type }) => type)).toEqual(['refund.created']);
  expect(JSON.parse(events[0]?.body ?? '')).toMatchObject({
    refund: { id: rest.id, payment_id: paymentId, amount: 1_500, status: 'succeeded' },
    payment: { id: paymentId, status: 'refunded' },
    customer: { id: expect.any(String) },
    product: { id: world.shop.products.oneTime },
  });
});

test('a refund whose answer is lost is looked up, and made once', async () => {
  const paymentId = await paid();
  const refund = await reserve(paymentId);
  fault(refund, 'refund', 'drop-after');
  const handle = await start(refund);
  expect(await handle.result()).toEqual({ status: 'succeeded' });
  expect(await railCallsOf(handle)).toEqual([
    { kind: 'unknown', reason: 'connection_lost' },
    { kind: 'succeeded' },
  ]);
  await keepHistory(handle, 'refund-unanswered');
  expect(await atRail(refund)).toHaveLength(1);
  const asked = (await world.railRequests()).filter(({ reference }) => reference === refund.id);
  expect(asked.map(({ operation }) => operation)).toEqual(['lookupRefund', 'refund', 'lookupRefund']);
});

test('a refund unknown to the rail is sent again once its call can no longer be running', async () => {
  const refund = await reserve(await paid());
  fault(refund, 'refund', 'drop-before');
  expect(await (await start(refund)).result()).toEqual({ status: 'succeeded' });
  expect(await atRail(refund)).toHaveLength(1);
});

test('a refund that the rail rejects frees its reserved amount, and alerts', async () => {
  const paymentId = await paid();
  const refund = await reserve(paymentId, 500);
  await world.pool.query(sql.unsafe`update refunds set currency = 'XTS' where id = ${refund.id}`);
  expect(await (await start(refund)).result()).toEqual({ status: 'failed' });
  expect(await states(paymentId)).toEqual({ payment: 'succeeded', order: 'completed', reserved: 0 });
  expect(await atRail(refund)).toHaveLength(0);
  const events = await eventsOf(refund);
  expect(events.map(({ body }) => JSON.parse(body).alert)).toEqual([
    { code: 'refund_failed', reference: refund.id },
  ]);
});

test('a refund whose start was lost is started by the relay, and one whose run was lost by the sweep', async () => {
  const deps = { pool: world.pool, client: world.client, session: { timings: world.timings } };
  const unstarted = await reserve(await paid());
  await world.pool.query(sql.unsafe`
    update refunds set created_at = created_at - interval '2 seconds' where id = ${unstarted.id}`);
  await startUnstartedRefunds(deps);
  await settled(unstarted, 'succeeded');

  const lost = await reserve(await paid());
  await world.pool.query(sql.unsafe`
    update refunds set workflow_started_at = created_at, next_action_at = created_at - interval '2 minutes'
    where id = ${lost.id}`);
  const logger = { error() {}, warn() {} };
  await recoverOverdue({ ...deps, logger } as unknown as Parameters<typeof recoverOverdue>[0], 'refund');
  await settled(lost, 'succeeded');
  expect(await atRail(lost)).toHaveLength(1);
});

test('a refund is restarted if its run has ended and a restored database still shows it as open', async () => {
  const refund = await reserve(await paid(), 100);
  await (await start(refund)).result();
  const gone = await reserve(await paid(), 100);
  await world.pool.query(sql.unsafe`
    update refunds set status = 'pending', workflow_started_at = created_at,
      next_action_at = created_at - interval '2 minutes'
    where id in (${refund.id}, ${gone.id})`);
  const deps = { pool: world.pool, client: world.client, session: { timings: world.timings } };
  const logger = { error() {}, warn() {} };
  await recoverOverdue({ ...deps, logger } as unknown as Parameters<typeof recoverOverdue>[0], 'refund');
  await settled(refund, 'succeeded');
  await settled(gone, 'succeeded');
  expect(await atRail(refund)).toHaveLength(1);
});

test('a refund waits for an operator while the rail does not answer; the rail’s answer overrides the operator’s', async () => {
  const refund = await reserve(await paid(), 100);
  silentOnceSent.add(refund.id);
  const handle = await start(refund);
  const resolve = (outcome: 'succeeded' | 'failed') =>
    handle.executeUpdate(resolveRefundUpdate, {
      args: [{ outcome, operator: 'ada', reason: 'seen', evidence: 'dashboard' }],
    });
  await eventually(async () => {
    expect(await currentDetails(handle)).toMatch(/^\*\*pending\*\*.* run the update \*\*resolve/);
  });
  expect(await currentDetails(handle)).toMatch(
    /\n\n\[In the dashboard\]\(https:\S+\/subjects\/ap_ref_\w+\)\n\n- /,
  );
  expect((await listIncidents(world.pool)).map(({ id }) => id)).toContain(refund.id);
  expect(await alertsOf(refund)).toEqual([{ code: 'reconciliation_required', reference: refund.id }]);
  world.faults.clear();
  await expect(resolve('failed')).rejects.toMatchObject({
    cause: { message: expect.stringContaining('rail reports succeeded') },
  });
  expect(await handle.result()).toEqual({ status: 'succeeded' });
});

test('a refund that the rail is still carrying out is not settled as failed, which would free its amount', async () => {
  const paymentId = await paid();
  const refund = await reserve(paymentId, 100);
  pendingAtRail.add(refund.id);
  const handle = await start(refund);
  await eventually(async () => {
    expect(await currentDetails(handle)).toContain('run the update **resolve**');
  });
  const args: [ResolveCommand] = [
    { outcome: 'failed', operator: 'ada', reason: 'takes long', evidence: 'dashboard' },
  ];
  await expect(handle.executeUpdate(resolveRefundUpdate, { args })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('rail reports pending') },
  });
  expect(await states(paymentId)).toMatchObject({ reserved: 100 });
  pendingAtRail.delete(refund.id);
  await handle.signal(wakeSignal);
  expect(await handle.result()).toEqual({ status: 'succeeded' });
});

test('a refund that waits for an operator alerts weekly', async () => {
  const refund = await reserve(await paid(), 100);
  const waits = (days: number) =>
    world.pool.query(sql.unsafe`
      update refunds set reconciling_since = service_clock() - make_interval(days => ${days})
      where id = ${refund.id}`);
  const sweep = () =>
    world.client.workflow.execute(SWEEP_WORKFLOW, {
      taskQueue: taskQueue('billing', 'production'),
      workflowId: `sweep-${randomUUID()}`,
    });
  fault(refund, 'refund', '500', 1_000);
  fault(refund, 'lookupRefund', '500', 1_000);
  const handle = await start(refund);
  await eventually(async () => {
    expect(await currentDetails(handle)).toContain('run the update **resolve**');
  });
  const reminded = () => alertsOf({ ...refund, id: `${refund.id}-reconciliation` });
  await waits(6);
  await sweep();
  expect(await reminded()).toEqual([]);
  const alert = { code: 'reconciliation_required', reference: refund.id };
  for (const [days, times] of [
    [8, 1],
    [13, 1],
    [15, 2],
  ] as const) {
    await waits(days);
    await sweep();
    expect(await reminded()).toEqual(Array(times).fill(alert));
  }
  world.faults.clear();
  await handle.signal(wakeSignal);
  await handle.result();
  await sweep();
  expect(await reminded()).toHaveLength(2);
});

test('a refund is settled by the operator’s decision while the rail does not answer, with an audit row', async () => {
  const paymentId = await paid();
  const refund = await reserve(paymentId, 100);
  fault(refund, 'refund', '500', 1_000);
  fault(refund, 'lookupRefund', '500', 1_000);
  const handle = await start(refund);
  await eventually(async () => {
    expect(await currentDetails(handle)).toContain('run the update **resolve**');
  });
  const args: [ResolveCommand] = [
    { outcome: 'failed', operator: 'ada', reason: 'never arrived', evidence: 'dashboard' },
  ];
  expect(await handle.executeUpdate(resolveRefundUpdate, { args })).toEqual({ status: 'failed' });
  world.faults.clear();
  expect(await states(paymentId)).toMatchObject({ payment: 'succeeded', reserved: 0 });
  const audited = await world.pool.any(sql.unsafe`
    select action, actor from audit_log where subject_id = ${refund.id}`);
  expect(audited).toEqual([{ action: 'refund.resolve', actor: 'temporal-ui:ada' }]);
  await keepHistory(handle, 'refund-resolved');
});

test('a refund’s resolution is refused without an outcome, operator, reason or evidence', async () => {
  const refund = await reserve(await paid(), 100);
  silentOnceSent.add(refund.id);
  const handle = await start(refund);
  // The rail adds the faults when it is called: cleared before that, they would stay for the rest of the test.
  await eventually(async () => {
    expect(await currentDetails(handle)).toContain('run the update **resolve**');
  });
  const resolution = { outcome: 'failed', operator: 'ada', reason: 'seen', evidence: 'dashboard' };
  for (const lacking of [{ outcome: 'paid' }, { operator: '' }, { reason: undefined }, { evidence: ' ' }]) {
    const sent = handle.executeUpdate(resolveRefundUpdate.name, { args: [{ ...resolution, ...lacking }] });
    await expect(sent).rejects.toMatchObject({ cause: { type: 'InvalidRequest' } });
  }
  world.faults.clear();
  await handle.signal(wakeSignal);
  expect(await handle.result()).toEqual({ status: 'succeeded' });
});

test('a refund is settled by a stored request, whose text is kept in the audit row and not in Temporal', async () => {
  const refund = await reserve(await paid(), 100);
  fault(refund, 'refund', '500', 1_000);
  fault(refund, 'lookupRefund', '500', 1_000);
  const handle = await start(refund);
  await eventually(async () => {
    expect(await currentDetails(handle)).toContain('run the update **resolve**');
  });
  // A call that may still be running cannot be settled.
  await world.pool.query(sql.unsafe`
    update refunds set call_deadline = service_clock() - interval '1 second' where id = ${refund.id}`);
  const words = { operator: 'canary-operator', reason: 'canary-reason', evidence: 'canary-evidence' };
  const requestId = await insertResolveRequest(world.pool, refund.id, { ...words, outcome: 'failed' });
  await handle.signal(resolveRequestedSignal, { requestId });
  expect(await handle.result()).toEqual({ status: 'failed' });
  world.faults.clear();
  const asking = sql.unsafe`
    select from rail_webhooks where reference = ${refund.id} and applied_at is null`;
  expect(await world.pool.exists(asking)).toBe(true);
  await world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });
  expect(await world.pool.exists(asking)).toBe(false);
  expect(await readResolveAnswer(world.pool, requestId)).toBe('done: failed');
  const audited = await world.pool.oneFirst(sql.type(z.object({ after: z.unknown() }))`
    select after from audit_log where subject_id = ${refund.id} and actor = 'canary-operator'`);
  expect(audited).toMatchObject({ reason: 'canary-reason', evidence: 'canary-evidence' });
  expect(await payloadsOf(handle)).not.toContain('canary-');
  await keepHistory(handle, 'refund-resolved-by-stored-request');
});

test('a refund recorded as failed but successful at the rail alerts after a look-up, not on the webhook alone', async () => {
  const [back, refused] = [await reserve(await paid(), 100), await reserve(await paid(), 100)];
  await (await start(back)).result();
  await world.pool.query(
    sql.unsafe`update refunds set status = 'failed', call_deadline = service_clock()
    where id in (${back.id}, ${refused.id})`,
  );
  for (const { id } of [back, refused]) {
    await world.pool.query(sql.unsafe`
      insert into rail_webhooks (rail_account_id, rail_event_id, reference, hint)
      values (${world.shop.railAccountId}, ${randomUUID()}, ${id}, 'refunded')`);
  }
  await world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });
  const carriedOut = ({ id }: Refund) => alertsOf({ ...back, id: `${id}-carried-out` });
  expect(await carriedOut(back)).toEqual([{ code: 'refund_carried_out', reference: back.id }]);
  expect(await carriedOut(refused)).toEqual([]);
  const unheard = await world.pool.exists(sql.unsafe`
    select from rail_webhooks where applied_at is null and reference in (${back.id}, ${refused.id})`);
  expect(unheard).toBe(false);
});

test('a refund recorded as failed stays in doubt until the rail answers; a webhook during a look-up causes another look-up', async () => {
  const refund = await reserve(await paid(), 100);
  await (await start(refund)).result();
  await world.pool.query(sql.unsafe`
    update refunds set status = 'failed', call_deadline = service_clock() where id = ${refund.id}`);
  const hear = () =>
    world.pool.query(sql.unsafe`
      insert into rail_webhooks (rail_account_id, rail_event_id, reference, hint)
      values (${world.shop.railAccountId}, ${randomUUID()}, ${refund.id}, 'refunded')`);
  const unheard = () =>
    world.pool.oneFirst(sql.type(z.object({ count: z.number() }))`
      select count(*) from rail_webhooks where applied_at is null and reference = ${refund.id}`);
  const sweep = () =>
    world.client.workflow.execute(SWEEP_WORKFLOW, {
      taskQueue: taskQueue('billing', 'production'),
      workflowId: `sweep-${randomUUID()}`,
    });
  const carriedOut = () => alertsOf({ ...refund, id: `${refund.id}-carried-out` });

  await hear();
  const [doubted] = await refundsContradictedByWebhooks(world.pool, 2);
  if (doubted?.id !== refund.id) throw new Error('the refund is not in doubt');
  await hear();
  await applyRefundLookup(world.pool, doubted, 'notCarriedOut');
  expect(await unheard()).toBe(1);

  fault(refund, 'lookupRefund', '500', 1_000);
  await sweep();
  expect([await unheard(), await carriedOut()]).toEqual([1, []]);
  world.faults.clear();
  await sweep();
  expect([await unheard(), await carriedOut()]).toEqual([
    0,
    [{ code: 'refund_carried_out', reference: refund.id }],
  ]);
});

test('a refund that an operator settled as failed alerts if the rail had already sent a webhook', async () => {
  const refund = await reserve(await paid(), 100);
  silentOnceSent.add(refund.id);
  const handle = await start(refund);
  await eventually(async () => {
    expect(await currentDetails(handle)).toContain('run the update **resolve**');
  });
  await world.pool.query(sql.unsafe`
    insert into rail_webhooks (rail_account_id, rail_event_id, reference, hint)
    values (${world.shop.railAccountId}, ${randomUUID()}, ${refund.id}, 'refunded')`);
  await world.pool.query(sql.unsafe`
    update refunds set call_deadline = service_clock() - interval '1 second' where id = ${refund.id}`);
  const args: [ResolveCommand] = [
    { outcome: 'failed', operator: 'ada', reason: 'never arrived', evidence: 'dashboard' },
  ];
  expect(await handle.executeUpdate(resolveRefundUpdate, { args })).toEqual({ status: 'failed' });
  world.faults.clear();
  // A chore of the sweep has two seconds, which may be too short under load; the next sweep continues.
  await eventually(async () => {
    await world.client.workflow.execute(SWEEP_WORKFLOW, {
      taskQueue: taskQueue('billing', 'production'),
      workflowId: `sweep-${randomUUID()}`,
    });
    expect(await alertsOf({ ...refund, id: `${refund.id}-carried-out` })).toEqual([
      { code: 'refund_carried_out', reference: refund.id },
    ]);
  }, 60_000);
});

describe('a refund that was settled as failed although the rail made it', () => {
  /**
   * A refund that was settled as failed although the rail made it, and that a look-up then found with the same or
   * another amount.
   */
  async function carriedOut(found: 'carriedOut' | 'otherAmount' = 'carriedOut', amount = 500) {
    const paymentId = await paid();
    const refund = await reserve(paymentId, amount);
    const scope = { merchantId: world.shop.merchantId, environment: 'sandbox' as const };
    await world.pool.query(sql.unsafe`
      update refunds set status = 'failed', workflow_started_at = service_clock() where id = ${refund.id}`);
    await world.pool.query(sql.unsafe`update payments set refunded_amount = 0 where id = ${paymentId}`);
    const { railAccountId } = world.shop;
    const doubted = { ...scope, id: refund.id, status: 'failed' as const, railAccountId, railEventIds: [] };
    const [outcome, code] = found === 'carriedOut' ? ['succeeded', null] : ['unknown', 'other_amount'];
    await world.pool.query(sql.unsafe`
      insert into rail_answers (rail_account_id, rail, environment, reference, operation, outcome, code, took_ms, is_attempt)
      values (${railAccountId}, 'sandbox', 'sandbox', ${refund.id}, 'lookupRefund', ${outcome ?? ''}, ${code ?? null}, 1, false)`);
    await applyRefundLookup(world.pool, doubted, found);
    return { paymentId, refund };
  }
  const words = { operator: 'ada', reason: 'made after all', evidence: 'its dashboard' } as const;
  const settle = ({ id }: Refund) => settleCarriedOut(world.pool, id, { ...words, outcome: 'succeeded' });
  const listed = async ({ id }: Refund) =>
    (await listIncidents(world.pool, { limit: 1_000 }))
      .filter((each) => each.id === id)
      .map(({ kind }) => kind);

  test('is recorded as succeeded by an operator, once, with its event and credit note', async () => {
    const { paymentId, refund } = await carriedOut();
    expect(await listed(refund)).toEqual(['refund_carried_out']);
    const answers = await Promise.all([settle(refund), settle(refund)]);
    expect(answers.toSorted()).toEqual(['not_carried_out', 'settled']);
    expect(await findRefund(world.pool, world.shop, refund.id)).toMatchObject({ status: 'succeeded' });
    const partly = 'partially_refunded';
    expect(await states(paymentId)).toEqual({ payment: partly, order: partly, reserved: 500 });
    expect((await eventsOf(refund)).map(({ type }) => type)).toEqual(['refund.created']);
    const credited = sql.type(z.object({ amount: z.number() }))`
      select amount from credit_notes where refund_id = ${refund.id}`;
    expect(await world.pool.anyFirst(credited)).toEqual([500]);
    expect(await listed(refund)).toEqual([]);
  });

  test('stays listed if its payment has been refunded again, the rail refunded another amount, or its answer has been pruned', async () => {
    const { paymentId, refund } = await carriedOut();
    await reserve(paymentId, 1_500);
    expect(await settle(refund)).toBe('no_room');
    expect((await states(paymentId)).reserved).toBe(1_500);
    const { refund: other } = await carriedOut('otherAmount');
    expect(await settle(other)).toBe('not_carried_out');
    const { refund: old } = await carriedOut();
    await world.pool.query(sql.unsafe`delete from rail_answers where reference = ${old.id}`);
    expect(await settle(old)).toBe('not_carried_out');
    for (const each of [refund, other, old]) {
      expect(await findRefund(world.pool, world.shop, each.id)).toMatchObject({ status: 'failed' });
      expect(await listed(each)).toEqual(['refund_carried_out']);
    }
  });
});

test('a refund that the rail reverses alerts after a look-up, not on the webhook alone', async () => {
  const [reversed, fine] = [await reserve(await paid(), 100), await reserve(await paid(), 100)];
  for (const refund of [reversed, fine]) {
    await (await start(refund)).result();
    await world.pool.query(sql.unsafe`
      insert into rail_webhooks (rail_account_id, rail_event_id, reference, hint, received_at)
      values (${world.shop.railAccountId}, ${randomUUID()}, ${refund.id}, 'refund_failed',
        service_clock() - interval '1 hour')`);
    expect((await takeUnknownWebhooks(world.pool)).map(({ reference }) => reference)).not.toContain(
      refund.id,
    );
  }
  sentBack.add(reversed.id);
  await world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });
  expect(await alertsOf({ ...reversed, id: `${reversed.id}-reversed` })).toEqual([
    { code: 'refund_reversed_by_rail', reference: reversed.id },
  ]);
  expect(await alertsOf({ ...fine, id: `${fine.id}-reversed` })).toEqual([]);
  const unheard = await world.pool.exists(sql.unsafe`
    select from rail_webhooks where applied_at is null and reference in (${reversed.id}, ${fine.id})`);
  expect(unheard).toBe(false);
});
