/** Disputes in the database: matching their webhooks, and the effects of a lost dispute. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, readClock, sql } from '../../../db/core/pool.ts';
import { closeDispute } from '../../../db/dispute/close-dispute.ts';
import { disputedPayments, markDisputesAsked } from '../../../db/dispute/disputed-payments.ts';
import { recordDisputes } from '../../../db/dispute/record-disputes.ts';
import { findOrphan, type ReturnedBy, recordOrphanReturned } from '../../../db/payment/orphaned-charges.ts';
import {
  applyAgreeingWebhooks,
  applyWebhooksReceivedBefore,
  storeRailWebhook,
} from '../../../db/payment/rail-webhooks.ts';
import { beginChargeStored } from '../../../db/payment/stored-charge.ts';
import {
  markWebhooksPresented,
  paymentsWithUnappliedWebhooks,
  takeUnknownWebhooks,
} from '../../../db/payment/unapplied-webhooks.ts';
import { selectMethodChangeFacts } from '../../../db/session/method-change-facts.ts';
import { advanceSubscription } from '../../../db/subscription/advance-subscription.ts';
import type { DisputeStatus } from '../../../domain/dispute/dispute.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { APPROVED, DECLINED } from '../../support/db/attempts.ts';
import {
  insertProduct,
  insertPurchase,
  insertShop,
  RECURRING,
  type Shop,
} from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, insertSubscription, invoicesOf } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  shop = await insertShop(pool);
});

function record(
  paymentId: string,
  status: DisputeStatus,
  railEventIds: readonly string[] = [],
  evidenceDueBy: string | null = null,
  railDisputeId = 'dp_1',
) {
  const { merchantId, environment, railAccountId } = shop;
  const payment = { paymentId, merchantId, environment, railAccountId, railEventIds: [...railEventIds] };
  return recordDisputes(pool, payment, [
    {
      railDisputeId,
      status,
      amountCents: 900,
      currency: 'EUR',
      reason: 'fraudulent',
      openedAt: '2026-01-31T09:30:00.000Z',
      evidenceDueBy,
    },
  ]);
}

test('only a look-up of the dispute marks its webhook as applied', async () => {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  const railEventId = randomUUID();
  const { railAccountId } = shop;
  await storeRailWebhook(pool, { railAccountId, railEventId, reference: paymentId, hint: 'dispute' });
  await pool.query(sql.unsafe`
    update rail_webhooks set received_at = service_clock() - interval '1 hour' where rail_event_id = ${railEventId}`);
  const presented = await paymentsWithUnappliedWebhooks(pool, 500);
  expect(presented.map((webhook) => webhook.paymentId)).not.toContain(paymentId);
  await markWebhooksPresented(pool, paymentId);
  await applyAgreeingWebhooks(pool, paymentId, 'succeeded');
  await applyWebhooksReceivedBefore(pool, paymentId, await readClock(pool));
  const asked = (await disputedPayments(pool, 500)).find((payment) => payment.paymentId === paymentId);
  expect(asked?.railEventIds).toEqual([railEventId]);
  await record(paymentId, 'open', asked?.railEventIds);
  expect((await disputedPayments(pool, 500)).map((payment) => payment.paymentId)).not.toContain(paymentId);
});

test('look-ups caused by webhooks and daily look-ups do not delay each other', async () => {
  const purchases = await Promise.all(
    Array.from({ length: 6 }, () => insertPurchase(pool, shop, shop.products.oneTime)),
  );
  const ids = purchases.map(({ paymentId }) => paymentId);
  const [daily, heard] = [ids.slice(0, 3), ids.slice(3)];
  for (const [index, paymentId] of ids.slice(0, 4).entries())
    await record(paymentId, 'open', [], null, `dp_${index}`);
  await pool.query(sql.unsafe`update disputes set asked_at = service_clock() - interval '25 hours'`);
  const { railAccountId } = shop;
  for (const reference of heard)
    await storeRailWebhook(pool, { railAccountId, railEventId: randomUUID(), reference, hint: 'dispute' });
  const seen = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    const asked = await disputedPayments(pool, 2);
    if (round === 0) expect(asked.map(({ railEventIds }) => railEventIds.length)).toEqual([1, 1, 0, 0]);
    await markDisputesAsked(pool, asked);
    for (const { paymentId } of asked) seen.add(paymentId);
  }
  for (const paymentId of [...daily, ...heard]) expect(seen).toContain(paymentId);
});

test('a webhook with the processor’s id is matched once that id is stored; unmatched webhooks are logged', async () => {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  const { railAccountId } = shop;
  const hear = async (railReference: string) => {
    const railEventId = randomUUID();
    await storeRailWebhook(pool, {
      railAccountId,
      railEventId,
      reference: null,
      railReference,
      hint: 'dispute',
    });
    await pool.query(sql.unsafe`
      update rail_webhooks set received_at = service_clock() - interval '1 hour' where rail_event_id = ${railEventId}`);
    return railEventId;
  };
  const [late, unknown] = [await hear('pi_late'), await hear('pi_unknown')];
  await pool.query(sql.unsafe`update payments set rail_order_id = 'pi_late' where id = ${paymentId}`);
  const asked = (await disputedPayments(pool, 500)).find((payment) => payment.paymentId === paymentId);
  expect(asked?.railEventIds).toEqual([late]);
  const logged = (await takeUnknownWebhooks(pool)).filter(
    (webhook) => webhook.rail_account_id === railAccountId,
  );
  expect(logged).toEqual([
    { rail_account_id: railAccountId, rail_event_id: unknown, reference: null, rail_reference: 'pi_unknown' },
  ]);
});

test('a dispute raises one alert when opened and one when lost, however often the rail reports it', async () => {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  const alerts: (readonly string[])[] = [];
  for (const status of ['open', 'open', 'lost', 'lost'] as const)
    alerts.push((await record(paymentId, status)).alerts);
  expect(alerts).toEqual([['dispute_opened'], [], ['dispute_lost'], []]);
});

test('a dispute that is reopened and lost again raises new alerts, with its new due date', async () => {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  const dueBy = ['2026-03-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z'];
  for (const due of dueBy) {
    await record(paymentId, 'open', [], due);
    await record(paymentId, 'lost');
  }
  const told = await pool.anyFirst(sql.type(z.object({ body: z.string() }))`
    select body from events where merchant_id = ${shop.merchantId} and body like '%ap_dis_%' order by occurred_at`);
  expect(
    told.map((body) => JSON.parse(body)).map(({ alert, dispute }) => [alert.code, dispute.evidence_due_by]),
  ).toEqual([
    ['dispute_opened', dueBy[0]],
    ['dispute_lost', null],
    ['dispute_opened', dueBy[1]],
    ['dispute_lost', null],
  ]);
});

test('a second lost dispute does not change the subscription or send another event', async () => {
  const { paymentId, subscriptionId } = await insertPurchase(pool, shop, shop.products.recurring, {
    recurring: true,
  });
  const changes = () =>
    pool.one(sql.type(z.object({ version: z.number(), updated: z.number() }))`
      select version, (select count(*) from events where aggregate_id = s.id and type = 'subscription.updated')
        as updated from subscriptions s where id = ${subscriptionId}`);
  expect((await record(paymentId, 'lost')).stopped).toBe(subscriptionId);
  const stopped = await changes();
  expect(stopped.updated).toBe(1);
  const second = await record(paymentId, 'lost', [], null, 'dp_2');
  expect(second).toEqual({ alerts: ['dispute_lost'], stopped: null });
  expect(await changes()).toEqual(stopped);
});

test('a reversed dispute lists an orphaned charge again, unless its money was returned in another way', async () => {
  const isReturned = async (by: ReturnedBy, before: 'lost' | 'open') => {
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    await pool.query(sql.unsafe`
      insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency)
      values (${paymentId}, ${shop.merchantId}, 'sandbox', 1900, 'EUR')`);
    expect(await recordOrphanReturned(pool, paymentId, by)).toBe(true);
    for (const status of [before, 'won'] as const)
      await record(paymentId, status, [], null, `dp_${paymentId}`);
    return (await findOrphan(pool, paymentId))?.returnedBy;
  };
  for (const by of ['dispute', 'refund'] as const) {
    expect(await isReturned(by, 'lost')).toBeNull();
    expect(await isReturned(by, 'open')).toBe(by);
  }
  for (const by of ['cancel', 'operator'] as const) expect(await isReturned(by, 'lost')).toBe(by);
});

test('a lost dispute stops the retries of an unpaid invoice', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const charged: string[] = [];
  const driver = driverOf(pool, subscriptionId, (paymentId) => {
    charged.push(paymentId);
    return DECLINED;
  });
  const end = (await driver.view()).currentPeriodEnd ?? '';
  const later = (days: number) => new Date(Date.parse(end) + days * 86_400_000).toISOString();
  const to = (days: number) =>
    advanceSubscription(pool, { subscriptionId, to: later(days), operationKey: randomUUID() });
  await to(1);
  expect(await driver.run()).toMatchObject({ status: 'past_due', next: { action: 'charge' } });
  expect(charged).toHaveLength(1);
  const paymentId = charged[0] ?? '';
  expect(await record(paymentId, 'lost')).toEqual({ alerts: ['dispute_lost'], stopped: subscriptionId });

  await to(40);
  expect(await driver.run()).toMatchObject({ status: 'cancelled' });
  expect(charged).toHaveLength(1);
  expect((await invoicesOf(pool, subscriptionId)).at(-1)?.status).toBe('uncollectible');
});

/**
 * Expects that the charge is looked up and not sent. Behind the fence of a restore it stays unmarked, so that the
 * comparison finds its account.
 */
async function looksUpAfterTheFence(paymentId: string): Promise<void> {
  const isMarked = () =>
    pool.exists(sql.unsafe`select from payments where id = ${paymentId} and call_started_at is not null`);
  await pool.query(sql.unsafe`update ledger_copy set fenced_at = service_clock()`);
  await expect(beginChargeStored(pool, paymentId, 10)).rejects.toThrow('has not been compared');
  await pool.query(sql.unsafe`update ledger_copy set fenced_at = null`);
  expect(await isMarked()).toBe(false);
  expect(await beginChargeStored(pool, paymentId, 10)).toBeNull();
  expect(await isMarked()).toBe(true);
}

test.each([
  ['paid while the next invoice is unpaid', APPROVED, 8, true],
  ['declined', DECLINED, 1, true],
  ['ended without an answer', { kind: 'cancelled' } as const, 8, true],
  ['not sent yet', { kind: 'cancelled' } as const, 8, false],
])(
  'a lost dispute stops all charges after the open one, which is %s',
  async (_what, outcome, days, hasBegun) => {
    const weekly = { ...RECURRING, interval: 'week', intervalCount: 1 } as const;
    const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price: weekly });
    const subscriptionId = await insertSubscription(pool, shop, productId);
    const charged: string[] = [];
    let answer: AttemptOutcome = DECLINED;
    const driver = driverOf(pool, subscriptionId, (paymentId) => {
      charged.push(paymentId);
      return answer;
    });
    const end = Date.parse((await driver.view()).currentPeriodEnd ?? '');
    const later = (count: number) => new Date(end + count * 86_400_000).toISOString();
    await driver.advance(later(days));
    await pool.query(sql.unsafe`
    update subscriptions set charge_at = subscription_clock(id) where id = ${subscriptionId}`);
    await driver.act('charge');
    const before = charged.length;
    const open = (await driver.view()).openAttempt;
    if (!hasBegun) {
      expect(open).toMatchObject({ called: false });
    } else {
      await pool.query(sql.unsafe`
      update payments set call_started_at = service_clock() where id = ${open?.attemptId ?? ''}`);
    }
    expect(await record(charged[0] ?? '', 'lost')).toEqual({
      alerts: ['dispute_lost'],
      stopped: subscriptionId,
    });

    if (!hasBegun) await looksUpAfterTheFence(open?.attemptId ?? '');
    expect((await driver.view()).openAttempt).toMatchObject({ called: true });
    answer = outcome;
    expect(await driver.turn()).toBe(true);
    await driver.advance(later(60));
    expect(charged).toHaveLength(before + 1);
    expect((await driver.view()).status).toBe('cancelled');
  },
);

test('after a lost dispute nothing is due, and no new payment method is requested', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  let charged = '';
  const driver = driverOf(pool, subscriptionId, (paymentId) => {
    charged = paymentId;
    return { kind: 'declined', code: 'authentication_required', retryable: false };
  });
  await pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock() where id = ${subscriptionId}`);
  await driver.act('boundary');
  const { openAttempt } = await driver.view();
  await pool.query(sql.unsafe`
    update payments set call_started_at = service_clock() where id = ${openAttempt?.attemptId ?? ''}`);
  const due = () =>
    pool.oneFirst(sql.type(z.object({ facts: z.object({ due: z.number() }) }))`
      select ${selectMethodChangeFacts} as facts from (select ${subscriptionId} as subscription_id, 'none' as id, null::text as invoice_id) c`);
  expect(await due()).toEqual({ due: 900 });
  await record(openAttempt?.attemptId ?? '', 'lost');
  await driver.turn();
  expect(charged).toBe(openAttempt?.attemptId);
  expect(await due()).toEqual({ due: 0 });
  const asked = await pool.exists(sql.unsafe`
    select from events where aggregate_id = ${subscriptionId} and type = 'payment_method.updated_required'`);
  expect(asked).toBe(false);
});

test('a lost dispute does not change a subscription that has ended', async () => {
  const { paymentId, subscriptionId } = await insertPurchase(pool, shop, shop.products.recurring, {
    recurring: true,
  });
  await pool.query(sql.unsafe`update subscriptions set status = 'cancelled' where id = ${subscriptionId}`);
  expect(await record(paymentId, 'lost')).toEqual({ alerts: ['dispute_lost'], stopped: null });
  const version = await pool.oneFirst(sql.type(z.object({ version: z.number() }))`
    select version from subscriptions where id = ${subscriptionId}`);
  expect(version).toBe(1);
});

test('an operator closes a dispute that the rail no longer reports, once, with an audit row', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const { paymentId } = await insertPurchase(pool, shop, shop.products.recurring);
  await pool.query(sql.unsafe`
    update subscriptions set checkout_id = (select checkout_id from payments where id = ${paymentId})
    where id = ${subscriptionId}`);
  await record(paymentId, 'open');
  const id = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from disputes where payment_id = ${paymentId}`);
  const words = { operator: 'ada', reason: 'account closed', evidence: 'letter of the bank' };
  expect(await closeDispute(pool, 'ap_dis_nobody', { ...words, status: 'lost' })).toMatchObject({
    answer: 'unknown',
  });
  expect(await closeDispute(pool, id, { ...words, status: 'lost' })).toEqual({
    answer: 'recorded',
    stopped: subscriptionId,
  });
  expect(await closeDispute(pool, id, { ...words, status: 'won' })).toEqual({
    answer: 'closed',
    stopped: null,
  });
  const ends = sql.unsafe`select from subscriptions where id = ${subscriptionId} and cancel_at_period_end`;
  expect(await pool.exists(ends)).toBe(true);
  expect(await auditOf(id)).toEqual([
    { actor: 'ada', action: 'dispute.close', after: { ...words, status: 'lost' } },
  ]);
});

const auditOf = (id: string) =>
  pool.any(sql.type(z.object({ actor: z.string(), action: z.string(), after: z.unknown() }))`
    select actor, action, after from audit_log where subject_id = ${id} order by audit_log.id`);

async function closedByOperator(status: 'won' | 'lost'): Promise<{ paymentId: string; id: string }> {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  await record(paymentId, 'open');
  const id = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from disputes where payment_id = ${paymentId}`);
  const { railAccountId } = shop;
  await storeRailWebhook(pool, {
    railAccountId,
    railEventId: randomUUID(),
    reference: paymentId,
    hint: 'dispute',
  });
  await closeDispute(pool, id, { operator: 'ada', reason: 'account closed', evidence: 'letter', status });
  return { paymentId, id };
}

const statusOf = (id: string) =>
  pool.oneFirst(sql.type(z.object({ status: z.string() }))`select status from disputes where id = ${id}`);

const isAsked = async (paymentId: string) =>
  (await disputedPayments(pool, 500)).some((payment) => payment.paymentId === paymentId);

test('a webhook received before an operator’s decision causes no look-up; the rail is queried daily for four months', async () => {
  const { paymentId, id } = await closedByOperator('won');
  expect(await isAsked(paymentId)).toBe(false);
  await pool.query(sql.unsafe`
    update disputes set asked_at = service_clock() - interval '25 hours' where id = ${id}`);
  expect(await isAsked(paymentId)).toBe(true);
  await pool.query(sql.unsafe`
    update disputes set updated_at = service_clock() - interval '121 days' where id = ${id}`);
  expect(await isAsked(paymentId)).toBe(false);
});

test('an operator’s decision holds while the rail reports the dispute as open; the rail’s own decision is audited', async () => {
  const { paymentId, id } = await closedByOperator('won');
  expect(await record(paymentId, 'open')).toEqual({ alerts: [], stopped: null });
  expect(await statusOf(id)).toBe('won');
  expect((await record(paymentId, 'lost')).alerts).toEqual(['dispute_lost']);
  expect(await statusOf(id)).toBe('lost');
  expect((await auditOf(id)).at(-1)).toEqual({
    actor: 'service',
    action: 'dispute.decided_by_rail',
    after: { status: 'lost' },
  });
  // From here on the rail's decision holds, even if it reopens the dispute.
  expect((await record(paymentId, 'open')).alerts).toEqual(['dispute_opened']);
});
