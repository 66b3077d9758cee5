/**
 * Immediate changes whose charge requires authentication: they wait for the buyer to pay a link, and end
 * once.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { stopRenewing } from '../../../db/dispute/stop-renewing.ts';
import { adoptRequestedCharge } from '../../../db/restore/adopt.ts';
import { storeComparison } from '../../../db/restore/compare.ts';
import { matchDifferences } from '../../../db/restore/differences.ts';
import { expireSession, requestCancel } from '../../../db/session/session-commands.ts';
import { cancelAtOnce } from '../../../db/subscription/cancel-subscription.ts';
import { changePlanNow } from '../../../db/subscription/change-now.ts';
import { lockSubscription } from '../../../db/subscription/core/subscription-row.ts';
import { findSubscription } from '../../../db/subscription/read/find-subscription.ts';
import { recordCharge } from '../../../db/subscription/record-charge.ts';
import { renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import { cancelChange } from '../../../db/subscription/subscription-changes.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { APPROVED, answer, click, clickAccepted, DECLINED, letExpire } from '../../support/db/attempts.ts';
import { insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import {
  beginAt,
  driverOf,
  eventTypesOf,
  insertOffering,
  insertPlan,
  insertSubscription,
  LADDER_DAYS,
  testLink,
} from '../../support/db/subscriptions.ts';

const CONFIRM: AttemptOutcome = { kind: 'declined', code: 'authentication_required', retryable: false };
const START = '2045-02-01T09:00:00.000Z';
const END = '2045-03-01T09:00:00.000Z';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
/** 9.00 and 19.00 a month. */
let basic: string;
let plus: string;
/** 19.00 a day. */
let daily: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
  const offering = await insertOffering(pool, shop.merchantId);
  basic = await insertPlan(pool, shop.merchantId, offering, RECURRING);
  plus = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, amount: 1_900 });
  daily = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, amount: 1_900, interval: 'day' });
});
afterAll(() => database?.close());

const one = <Row extends z.ZodRawShape>(shape: Row, query: ReturnType<typeof sql.fragment>) =>
  pool.one(sql.type(z.object(shape))`${query}`);

/** A subscription halfway through its period, with a change to Plus that waits for its buyer. */
const waiting = (...answers: readonly AttemptOutcome[]) => waitingFor(plus, answers);

async function waitingFor(target: string, answers: readonly AttemptOutcome[] = []) {
  const subscriptionId = await insertSubscription(pool, shop, basic);
  await beginAt(pool, subscriptionId, START);
  const queue = [CONFIRM, ...answers];
  const driver = driverOf(pool, subscriptionId, () => queue.shift() ?? APPROVED);
  await driver.advance(addDays(START, 14));
  const change = () =>
    changePlanNow(pool, {
      subscriptionId,
      operationKey: randomUUID(),
      type: 'plan_change',
      targetPlanId: target,
      targetOfferingId: null,
      calculatedAt: null,
    });
  const asked = await change();
  if (asked.kind !== 'done') throw new Error(asked.reason);
  await driver.turn();
  const { id: link } = await one(
    { id: z.string() },
    sql.fragment`select id from checkouts where subscription_id = ${subscriptionId} and invoice_id is not null`,
  );
  const shown = async () => {
    const found = await findSubscription(pool, shop, subscriptionId);
    if (!found) throw new Error('not found');
    return found;
  };
  const statuses = async () => {
    const { product_id, change: last } = await shown();
    const draft = await one(
      { invoice: z.string(), order: z.string(), charges: z.number() },
      sql.fragment`
        select i.status as invoice, o.status as "order", (select count(*) from payments p
          where p.invoice_id = i.id and p.status = 'succeeded') as charges
        from subscription_changes c join invoices i on i.id = c.invoice_id join orders o on o.id = i.order_id
        where c.id = ${String(asked.changeId)}`,
    );
    return { plan: product_id === plus ? 'plus' : 'basic', change: last?.status, ...draft };
  };
  const withdraw = () =>
    cancelChange(pool, { subscriptionId, operationKey: randomUUID(), changeId: String(asked.changeId) });
  const later = (ms: number) =>
    pool.query(sql.unsafe`
      update subscription_clocks set ahead_ms = ahead_ms + ${ms} where subscription_id = ${subscriptionId}`);
  /** Withdraws the change and requests it again. @returns the open attempt */
  const again = async () => {
    await withdraw();
    await later(1_000);
    const repeated = await change();
    if (repeated.kind !== 'done') throw new Error(repeated.reason);
    return String(repeated.paymentId);
  };
  const eventsSince = async (before: number) => (await eventTypesOf(pool, subscriptionId)).slice(before);
  const countEvents = async () => (await eventTypesOf(pool, subscriptionId)).length;
  const toEnd = () =>
    pool.query(sql.unsafe`
      update subscription_clocks set ahead_ms = ahead_ms + extract(epoch from ${END}::timestamptz
        - subscription_clock(subscription_id)) * 1000 + 1000 where subscription_id = ${subscriptionId}`);
  const paymentId = String(asked.paymentId);
  return {
    ...{ subscriptionId, paymentId, driver, change, again, link, shown, statuses, withdraw },
    ...{ eventsSince, countEvents, later, toEnd },
  };
}

const APPLIED = { plan: 'plus', change: 'applied', invoice: 'created', order: 'completed', charges: 1 };
const FAILED = { plan: 'basic', change: 'failed', invoice: 'void', order: 'failed', charges: 0 };
const WAITING = { plan: 'basic', change: 'requires_action', invoice: 'draft', order: 'pending', charges: 0 };

describe('a change whose charge requires authentication', () => {
  test('waits with a link that names the new plan, without dunning, and sends an event', async () => {
    const { link, driver, shown, statuses, eventsSince } = await waiting();
    expect(await statuses()).toEqual(WAITING);
    expect((await shown()).change?.link).not.toBeNull();
    expect((await driver.view()).dunning).toBeNull();
    expect((await eventsSince(0)).slice(-2).sort()).toEqual(['payment.failed', 'subscription.updated']);
    const terms = await one(
      { plan: z.string(), amount: z.number(), asked: z.number() },
      sql.fragment`select terms #>> '{product,id}' as plan, amount,
        (select amount_due from invoices where id = c.invoice_id) as asked from checkouts c where id = ${link}`,
    );
    expect(terms).toEqual({ plan: plus, amount: terms.asked, asked: terms.asked });
  });

  test('is applied after a restore that lost the paid link, because the rail has the charge', async () => {
    const { subscriptionId, statuses, shown } = await waiting();
    const reference = await foundByRestore(subscriptionId);
    expect(await adoptRequestedCharge(pool, subscriptionId, reference)).toBe(true);
    await recordCharge(pool, {
      ...{
        ownerId: subscriptionId,
        attemptId: reference,
        details: null,
        outcome: APPROVED,
        lookupTimeUp: false,
        nextLookupSeconds: 60,
      },
      dunningLadderDays: LADDER_DAYS,
    });
    expect(await statuses()).toEqual(APPLIED);
    expect((await shown()).status).toBe('active');
  });

  test('is applied once the buyer pays through the link; the subscription then renews at the new price', async () => {
    const { link, driver, shown, statuses, countEvents, eventsSince } = await waiting();
    const before = await countEvents();
    const paid = await clickAccepted(pool, link);
    await answer(pool, link, paid, APPROVED);
    // The same answer may be recorded again.
    await answer(pool, link, paid, APPROVED);
    expect(await statuses()).toEqual(APPLIED);
    expect((await eventsSince(before)).sort()).toEqual([
      'invoice.created',
      'payment.succeeded',
      'subscription.updated',
    ]);
    expect(await shown()).toMatchObject({ amount: 1_900, current_period_end: END });
    expect((await shown()).change?.link).toBeNull();
    await driver.advance(addDays(END, 1));
    expect(await shown()).toMatchObject({ status: 'active', product_id: plus, current_period_start: END });
  });

  test('leaves an orphaned charge and one payment if the rail then reports the change’s own charge as approved', async () => {
    const { subscriptionId, paymentId, link, statuses } = await waiting();
    const paid = await clickAccepted(pool, link);
    await answer(pool, link, paid, APPROVED);
    await recordCharge(pool, {
      ...{
        ownerId: subscriptionId,
        attemptId: paymentId,
        details: null,
        outcome: APPROVED,
        lookupTimeUp: false,
        nextLookupSeconds: 2,
      },
      dunningLadderDays: LADDER_DAYS,
    });
    expect(await statuses()).toEqual(APPLIED);
    const orphans = await pool.anyFirst(sql.type(z.object({ id: z.string() }))`
      select payment_id as id from orphaned_charges where payment_id in (${paymentId}, ${paid})`);
    expect(orphans).toEqual([paymentId]);
  });

  test('stays payable after a decline on the link, and fails with its last attempt', async () => {
    const { link, statuses } = await waiting();
    for (const left of [2, 1]) {
      await answer(pool, link, await clickAccepted(pool, link), DECLINED);
      expect([left, await statuses()]).toEqual([left, WAITING]);
    }
    await answer(pool, link, await clickAccepted(pool, link), DECLINED);
    expect(await statuses()).toEqual(FAILED);
  });

  test.each([
    ['expires', (link: string) => letExpire(pool, link).then(() => expireSession(pool, link))],
    ['is cancelled', (link: string) => requestCancel(pool, link, 'session')],
  ])('fails once, with an event, when its link %s', async (_name, end) => {
    const { link, change, statuses, countEvents, eventsSince } = await waiting();
    const before = await countEvents();
    await end(link);
    await end(link);
    expect(await statuses()).toEqual(FAILED);
    expect(await eventsSince(before)).toEqual(['subscription.updated']);
    expect(await change()).toMatchObject({ kind: 'done' });
  });

  test('can be withdrawn by its merchant; the link then takes no payment and ends without effect', async () => {
    const { link, statuses, withdraw, countEvents, eventsSince } = await waiting();
    const before = await countEvents();
    expect(await withdraw()).toMatchObject({ kind: 'done' });
    expect(await withdraw()).toMatchObject({ reason: 'subscription_change_not_scheduled' });
    expect(await statuses()).toEqual({ ...FAILED, change: 'cancelled' });
    expect(await click(pool, link)).toMatchObject({ kind: 'refused', reason: 'finished' });
    await letExpire(pool, link);
    await expireSession(pool, link);
    expect(await statuses()).toEqual({ ...FAILED, change: 'cancelled' });
    expect(await eventsSince(before)).toEqual(['subscription.updated']);
  });

  test('counts towards the limit of three attempts a day, even if withdrawn', async () => {
    const { change, driver, withdraw } = await waiting(CONFIRM, CONFIRM);
    await withdraw();
    for (const _attempt of [2, 3]) {
      await pool.query(sql.unsafe`update subscription_clocks set ahead_ms = ahead_ms + 1000`);
      const asked = await change();
      if (asked.kind !== 'done') throw new Error(asked.reason);
      await driver.turn();
      await pool.query(
        sql.unsafe`update subscription_changes set status = 'cancelled' where id = ${asked.changeId}`,
      );
    }
    expect(await change()).toMatchObject({ reason: 'attempts_of_today' });
  });

  test('fails with the renewal, which bills the old plan', async () => {
    const { link, driver, shown, statuses } = await waiting();
    await driver.advance(addDays(END, 1));
    expect(await statuses()).toEqual(FAILED);
    expect(await shown()).toMatchObject({ status: 'active', product_id: basic, current_period_start: END });
    expect(await click(pool, link)).toMatchObject({ kind: 'refused', reason: 'finished' });
  });

  test.each(['period', 'return'] as const)('fails when the subscription ends (%s)', async (why) => {
    const { subscriptionId, driver, shown, statuses } = await waiting();
    if (why === 'period') {
      await pool.query(
        sql.unsafe`update subscriptions set billing_cycles_left = 0 where id = ${subscriptionId}`,
      );
      await driver.advance(addDays(END, 1));
    } else {
      // As when a restore finds that the first charge was returned.
      await inTransaction(pool, async (tx) => cancelAtOnce(tx, await lockSubscription(tx, subscriptionId)));
    }
    expect((await shown()).status).toBe('cancelled');
    expect(await statuses()).toEqual(FAILED);
  });

  test.each([false, true])('fails when a dispute is lost (during an attempt: %s)', async (during) => {
    const { subscriptionId, link, statuses } = await waiting();
    const paid = during ? await clickAccepted(pool, link) : null;
    await inTransaction(pool, async (tx) => stopRenewing(tx, await lockSubscription(tx, subscriptionId)));
    if (paid) await answer(pool, link, paid, DECLINED);
    expect(await statuses()).toEqual(FAILED);
  });

  test.each([
    ['its payment was refunded', 'refund'],
    ['the period is over but not yet renewed', 'end'],
    ['a restore has found a charge that may be the change’s', 'restore'],
  ] as const)('takes no payment on its link once %s', async (_name, why) => {
    const { subscriptionId, link, toEnd } = await waiting();
    if (why === 'end') await toEnd();
    else if (why === 'restore') await foundByRestore(subscriptionId);
    else await refundPaid(subscriptionId);
    expect(await click(pool, link)).toMatchObject({ kind: 'refused', reason: 'finished' });
    await pool.query(sql.unsafe`update restore_findings set state = 'settled'`);
  });

  test('takes no payment on its link once the shorter period that it would pay for is over', async () => {
    const { link, shown, later } = await waitingFor(daily);
    await later(25 * 3_600_000);
    expect((await shown()).current_period_end).toBe(END);
    expect(await click(pool, link)).toMatchObject({ kind: 'refused', reason: 'finished' });
  });

  test.each([
    ['a dispute is lost', 'dispute'],
    ['its subscription is cancelled immediately', 'cancel'],
    ['the payment that it credits is refunded', 'refund'],
    ['the period is over', 'end'],
    ['a restore finds a charge that may be the change’s', 'restore'],
    ['a restore is being compared', 'fence'],
  ] as const)('fails without a payment link if %s while its charge is pending', async (_name, why) => {
    const { subscriptionId, again, toEnd, shown } = await waiting();
    const paymentId = await again();
    if (why === 'dispute')
      await inTransaction(pool, async (tx) => stopRenewing(tx, await lockSubscription(tx, subscriptionId)));
    if (why === 'cancel')
      await pool.query(
        sql.unsafe`update subscriptions set cancel_requested_at = service_clock() where id = ${subscriptionId}`,
      );
    if (why === 'refund') await refundPaid(subscriptionId);
    if (why === 'end') await toEnd();
    if (why === 'restore') await foundByRestore(subscriptionId);
    if (why === 'fence') await pool.query(sql.unsafe`update ledger_copy set fenced_at = service_clock()`);
    await recordCharge(pool, {
      ...{
        ownerId: subscriptionId,
        attemptId: paymentId,
        details: null,
        outcome: CONFIRM,
        lookupTimeUp: false,
        nextLookupSeconds: 2,
      },
      ...{ dunningLadderDays: LADDER_DAYS, offerLink: testLink },
    }).finally(async () => {
      await pool.query(sql.unsafe`update ledger_copy set fenced_at = null`);
      await pool.query(sql.unsafe`update restore_findings set state = 'settled'`);
    });
    expect((await shown()).change).toMatchObject({ status: 'failed', link: null });
    expect((await eventTypesOf(pool, subscriptionId)).slice(-2).sort()).toEqual([
      'payment.failed',
      'subscription.updated',
    ]);
  });

  test('fails if no account can take a payment by link', async () => {
    const fits = (cardFields: boolean) =>
      pool.query(sql.unsafe`
        update rail_accounts set capabilities = capabilities || ${sql.jsonb({ cardFields })} where id = ${shop.railAccountId}`);
    const { driver, again, shown } = await waiting(CONFIRM);
    await fits(false);
    await again();
    await driver.turn();
    await fits(true);
    expect((await shown()).change).toMatchObject({ status: 'failed', link: null });
  });

  test('records neither the decline nor a link if the link cannot be written; the next look-up records both', async () => {
    const { subscriptionId, again, driver, shown } = await waiting();
    const paymentId = await again();
    const record = (offerLink: typeof testLink) =>
      recordCharge(pool, {
        ...{
          ownerId: subscriptionId,
          attemptId: paymentId,
          details: null,
          outcome: CONFIRM,
          lookupTimeUp: false,
          nextLookupSeconds: 2,
        },
        dunningLadderDays: LADDER_DAYS,
        offerLink,
      });
    const killed = record(async (...of) => {
      await testLink(...of);
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    expect((await shown()).change).toMatchObject({ status: 'pending', link: null });
    expect((await driver.view()).openAttempt?.attemptId).toBe(paymentId);
    await record(testLink);
    expect((await shown()).change).toMatchObject({ status: 'requires_action' });
    expect((await shown()).change?.link).not.toBeNull();
  });
});

describe('an attempt on the link of a change', () => {
  test('in progress blocks the renewal and every operation until it is answered', async () => {
    const { subscriptionId, link, driver, toEnd, statuses, withdraw, change, shown } = await waiting();
    const paid = await clickAccepted(pool, link);
    expect(await withdraw()).toMatchObject({ reason: 'subscription_change_scheduled' });
    expect(await change()).toMatchObject({ reason: 'subscription_change_scheduled' });
    await toEnd();
    expect((await driver.view()).next).toBeNull();
    expect(await renewPeriod(pool, subscriptionId)).toBeNull();
    await answer(pool, link, paid, APPROVED);
    expect(await statuses()).toEqual(APPLIED);
    await driver.run();
    expect(await shown()).toMatchObject({ product_id: plus, amount: 1_900, current_period_start: END });
  });

  test('that races the renewal is either paid, and the new plan renews, or refused, and the old plan renews', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 8; round++) {
      const { subscriptionId, link, driver, toEnd, statuses, shown } = await waiting();
      const clicked = click(pool, link);
      await (round % 2 ? clicked : toEnd());
      if (round % 2) await toEnd();
      const [attempt] = await Promise.all([clicked, renewPeriod(pool, subscriptionId)]);
      if (attempt.kind === 'claimed') await answer(pool, link, attempt.attemptId, APPROVED);
      await driver.run();
      seen.add(attempt.kind);
      expect(await statuses()).toEqual(attempt.kind === 'claimed' ? APPLIED : FAILED);
      expect(await shown()).toMatchObject({
        current_period_start: END,
        product_id: attempt.kind === 'claimed' ? plus : basic,
      });
    }
    expect(seen).toContain('claimed');
  });

  test('that races the withdrawal of the change: only one takes effect, and a withdrawn change is never charged', async () => {
    for (let round = 0; round < 8; round++) {
      const { link, statuses, withdraw } = await waiting();
      const [attempt, withdrawn] = await Promise.all([click(pool, link), withdraw()]);
      if (attempt.kind === 'claimed') await answer(pool, link, attempt.attemptId, APPROVED);
      expect([attempt.kind, withdrawn.kind]).toEqual(
        attempt.kind === 'claimed' ? ['claimed', 'refused'] : ['refused', 'done'],
      );
      expect(await statuses()).toEqual(
        attempt.kind === 'claimed' ? APPLIED : { ...FAILED, change: 'cancelled' },
      );
    }
  });
});

function refundPaid(subscriptionId: string) {
  return pool.query(sql.unsafe`
    update payments set refunded_amount = 400, status = 'partially_refunded', updated_at = subscription_clock(${subscriptionId})
    where status = 'succeeded' and invoice_id in (select id from invoices where subscription_id = ${subscriptionId})`);
}

/** A restored database that lacks a charge of this subscription which the rail lists. */
async function foundByRestore(subscriptionId: string): Promise<string> {
  const { id: lost } = await one(
    { id: z.string() },
    sql.fragment`select period_payment_id(${subscriptionId}, i.period_start, 2) as id from invoices i
      where subscription_id = ${subscriptionId} and status = 'draft'`,
  );
  const listed = { reference: lost, outcome: 'approved', amountCents: 500, currency: 'EUR' };
  await storeComparison(
    pool,
    1,
    { rail_account_id: shop.railAccountId },
    { charges: [{ ...listed, at: new Date().toISOString() }], refunds: [], disputes: [] },
  );
  await matchDifferences(pool, 1);
  return lost;
}
