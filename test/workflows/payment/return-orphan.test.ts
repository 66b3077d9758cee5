/** The return of an orphaned charge: sent once, awaited, and sent again after it failed. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { carryOut } from '../../../api/operations/carry-out.ts';
import { subjectById } from '../../../api/operations/command-handlers.ts';
import { sql } from '../../../db/core/pool.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { fenceIfRestored } from '../../../db/restore/fence.ts';
import type { RailOutcome, RefundOutcome } from '../../../rail/outcomes.ts';
import type { Rail } from '../../../rail/rail.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { SWEEP_WORKFLOW } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertDispute } from '../../support/db/disputes.ts';
import { liftFence } from '../../support/db/lift-fence.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const railReference = 're_1';
let world: SessionWorld;
/** The rail's returns, by payment; the last one is the latest. */
const returns = new Map<string, { readonly amountCents: number; outcome: RefundOutcome }[]>();
/** Refunds made by a person in the rail's dashboard. */
let byHand = { refundedCents: 0, pendingCents: 0 };
/** The rail's answer to a return. */
let accepts: RefundOutcome = { kind: 'pending', railReference };
/** The rail's stored answers to cancels by key. */
const cancelled = new Map<string, RailOutcome>();
/** The rail's stored answer to returns. */
let repeated: RefundOutcome | undefined;
let duringLookup: () => Promise<unknown> = async () => {};
/** The payment whose refunded total the rail does not report. */
let silentAbout: string | undefined;
/** The idempotency keys of the returns sent. */
const sent: string[] = [];
/** The rail's answers to look-ups of the return. */
const told: string[] = [];

const returnsOf = (paymentId: string) => returns.get(paymentId) ?? [];
function centsAtRail(paymentId: string, kind: RefundOutcome['kind']): number {
  const ours = returnsOf(paymentId).filter(({ outcome }) => outcome.kind === kind);
  return ours.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
function becomes(paymentId: string, outcome: RefundOutcome): void {
  const latest = returnsOf(paymentId).at(-1);
  if (!latest) throw new Error(`no return of ${paymentId}`);
  latest.outcome = outcome;
}

beforeAll(async () => {
  world = await createSessionWorld({
    wrapRail: (rail): Rail => ({
      ...rail,
      cancel: async (request) => cancelled.get(request.idempotencyKey) ?? rail.cancel(request),
      lookupRefund: async ({ paymentReference }) => {
        const found = returnsOf(paymentReference).at(-1)?.outcome ?? { kind: 'notFound' };
        told.push(found.kind);
        await duringLookup();
        return found;
      },
      refundedTotal: async ({ reference, signal }) => {
        if (reference === silentAbout) await once(signal, 'abort');
        return {
          kind: 'total',
          refundedCents: byHand.refundedCents + centsAtRail(reference, 'succeeded'),
          pendingCents: byHand.pendingCents + centsAtRail(reference, 'pending'),
        };
      },
      refund: async ({ idempotencyKey, paymentReference, amountCents }) => {
        sent.push(idempotencyKey);
        if (repeated) return repeated;
        returns.set(paymentReference, [...returnsOf(paymentReference), { amountCents, outcome: accepts }]);
        return accepts;
      },
    }),
  });
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(() => {
  byHand = { refundedCents: 0, pendingCents: 0 };
  accepts = { kind: 'pending', railReference };
  repeated = undefined;
  silentAbout = undefined;
});

async function hear(reference: string, hint: string): Promise<void> {
  const { railAccountId } = world.shop;
  await storeRailWebhook(world.pool, { railAccountId, railEventId: randomUUID(), reference, hint });
  await world.pool.query(
    sql.unsafe`update rail_webhooks set received_at = service_clock() - interval '6 seconds' where reference = ${reference}`,
  );
}
const sweep = () =>
  world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });
const untilReturned = (paymentId: string, returned: boolean) =>
  eventually(async () => {
    const now = await world.pool.oneFirst(sql.type(z.object({ returned: z.boolean() }))`
      select returned_at is not null as returned from orphaned_charges where payment_id = ${paymentId}`);
    expect(now).toBe(returned);
  });

async function eventsAbout(reference: string): Promise<readonly string[]> {
  const alerts = await world.pool.anyFirst(sql.type(z.object({ code: z.string() }))`
    select code from operator_alerts where reference = ${reference}`);
  return alerts;
}

/**
 * An ended attempt that the rail reports as charged.
 * @returns its payment
 */
async function orphan(): Promise<string> {
  const id = await world.session();
  await world.pay(id, '4242424242424242');
  await world.until(id, 'succeeded');
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  await world.pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${paymentId}`);
  await hear(paymentId, 'approved');
  return paymentId;
}

/** Replaces the run, because a new run looks up immediately. */
async function inItsNextRun(paymentId: string): Promise<void> {
  await world.client.workflow.getHandle(`${paymentId}-reconcile`).terminate();
  await sweep();
}

test('the workflow waits while the rail processes the return of an orphaned charge, and sends a failed return again', async () => {
  const paymentId = await orphan();
  await sweep();
  await eventually(() => expect(sent).toEqual([`${paymentId}:return`]));
  await untilReturned(paymentId, false);
  await inItsNextRun(paymentId);
  await eventually(() => expect(told).toContain('pending'));
  await untilReturned(paymentId, false);
  becomes(paymentId, { kind: 'succeeded', railReference });
  await inItsNextRun(paymentId);
  await untilReturned(paymentId, true);
  expect(sent).toHaveLength(1);
  // The sweep may have judged the return itself, without starting another run.
  const statusOfRun = async () =>
    (await world.client.workflow.getHandle(`${paymentId}-reconcile`).describe()).status.name;
  await eventually(async () => expect(await statusOfRun()).not.toBe('RUNNING'));

  await hear(`${paymentId}-return`, 'refund_failed');
  await sweep();
  expect(sent).toHaveLength(1);
  await untilReturned(paymentId, true);

  becomes(paymentId, { kind: 'failed', code: 'refund_declined', railReference });
  await hear(`${paymentId}-return`, 'refund_failed');
  await sweep();
  await eventually(() =>
    expect(sent).toEqual([`${paymentId}:return`, `${paymentId}:return:${railReference}`]),
  );
  await untilReturned(paymentId, false);
  const alerts = await world.pool.anyFirst(sql.type(z.object({ body: z.string() }))`
    select body from events where aggregate_id = ${`${paymentId}-return-failed`}`);
  expect(alerts.map((body) => JSON.parse(body).alert)).toEqual([
    { code: 'orphaned_charge', reference: paymentId },
  ]);
  becomes(paymentId, { kind: 'succeeded', railReference });
  await untilReturned(paymentId, true);

  const run = () => world.client.workflow.getHandle(`${paymentId}-reconcile`).describe();
  await eventually(async () => expect((await run()).status.name).toBe('COMPLETED'));
  const { runId } = await run();
  await hear(`${paymentId}-return`, 'refunded');
  await sweep();
  expect((await run()).runId).toBe(runId);
  const unheard = await world.pool.exists(sql.unsafe`select from rail_webhooks where applied_at is null`);
  expect(unheard).toBe(false);
  await untilReturned(paymentId, true);
});

test('an operator who asks about an orphaned charge learns whether it has been returned to the buyer', async () => {
  const paymentId = await orphan();
  await sweep();
  await eventually(() => expect(sent).toContain(`${paymentId}:return`));
  const ask = async () => {
    const subject = await subjectById(world.pool, paymentId, null);
    if (!subject) throw new Error(`no subject ${paymentId}`);
    const deps = { ...world.deps, secondPersonAbove: null, timeoutMs: 3_000 };
    return (await carryOut(deps, subject, { command: 'ask' }, { actor: 'person:ada' })).message;
  };
  expect(await ask()).toMatch(/ It has not been returned to the buyer: a return was attempted, \w+: pending/);
  becomes(paymentId, { kind: 'succeeded', railReference });
  expect(await ask()).toMatch(/ The charge was returned to the buyer \(refund\)\.$/);
});

test.each([
  ['lost', 'returned by the dispute', 'dispute'],
  ['won', 'refunded', 'refund'],
] as const)(
  'a disputed orphaned charge is not refunded before the bank decides; if the dispute is %s, it is %s',
  async (end, _what, by) => {
    accepts = { kind: 'succeeded', railReference };
    const paymentId = await orphan();
    const railDisputeId = `dp_${paymentId}`;
    await insertDispute(world.pool, world.shop, paymentId, { status: 'open', railDisputeId });
    await sweep();
    const judge = world.client.workflow.getHandle(`${paymentId}-reconcile`);
    await eventually(async () => expect(await eventsAbout(paymentId)).toContain('orphaned_charge'));
    await pause(1_000);
    const sentFor = () => sent.filter((one) => one.startsWith(paymentId));
    expect(sentFor()).toEqual([]);
    await untilReturned(paymentId, false);
    await insertDispute(world.pool, world.shop, paymentId, { status: end, railDisputeId });
    expect(await judge.result()).toBe('returned');
    expect(sentFor()).toEqual(end === 'won' ? [`${paymentId}:return`] : []);
    const returnedBy = sql.type(z.object({ by: z.string() }))`
    select returned_by as by from orphaned_charges where payment_id = ${paymentId}`;
    expect(await world.pool.oneFirst(returnedBy)).toBe(by);
  },
  60_000,
);

test('only the undisputed part of an orphaned charge is returned', async () => {
  accepts = { kind: 'succeeded', railReference };
  const paymentId = await orphan();
  await insertDispute(world.pool, world.shop, paymentId, { status: 'lost', amount: 500 });
  await sweep();
  await untilReturned(paymentId, true);
  expect(sent.filter((one) => one.startsWith(paymentId))).toEqual([`${paymentId}:return:rest-1400`]);
  expect(centsAtRail(paymentId, 'succeeded')).toBe(1_400);
});

test('an orphaned charge returned by a lost dispute is listed again when the bank reverses its decision', async () => {
  accepts = { kind: 'succeeded', railReference };
  const paymentId = await orphan();
  const railDisputeId = `dp_${paymentId}`;
  await insertDispute(world.pool, world.shop, paymentId, { status: 'lost', railDisputeId });
  await sweep();
  await untilReturned(paymentId, true);
  await insertDispute(world.pool, world.shop, paymentId, { status: 'won', railDisputeId });
  await untilReturned(paymentId, false);
  await sweep();
  await untilReturned(paymentId, true);
  expect(sent.filter((one) => one.startsWith(paymentId))).toEqual([`${paymentId}:return`]);
});

test('when a bank reverses a lost dispute, the disputed part of the orphaned charge is refunded', async () => {
  accepts = { kind: 'succeeded', railReference };
  const paymentId = await orphan();
  const part = { amount: 500, railDisputeId: `dp_${paymentId}` };
  await insertDispute(world.pool, world.shop, paymentId, { ...part, status: 'lost' });
  await sweep();
  await untilReturned(paymentId, true);
  expect(centsAtRail(paymentId, 'succeeded')).toBe(1_400);
  await insertDispute(world.pool, world.shop, paymentId, { ...part, status: 'won' });
  await sweep();
  await eventually(() => expect(centsAtRail(paymentId, 'succeeded')).toBe(1_900));
  await untilReturned(paymentId, true);
});

test('a return that the rail does not answer does not prevent other returns from starting', async () => {
  const [doubted, waiting] = [await orphan(), await orphan()];
  await world.pool.query(sql.unsafe`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency, returned_at, returned_by)
    select id, merchant_id, environment, amount, currency, case when id = ${doubted} then service_clock() end,
      case when id = ${doubted} then 'refund' end
    from payments where id in (${doubted}, ${waiting})`);
  await world.pool.query(sql.unsafe`update rail_webhooks set applied_at = service_clock()`);
  await hear(`${doubted}-return`, 'refund_failed');
  silentAbout = doubted;
  accepts = { kind: 'succeeded', railReference };
  await sweep();
  await untilReturned(waiting, true);
  await world.pool.query(sql.unsafe`update rail_webhooks set applied_at = service_clock()`);
});

test('a return that the rail accepted and then shows as failed is sent again under a new key', async () => {
  const paymentId = await orphan();
  const failed = { kind: 'failed', code: 'refund_declined', railReference } as const;
  returns.set(paymentId, [{ amountCents: 1_900, outcome: failed }]);
  repeated = { kind: 'succeeded', railReference };
  await sweep();
  // The look-up still shows only the first return, so the second one’s answer is not trusted, and it is repeated under
  // its own key.
  const second = `${paymentId}:return:${railReference}`;
  await eventually(() => expect(sent.filter((one) => one.startsWith(paymentId))).toEqual([second, second]));
  await untilReturned(paymentId, false);
  becomes(paymentId, { ...failed, railReference: 're_2' });
  await inItsNextRun(paymentId);
  await eventually(() => expect(sent.at(-1)).toBe(`${paymentId}:return:re_2`));
  becomes(paymentId, { kind: 'succeeded', railReference: 're_3' });
  await inItsNextRun(paymentId);
  await untilReturned(paymentId, true);
});

test('a return that the rail rejects immediately is sent again under a new key', async () => {
  accepts = { kind: 'succeeded', railReference };
  repeated = { kind: 'failed', code: 'refund_declined' };
  const paymentId = await orphan();
  const keys = () => sent.filter((one) => one.startsWith(paymentId));
  await sweep();
  await eventually(() => expect(keys()).toHaveLength(1));
  repeated = undefined;
  await untilReturned(paymentId, true);
  expect(keys()).toEqual([`${paymentId}:return`, `${paymentId}:return:refused-1`]);
});

test('a return stays open while a part of it can still fail, and a failed part is sent again', async () => {
  byHand = { refundedCents: 0, pendingCents: 1_000 };
  accepts = { kind: 'succeeded', railReference };
  const paymentId = await orphan();
  const keys = () => sent.filter((one) => one.startsWith(paymentId));
  const rest = `${paymentId}:return:rest-900`;
  await sweep();
  await eventually(() => expect(keys()).toEqual([rest]));
  told.length = 0;
  await inItsNextRun(paymentId);
  await eventually(() => expect(told).toContain('succeeded'));
  await untilReturned(paymentId, false);
  byHand = { refundedCents: 0, pendingCents: 0 };
  await inItsNextRun(paymentId);
  await untilReturned(paymentId, true);
  expect(keys()).toEqual([rest, `${paymentId}:return:rest-1000:after-900`]);
  expect(centsAtRail(paymentId, 'succeeded')).toBe(1_900);
});

test.each([
  ['the payment', '', 'approved'],
  ['its return', '-return', 'refunded'],
])(
  'a webhook about %s signals the workflow, which asks the rail immediately',
  async (_what, suffix, hint) => {
    told.length = 0;
    const paymentId = await orphan();
    await sweep();
    const judge = world.client.workflow.getHandle(`${paymentId}-reconcile`);
    // The third look-up would come after 30 s.
    await eventually(() => expect(told).toHaveLength(2));
    becomes(paymentId, { kind: 'succeeded', railReference });
    await hear(`${paymentId}${suffix}`, hint);
    const heardAt = performance.now();
    await sweep();
    await untilReturned(paymentId, true);
    expect(performance.now() - heardAt).toBeLessThan(25_000);
    expect(await judge.result()).toBe('returned');
    if (suffix) await keepHistory(judge, 'reconcile-woken-by-webhook');
  },
  60_000,
);

test('a return is not sent once the database is fenced, even if it began before', async () => {
  const paymentId = await orphan();
  let epoch: number | null = null;
  duringLookup = async () => {
    epoch ??= await fenceIfRestored(world.pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
  };
  await sweep();
  await eventually(() => expect(epoch).not.toBeNull());
  await pause(1_000);
  const sentFor = () => sent.filter((one) => one.startsWith(paymentId));
  expect(sentFor()).toEqual([]);
  duringLookup = async () => {};
  await liftFence(world.pool, epoch ?? 0);
  await eventually(() => expect(sentFor()).toEqual([`${paymentId}:return`]));
});

test.each([
  ['begun before the fence and retried after it', true],
  ['with look-ups that outlast the restore', false],
])(
  'the return of a charge that a restore has adopted as paid is not sent (%s)',
  async (_when, isFencedMeanwhile) => {
    const paymentId = await orphan();
    const adoptAsPaid = async () => {
      await world.pool.query(sql.unsafe`delete from orphaned_charges where payment_id = ${paymentId}`);
      await world.pool.query(sql.unsafe`update payments set status = 'succeeded' where id = ${paymentId}`);
    };
    let epoch: number | null = null;
    duringLookup = async () => {
      if (isFencedMeanwhile)
        epoch ??= await fenceIfRestored(world.pool, {
          sweepNumber: null,
          announced: { actor: 'operator:ada' },
        });
      else await adoptAsPaid();
    };
    await sweep();
    if (isFencedMeanwhile) {
      await eventually(() => expect(epoch).not.toBeNull());
      await adoptAsPaid();
      await liftFence(world.pool, epoch ?? 0);
    }
    expect(await world.client.workflow.getHandle(`${paymentId}-reconcile`).result()).toBe('agrees');
    expect(sent.filter((one) => one.startsWith(paymentId))).toEqual([]);
    duringLookup = async () => {};
  },
  60_000,
);

test('a charge that went through despite its cancel is refunded: the rail repeats the first answer under the same key', async () => {
  accepts = { kind: 'succeeded', railReference };
  const paymentId = await orphan();
  cancelled.set(`${paymentId}:return-cancel`, { kind: 'cancelled', railReference });
  await sweep();
  await untilReturned(paymentId, true);
  // Returns of earlier tests may be tried again at any time.
  const ofThis = () => sent.filter((one) => one.startsWith(paymentId));
  const before = ofThis().length;
  await hear(paymentId, 'approved');
  await sweep();
  await eventually(() => expect(ofThis().slice(before)).toEqual([`${paymentId}:return`]));
  await untilReturned(paymentId, true);
  const by = sql.type(z.object({ by: z.string() }))`
    select returned_by as by from orphaned_charges where payment_id = ${paymentId}`;
  expect(await world.pool.oneFirst(by)).toBe('refund');
});
