/** A restore removes rows that running workflows use: they read again, or fail with a reason (rule 30). */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../db/core/pool.ts';
import { createRefund } from '../../db/refund/create-refund.ts';
import { RECONCILE_WORKFLOW, reconcileStart } from '../../workflows/payment/reconcile-messages.ts';
import { REFUND_WORKFLOW, refundStart } from '../../workflows/refund/refund-messages.ts';
import { cancelUpdate } from '../../workflows/session/session-messages.ts';
import {
  advanceClockUpdate,
  cancelSubscriptionUpdate,
} from '../../workflows/subscription/subscription-messages.ts';
import { DELIVER_EVENTS_WORKFLOW, deliverEventsStart } from '../../workflows/webhook/endpoint-messages.ts';
import { eventually } from '../support/core/eventually.ts';
import { type Backup, backUp } from '../support/db/postgres.ts';
import { createSessionWorld, type SessionWorld } from '../support/world/checkout-world.ts';
import { CARDS, subscribe, untilView, update, viewOf } from '../support/world/subscription-world.ts';

/** Time limit of a call; a wedged workflow never answers. */
const ANSWERS_WITHIN_MS = 60_000;

let world: SessionWorld;
let backup: Backup;
/** The rail neither executes calls nor answers look-ups. */
let silent = false;
let lost: {
  readonly session: string;
  readonly paymentId: string;
  readonly newSession: string;
  readonly unpaidSession: string;
  readonly subscription: string;
  readonly refund: string;
};

beforeAll(async () => {
  const timeout = async () => ({ kind: 'unknown', reason: 'timeout' }) as const;
  world = await createSessionWorld({
    wrapRail: (rail) => ({
      ...rail,
      authorize: (request) => (silent ? timeout() : rail.authorize(request)),
      chargeStored: (request) => (silent ? timeout() : rail.chargeStored(request)),
      lookup: (request) => (silent ? timeout() : rail.lookup(request)),
      refund: (request) => (silent ? timeout() : rail.refund(request)),
      lookupRefund: (request) => (silent ? timeout() : rail.lookupRefund(request)),
    }),
  });
  await world.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}'
    where id = ${world.shop.railAccountId}`);
  await world.startWorker();
  const [paidSession, session, subscription] = [
    await world.session(),
    await world.session(),
    await subscribe(world),
  ];
  await world.pay(paidSession, CARDS.approved);
  await world.until(paidSession, 'succeeded');
  await world.stopWorker();
  backup = await backUp({ url: world.databaseUrl });

  silent = true;
  await world.startWorker();
  const [newSession, unpaidSession] = [await world.session(), await world.session()];
  for (const id of [session, newSession]) await world.pay(id, CARDS.approved);
  const { currentPeriodEnd } = await viewOf(world, subscription);
  await update(world, subscription, advanceClockUpdate, { to: currentPeriodEnd ?? '' });
  await untilView(world, subscription, ({ reconciling }) => reconciling);
  for (const id of [session, newSession]) await world.until(id, 'reconciliation_required');
  const paymentId = (await world.payments(session))[0]?.id ?? '';
  const refund = await startRefund((await world.payments(paidSession))[0]?.id ?? '');
  lost = { session, paymentId, newSession, unpaidSession, subscription, refund };

  await world.stopWorker();
  await backup.restore();
  await eventually(() => world.pool.query(sql.unsafe`select 1`));
  await world.startWorker();
});
afterAll(async () => {
  await world?.close();
  await backup?.drop();
});

async function startRefund(paymentId: string): Promise<string> {
  const refund = await createRefund(world.pool, {
    scope: world.shop,
    operationId: paymentId,
    of: { paymentId },
    amount: 100,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
  if (typeof refund === 'string') throw new Error(refund);
  const { id, amount, currency } = refund;
  const start = refundStart({ ...world.shop, id, amount, currency }, world.timings);
  await world.client.workflow.start(REFUND_WORKFLOW, start);
  return id;
}

const handle = (id: string) => world.client.workflow.getHandle(id);
const failedAsNotFound = (id: string) => ({
  cause: { type: 'RowNotFound', message: expect.stringContaining(`${id} does not exist`) },
});

describe("when an attempt's row is lost", () => {
  test(
    'its session still answers reads and a cancel request',
    async () => {
      const answer = await handle(lost.session).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
      expect(answer).toEqual({ state: 'failed', failureReason: 'cancelled' });
    },
    ANSWERS_WITHIN_MS,
  );

  test(
    'its subscription still answers reads and a cancel request',
    async () => {
      const reply = await update(world, lost.subscription, cancelSubscriptionUpdate, { atPeriodEnd: false });
      expect(reply).toMatchObject({ kind: 'done' });
      expect(await viewOf(world, lost.subscription)).toMatchObject({
        status: 'cancelled',
        openAttempt: null,
      });
    },
    ANSWERS_WITHIN_MS,
  );

  test(
    'the reconciliation of its late webhooks ends',
    async () => {
      const start = reconcileStart({ ...world.shop, paymentId: lost.paymentId });
      const judging = await world.client.workflow.start(RECONCILE_WORKFLOW, start);
      expect(await judging.result()).toBe('rowNotFound');
    },
    ANSWERS_WITHIN_MS,
  );
});

describe('when a workflow’s own row is lost', () => {
  test(
    "a session's run fails with the reason",
    () => expect(handle(lost.newSession).result()).rejects.toMatchObject(failedAsNotFound(lost.newSession)),
    ANSWERS_WITHIN_MS,
  );

  test(
    'a pending update is refused with the same reason',
    async () => {
      const { unpaidSession } = lost;
      const pending = handle(unpaidSession).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
      await expect(pending).rejects.toMatchObject(failedAsNotFound(unpaidSession));
      await expect(handle(unpaidSession).result()).rejects.toMatchObject(failedAsNotFound(unpaidSession));
    },
    ANSWERS_WITHIN_MS,
  );

  test(
    "a refund's run fails with the reason",
    () => expect(handle(lost.refund).result()).rejects.toMatchObject(failedAsNotFound(lost.refund)),
    ANSWERS_WITHIN_MS,
  );

  test(
    "an endpoint's run ends",
    async () => {
      const { merchantId, environment } = world.shop;
      const start = deliverEventsStart({ merchantId, environment, endpointId: 'ap_whe_lost' });
      const run = await world.client.workflow.start(DELIVER_EVENTS_WORKFLOW, start);
      await run.result();
    },
    ANSWERS_WITHIN_MS,
  );
});
