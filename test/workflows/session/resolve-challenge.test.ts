/** An operator reports an attempt as paid while the rail still waits for the buyer to pass its challenge. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import type { Rail } from '../../../rail/rail.ts';
import { railWebhookSignal } from '../../../workflows/core/messages.ts';
import { resolveUpdate } from '../../../workflows/session/session-messages.ts';
import {
  advanceClockUpdate,
  resolveChargeUpdate,
} from '../../../workflows/subscription/subscription-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { railCallsOf } from '../../support/temporal/rail-calls.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  afterFirstPeriod,
  subscribe,
  untilView,
  update,
  viewOf,
} from '../../support/world/subscription-world.ts';

const CHALLENGE = '4000002760003184';
const PAID = {
  outcome: 'succeeded',
  operator: 'on-call',
  reason: 'the rail was away',
  evidence: 'the rail’s dashboard',
} as const;

let world: SessionWorld;
/** The rail's answers about off-session charges; the sandbox rail challenges none. */
let offSession: Awaited<ReturnType<Rail['lookup']>> | null = null;

beforeAll(async () => {
  world = await createSessionWorld({
    // No scheduled look-up ends the challenge before the operator's request within a test.
    timings: { reconcileSeconds: [1, 1], reconcileLongSeconds: [600] },
    wrapRail: (rail) => ({
      ...rail,
      chargeStored: (request) =>
        offSession ? Promise.resolve({ kind: 'unknown', reason: 'timeout' }) : rail.chargeStored(request),
      lookup: (request) =>
        offSession && request.begunAt !== null ? Promise.resolve(offSession) : rail.lookup(request),
    }),
  });
  await world.startWorker();
});
afterAll(() => world?.close());
afterEach(() => world.faults.clear());
/** Answers are lost on purpose here: together they would open the rail's breaker. */
beforeEach(async () => {
  await world.pool.query(sql.unsafe`update rail_answers set is_attempt = false where is_attempt`);
  await world.pool.query(sql.unsafe`delete from rail_breakers`);
});

const handle = (id: string) => world.client.workflow.getHandle(id);
const resolve = (id: string) => handle(id).executeUpdate(resolveUpdate, { args: [PAID] });
const why = (answer: Promise<unknown>) =>
  answer.then(
    (done) => ({ done }),
    (error: Error) => (error.cause as Error | undefined)?.message,
  );

/** The rail asks for a challenge, and its answer is lost in an outage. */
async function inDoubt(): Promise<string> {
  const id = await world.session();
  world.faults.add({ operation: 'authorize', mode: 'drop-after', count: 1, delayMs: 0 });
  world.faults.add({ operation: 'lookup', mode: '500', count: 100, delayMs: 0 });
  await world.pay(id, CHALLENGE);
  await world.until(id, 'reconciliation_required');
  return id;
}

test('settling as paid ends the challenge at the rail, and the session is payable again', async () => {
  const id = await inDoubt();
  world.faults.clear();
  const answer = await why(resolve(id));
  await keepHistory(handle(id), 'checkout-resolved-over-challenge');
  expect(answer).toBe('the rail reports cancelled, which is now recorded; the session is created');
  expect(await world.payments(id)).toMatchObject([{ status: 'cancelled' }]);
  expect(await world.events()).not.toContain('payment.succeeded');
});

test('settling as paid writes nothing until the rail has ended the challenge', async () => {
  const id = await inDoubt();
  world.faults.clear();
  world.faults.add({ operation: 'cancel', mode: '500', count: 100, delayMs: 0 });
  expect(await why(resolve(id))).toMatch(/^nothing was written: the rail has not ended the buyer/);
  expect(await world.view(id)).toMatchObject({ state: 'reconciliation_required' });
  world.faults.clear();
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  await handle(id).signal(railWebhookSignal, { attemptId: paymentId });
  await world.until(id, 'created');
});

test('a challenge reported by the rail only after the session was settled raises an alert and is looked up until it ends', async () => {
  const id = await inDoubt();
  expect(await resolve(id)).toMatchObject({ state: 'succeeded' });
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  world.faults.clear();
  await eventually(async () => {
    const kinds = (await listIncidents(world.pool, { about: [paymentId] })).map(({ kind }) => kind);
    expect(kinds).toEqual(['payment_not_at_rail']);
  }, 60_000);
  const reconcile = handle(`${paymentId}-reconcile`);
  await eventually(async () => expect((await railCallsOf(reconcile)).length).toBeGreaterThan(1), 60_000);
  expect((await reconcile.describe()).status.name).toBe('RUNNING');
  await reconcile.terminate();
});

test('a subscription’s charge that waits for a challenge is not settled as paid', async () => {
  const id = await subscribe(world);
  const later = await afterFirstPeriod(world, id);
  offSession = { kind: 'unknown', reason: 'timeout' };
  try {
    await update(world, id, advanceClockUpdate, { to: later(1) });
    await untilView(world, id, ({ reconciling }) => reconciling);
    offSession = { kind: 'challenge', url: 'https://bank.example/3ds', railReference: 'ch_1', method: null };
    world.faults.add({ operation: 'cancel', mode: '500', count: 100, delayMs: 0 });
    const answer = await why(update(world, id, resolveChargeUpdate, PAID));
    await keepHistory(handle(id), 'subscription-resolved-over-challenge');
    expect(answer).toMatch(/^nothing was written: the rail has not ended the buyer/);
    expect(await viewOf(world, id)).toMatchObject({ reconciling: true });
    world.faults.clear();
    expect(await why(update(world, id, resolveChargeUpdate, PAID))).toMatch(/^the rail reports cancelled/);
  } finally {
    offSession = null;
  }
});
