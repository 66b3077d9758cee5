/**
 * A process that is paused between the mark and the send finds that its deadline has passed, and sends nothing
 * (rule 36).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { REFUND_WORKFLOW, refundStart } from '../../../workflows/refund/refund-messages.ts';
import { advanceClockUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { CARDS, subscribe, update, viewOf } from '../../support/world/subscription-world.ts';

/** Enough for the calls that are not paused, on a busy machine. */
const CALL_SECONDS = 3;

let world: SessionWorld;
let pauseAfterMark = false;
let pauseInRail = false;

beforeAll(async () => {
  world = await createSessionWorld({
    railCallTimeoutSeconds: CALL_SECONDS,
    wrapPool: (pool) => ({
      ...pool,
      maybeOne: (async (query: Parameters<Pool['maybeOne']>[0]) => {
        const row = await pool.maybeOne(query);
        if (pauseAfterMark && query.sql.includes('set call_started_at = service_clock(),')) pause();
        return row;
      }) as Pool['maybeOne'],
    }),
    wrapRail: (rail) => ({
      ...rail,
      authorize: (request) => afterPause(() => rail.authorize(request)),
      chargeStored: (request) => afterPause(() => rail.chargeStored(request)),
      refund: (request) => afterPause(() => rail.refund(request)),
    }),
  });
  await world.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}'
    where id = ${world.shop.railAccountId}`);
  await world.startWorker();
});
afterAll(() => world?.close());
beforeEach(() => {
  pauseAfterMark = false;
  pauseInRail = false;
});

/** Like SIGSTOP: nothing runs, not even timers. Happens only once, so that look-ups are answered. */
function pause(): void {
  pauseAfterMark = false;
  pauseInRail = false;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CALL_SECONDS * 1_000 + 500);
}

function afterPause<Outcome>(send: () => Promise<Outcome>): Promise<Outcome> {
  if (pauseInRail) pause();
  return send();
}

const pauses = [
  ['after its mark', () => (pauseAfterMark = true)],
  ['before the adapter sends', () => (pauseInRail = true)],
] as const;

const sent = async (operation: string, reference: string) =>
  (await world.railRequests()).filter((each) => each.operation === operation && each.reference === reference);

test.each(pauses)('an attempt that is paused %s is not sent', async (_when, pauseThere) => {
  const id = await world.session();
  pauseThere();
  await world.pay(id, CARDS.approved);
  await world.until(id, 'created');
  const [payment] = await world.payments(id);
  expect(payment?.status).toBe('cancelled');
  expect(await sent('authorize', payment?.id ?? '')).toEqual([]);
});

test.each(pauses)('a renewal that is paused %s is not sent', async (_when, pauseThere) => {
  const id = await subscribe(world);
  const { currentPeriodEnd } = await viewOf(world, id);
  pauseThere();
  await update(world, id, advanceClockUpdate, { to: currentPeriodEnd ?? '' });
  const reference = await eventually(async () => {
    return world.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      select p.id from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id = ${id} and p.checkout_id is null and p.status = 'cancelled'`);
  });
  expect(await sent('chargeStored', reference)).toEqual([]);
});

test.each(pauses)(
  'a refund that is paused %s is sent once, within its next deadline',
  async (_when, pauseThere) => {
    const session = await world.session();
    await world.pay(session, CARDS.approved);
    await world.until(session, 'succeeded');
    const refund = await createRefund(world.pool, {
      scope: world.shop,
      operationId: session,
      of: { paymentId: (await world.payments(session))[0]?.id ?? '' },
      amount: 100,
      currency: null,
      reason: null,
      railNames: ['sandbox'],
    });
    if (typeof refund === 'string') throw new Error(refund);
    pauseThere();
    const { id, amount, currency } = refund;
    const start = refundStart({ ...world.shop, id, amount, currency }, world.timings);
    const handle = await world.client.workflow.start(REFUND_WORKFLOW, start);
    expect(await handle.result()).toEqual({ status: 'succeeded' });
    const calls = (await world.railRequests()).filter(({ reference }) => reference === id);
    const asked = calls.map(({ operation }) => operation);
    // The paused call ends with a look-up, and the next one begins with another. Under load there may be one
    // more.
    const before = asked.slice(0, asked.indexOf('refund'));
    expect(before.slice(-2)).toEqual(['lookupRefund', 'lookupRefund']);
    expect(await sent('refund', id)).toHaveLength(1);
  },
);
