/**
 * A rail whose look-ups lag behind its calls, after an operator has settled an attempt that it did not find yet (rule
 * 4).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import type { ResolveCommand } from '../../../domain/core/resolution.ts';
import type { Rail } from '../../../rail/rail.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import {
  REFUND_WORKFLOW,
  refundStart,
  resolveRefundUpdate,
} from '../../../workflows/refund/refund-messages.ts';
import { resolveUpdate } from '../../../workflows/session/session-messages.ts';
import { SWEEP_WORKFLOW } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const LAG_SECONDS = 120;
const args: [ResolveCommand] = [
  { outcome: 'failed', operator: 'ada', reason: 'not found at the rail', evidence: 'its dashboard' },
];

let world: SessionWorld;
/** The rail's look-ups do not show its latest calls yet. */
let lags = false;
let asked = 0;

const unlessLagging = async <Outcome>(ask: () => Promise<Outcome>) => {
  asked += 1;
  return lags ? ({ kind: 'notFound' } as const) : ask();
};

beforeAll(async () => {
  world = await createSessionWorld({
    railCallTimeoutSeconds: 3,
    wrapRail: (rail): Rail => ({
      ...rail,
      trust: { ...rail.trust, cancelHolds: false, lookupLagMs: 1_000 * LAG_SECONDS },
      lookup: (request) => unlessLagging(() => rail.lookup(request)),
      cancel: async (request) => (lags ? { kind: 'notFound' } : rail.cancel(request)),
      lookupRefund: (request) => unlessLagging(() => rail.lookupRefund(request)),
    }),
  });
  await world.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}'
    where id = ${world.shop.railAccountId}`);
  await world.startWorker();
});
afterAll(() => world?.close());
beforeEach(() => {
  lags = false;
  asked = 0;
});

const handle = (id: string) => world.client.workflow.getHandle(id);
const sweep = () =>
  world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });
const isAsked = (reference: string) =>
  world.pool.exists(
    sql.unsafe`select from rail_webhooks where reference = ${reference} and applied_at is null`,
  );

async function chargeSettledAsFailed() {
  lags = true;
  world.faults.add({ operation: 'authorize', mode: 'drop-after', count: 1, delayMs: 0 });
  const id = await world.session();
  await world.pay(id, '4242424242424242');
  await world.until(id, 'reconciliation_required');
  const before = asked;
  await handle(id).executeUpdate(resolveUpdate, { args });
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  const judge = handle(`${paymentId}-reconcile`);
  // The operator's request asks the rail once, then the reconciliation asks it.
  await eventually(() => expect(asked).toBeGreaterThan(before + 1));
  return { paymentId, judge };
}

test('a charge that the rail shows only after its lag is returned', async () => {
  const { paymentId, judge } = await chargeSettledAsFailed();
  expect(await isAsked(paymentId)).toBe(true);
  lags = false;
  expect(await judge.result()).toBe('returned');
});

test('a charge that the rail still does not show after its lag counts as never made', async () => {
  const { paymentId, judge } = await chargeSettledAsFailed();
  await world.pool.query(sql.unsafe`
    update payments set call_deadline = service_clock() - ${LAG_SECONDS} * interval '1 second' where id = ${paymentId}`);
  expect(await judge.result()).toBe('agrees');
  expect(await isAsked(paymentId)).toBe(false);
});

test('a refund that the rail shows only after its lag is reported', async () => {
  const session = await world.session();
  await world.pay(session, '4242424242424242');
  await world.until(session, 'succeeded');
  const refund = await createRefund(world.pool, {
    scope: world.shop,
    operationId: randomUUID(),
    of: { paymentId: (await world.payments(session))[0]?.id ?? '' },
    amount: 900,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
  if (typeof refund === 'string') throw new Error(refund);
  lags = true;
  const { id, amount, currency } = refund;
  world.faults.add({ operation: 'refund', mode: 'drop-after', count: 1, delayMs: 0 });
  const started = await world.client.workflow.start(
    REFUND_WORKFLOW,
    refundStart({ ...world.shop, id, amount, currency }, world.timings),
  );
  await eventually(async () => {
    expect(await currentDetails(started)).toContain('run the update **resolve**');
  });
  await world.pool.query(sql.unsafe`
    update refunds set call_deadline = service_clock() - interval '1 second' where id = ${id}`);
  expect(await started.executeUpdate(resolveRefundUpdate, { args })).toEqual({ status: 'failed' });
  await sweep();
  expect(await isAsked(id)).toBe(true);
  lags = false;
  await eventually(async () => {
    await sweep();
    expect(await isAsked(id)).toBe(false);
  }, 30_000);
  const alerts = await world.pool.anyFirst(sql.type(z.object({ code: z.string() }))`
    select body::jsonb #>> '{alert,code}' as code from events where aggregate_id = ${`${id}-carried-out`}`);
  expect(alerts).toEqual(['refund_carried_out']);
});
