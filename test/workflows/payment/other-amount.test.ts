/**
 * A lost copy of the database used the same reference for another amount: the charge is not settled, and both amounts
 * are listed.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import type { Rail } from '../../../rail/rail.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { REFUND_WORKFLOW, refundStart } from '../../../workflows/refund/refund-messages.ts';
import { advanceClockUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { SWEEP_WORKFLOW } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { afterFirstPeriod, chargesOf, subscribe } from '../../support/world/subscription-world.ts';

const VISA = '4242424242424242';
const LOST_CENTS = 100;
const APPROVED = { kind: 'approved', railReference: 'ch_lost', method: null, mandate: null } as const;

let world: SessionWorld;
/** The calls that a lost copy made before this one, with its own amount. */
let lost: 'authorize' | 'chargeStored' | 'lookup' | 'refund' | null = null;

beforeAll(async () => {
  const before = <Request extends { readonly idempotencyKey: string }>(request: Request) => ({
    ...request,
    idempotencyKey: `${request.idempotencyKey}:lost`,
    amountCents: LOST_CENTS,
  });
  world = await createSessionWorld({
    wrapRail: (rail): Rail => ({
      ...rail,
      authorize: (request) => rail.authorize(lost === 'authorize' ? before(request) : request),
      chargeStored: (request) => rail.chargeStored(lost === 'chargeStored' ? before(request) : request),
      lookup: async (request) =>
        lost === 'lookup'
          ? { ...APPROVED, moved: { amountCents: LOST_CENTS, currency: 'EUR' } }
          : rail.lookup(request),
      refund: (request) => rail.refund(lost === 'refund' ? before(request) : request),
    }),
  });
  await world.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${world.shop.railAccountId}`);
  await world.startWorker();
});
afterAll(() => world?.close());
beforeEach(() => {
  lost = null;
});

const incidentsAbout = async (id: string) =>
  (await listIncidents(world.pool, { about: [id] })).map(({ kind, reason }) => ({ kind, reason }));
const listedAs = (kind: string, asked: string) => [
  { kind, reason: `the rail reports 1.00 EUR instead of ${asked} EUR` },
];

async function purchase(): Promise<{ readonly id: string; readonly paymentId: string }> {
  const id = await world.session();
  await world.pay(id, VISA);
  const paymentId = (await eventually(() => world.payments(id)))[0]?.id ?? '';
  return { id, paymentId };
}

const sweep = () =>
  world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });

test('a purchase charged with a different amount stays in doubt, with both amounts', async () => {
  lost = 'authorize';
  const { id, paymentId } = await purchase();
  await world.until(id, 'reconciliation_required');
  expect(await world.payments(id)).toMatchObject([{ id: paymentId, status: 'processing' }]);
  expect(await incidentsAbout(paymentId)).toEqual(listedAs('reconciliation_required', '19.00'));
});

test('a renewal charged with a different amount stays in doubt, with both amounts', async () => {
  const id = await subscribe(world);
  const day = await afterFirstPeriod(world, id);
  lost = 'chargeStored';
  await world.client.workflow.getHandle(id).executeUpdate(advanceClockUpdate, { args: [{ to: day(1) }] });
  await eventually(async () => {
    const listed = (await incidentsAbout(id)).filter(({ kind }) => kind === 'reconciliation_required');
    expect(listed).toEqual(listedAs('reconciliation_required', '9.00'));
  }, 30_000);
  expect(await chargesOf(world, id)).toEqual([LOST_CENTS]);
});

test('a renewal charged before its account was disabled stays in doubt instead of ending as not charged', async () => {
  const id = await subscribe(world);
  const day = await afterFirstPeriod(world, id);
  const setStatus = (status: string) =>
    world.pool.query(
      sql.unsafe`update rail_accounts set status = ${status} where id = ${world.shop.railAccountId}`,
    );
  lost = 'lookup';
  await setStatus('disabled');
  await world.client.workflow.getHandle(id).executeUpdate(advanceClockUpdate, { args: [{ to: day(1) }] });
  await eventually(async () => {
    const listed = (await incidentsAbout(id)).filter(({ kind }) => kind === 'reconciliation_required');
    expect(listed).toEqual(listedAs('reconciliation_required', '9.00'));
  }, 30_000).finally(() => setStatus('active'));
});

test('a charge for a different amount after the session’s end is listed, and not returned automatically', async () => {
  lost = 'authorize';
  const { id, paymentId } = await purchase();
  await world.until(id, 'reconciliation_required');
  await world.client.workflow.getHandle(id).terminate();
  await world.pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${paymentId}`);
  const { railAccountId } = world.shop;
  const webhook = { railAccountId, railEventId: randomUUID(), reference: paymentId, hint: 'approved' };
  await storeRailWebhook(world.pool, webhook);
  await world.pool.query(
    sql.unsafe`update rail_webhooks set received_at = service_clock() - interval '6 seconds' where reference = ${paymentId}`,
  );
  await sweep();
  await eventually(async () =>
    expect(await incidentsAbout(paymentId)).toEqual(listedAs('orphaned_charge', '19.00')),
  );
});

test('a refund of a different amount stays in doubt, with both amounts', async () => {
  const { id, paymentId } = await purchase();
  await world.until(id, 'succeeded');
  lost = 'refund';
  const { merchantId, environment } = world.shop;
  const scope = { merchantId, environment };
  const made = await createRefund(world.pool, {
    scope,
    operationId: randomUUID(),
    of: { paymentId },
    amount: 900,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
  if (typeof made === 'string') throw new Error(made);
  await world.client.workflow.start(
    REFUND_WORKFLOW,
    refundStart({ ...world.shop, id: made.id, amount: 900, currency: 'EUR' }, world.timings),
  );
  await eventually(async () =>
    expect(await incidentsAbout(made.id)).toEqual(listedAs('reconciliation_required', '9.00')),
  );
});
