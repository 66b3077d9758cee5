/** Operations on subscriptions: every response, and every refusal with its code. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { paidInvoiceAnswer, paymentLink } from '../../../contract/invoice/resources.ts';
import {
  changeAnswer,
  changePreviewAnswer,
  subscriptionAnswer,
} from '../../../contract/subscription/subscription-operations.ts';
import { sql } from '../../../db/core/pool.ts';
import { findBreakerTarget, pauseRail, resumeRail } from '../../../db/payment/rail-breaker.ts';
import { findSession } from '../../../db/session/read/find-session.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { cancelUpdate } from '../../../workflows/session/session-messages.ts';
import { expectMarks, expectRefusal, startTestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { answer, clickAccepted, DECLINED } from '../../support/db/attempts.ts';
import {
  insertApiKey,
  insertPrice,
  insertProduct,
  insertShop,
  RECURRING,
} from '../../support/db/fixtures.ts';
import {
  giveToCustomerOf,
  insertNewerInvoice,
  insertPlan,
  insertSubscription,
  invoicesOf,
} from '../../support/db/subscriptions.ts';
import { isTerminated, startStuckRun } from '../../support/temporal/stuck-run.ts';
import {
  liveKeyOf,
  type SubscriptionApi,
  startSubscriptionApi,
} from '../../support/world/subscription-api.ts';
import { CARDS, chargesOf, untilArrived, untilView } from '../../support/world/subscription-world.ts';

let api: SubscriptionApi;

beforeAll(async () => {
  api = await startSubscriptionApi();
});
afterAll(() => api?.stop());

const to = (id: string, what: string) => `/v1/subscriptions/${id}/${what}`;
const planChange = (id: string, plan: string, key?: string) =>
  api.post(to(id, 'plan-change'), { target_plan_id: plan }, key);
const readAll = async () =>
  (await api.api.request('GET', '/v1/subscriptions', { apiKey: api.apiKey })).body.data;
/** Instants whose year has no four digits in UTC, or is 0. */
const OUT_OF_CALENDAR = ['0000-06-01T00:00:00Z', '0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-12:00'];
const inDays = (instant: string, days: number) =>
  new Date(Date.parse(instant) + days * 86_400_000).toISOString();

/** A subscription whose first renewal was declined, and that invoice. */
async function pastDue(card: string): Promise<{ readonly id: string; readonly invoiceId: string }> {
  const id = await api.subscribe({ card });
  const { current_period_end: end } = (await readAll()).find((each: { id: string }) => each.id === id);
  await api.post(to(id, 'advance'), { to: inDays(end, 1) }, null);
  await untilArrived(api.world, id, 60_000);
  return { id, invoiceId: (await invoicesOf(api.world.pool, id)).at(-1)?.id ?? '' };
}

describe('POST /v1/subscriptions/:id/cancel', () => {
  test('cancels immediately, and needs neither a body nor an Idempotency-Key', async () => {
    const id = await api.subscribe();
    const answer = await api.post(to(id, 'cancel'), undefined, null);
    expect(answer.status).toBe(200);
    expect(subscriptionAnswer.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({ id, status: 'cancelled', cancel_at_period_end: false });
    expect(answer.body.cancelled_at).not.toBeNull();
    expect(answer.headers.get('x-service-flow-id')).toBe(id);
    expectMarks(answer);
  });

  test('cancels at the end of the period if at_period_end is true', async () => {
    const id = await api.subscribe();
    const answer = await api.post(to(id, 'cancel'), { at_period_end: true }, null);
    expect(answer.body).toMatchObject({ status: 'active', cancel_at_period_end: true, cancelled_at: null });
  });

  test('has a preview that shows when the subscription will end', async () => {
    const id = await api.subscribe();
    const preview = (body: object, of = id) => api.post(to(of, 'cancel/preview'), body, null);
    const show = async () => (await readAll()).find((each: { id: string }) => each.id === id);
    const before = await show();
    const atOnce = await preview({});
    expect([atOnce.status, atOnce.body]).toMatchObject([
      200,
      { lines: [], total: 0, currency: 'EUR', next_renewal: null, effective_at: atOnce.body.calculated_at },
    ]);
    const later = await preview({ at_period_end: true });
    expect(later.body.effective_at).toBe(before.current_period_end);
    expectMarks(later);
    expect(await show()).toEqual(before);
    expectRefusal(await preview({ atPeriodEnd: true }), 400, 'unknown_field');
    expectRefusal(await preview({ at_period_end: 'yes' }), 400, 'invalid_request');
    const outdated = { at_period_end: true, calculated_at: '2026-01-01T00:00:00+01:00' };
    expectRefusal(await preview(outdated), 409, 'preview_outdated');
    expectRefusal(await api.post(to(id, 'cancel'), outdated, null), 409, 'preview_outdated');
    for (const calculated_at of OUT_OF_CALENDAR)
      expectRefusal(await api.post(to(id, 'cancel'), { calculated_at }, null), 400, 'invalid_request');
    const { calculated_at } = later.body;
    const ending = await api.post(to(id, 'cancel'), { at_period_end: true, calculated_at }, null);
    expect(ending.body).toMatchObject({ status: 'active', cancel_at_period_end: true });
    await api.post(to(id, 'cancel/undo'), {});
    await planChange(id, api.plans.plus);
    expectRefusal(await preview({}), 409, 'subscription_change_scheduled');
    const ended = await api.subscribe();
    await api.post(to(ended, 'cancel'), {}, null);
    expectRefusal(await preview({}, ended), 409, 'subscription_finished');
  });

  test('replays its response to a repeat with the same Idempotency-Key', async () => {
    const id = await api.subscribe();
    const first = await api.post(to(id, 'cancel'), {}, `cancel-${id}`);
    const second = await api.post(to(id, 'cancel'), {}, `cancel-${id}`);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('409 subscription_finished names the state', async () => {
    const id = await api.subscribe();
    await api.post(to(id, 'cancel'), {}, null);
    const answer = await api.post(to(id, 'cancel'), {}, null);
    expectRefusal(answer, 409, 'subscription_finished');
    expect(answer.body.message).toContain('cancelled');
  });

  test('409 subscription_change_scheduled while a change is scheduled', async () => {
    const id = await api.subscribe();
    await planChange(id, api.plans.plus);
    expectRefusal(await api.post(to(id, 'cancel'), {}, null), 409, 'subscription_change_scheduled');
  });

  test.each([['atPeriodEnd'], ['cancel_at_period_end'], ['at_period_ende']])(
    '400 unknown_field for %s changes nothing, and the key can be used for the corrected request',
    async (wrong) => {
      const id = await api.subscribe();
      const answer = await api.post(to(id, 'cancel'), { [wrong]: true }, `cancel-${id}`);
      expectRefusal(answer, 400, 'unknown_field');
      expect(answer.body.message).toBe(
        `${wrong} is not a field of this request: did you mean at_period_end?`,
      );
      const corrected = { at_period_end: true, reason: 'moved', metadata: { ticket: '17' } };
      const after = await api.post(to(id, 'cancel'), corrected, `cancel-${id}`);
      expect([after.status, after.body]).toMatchObject([
        200,
        { status: 'active', cancel_at_period_end: true },
      ]);
    },
  );

  test('an unknown field is reported after an unknown subscription and before the subscription’s state', async () => {
    const id = await api.subscribe();
    const wrong = { atPeriodEnd: true };
    expectRefusal(await api.post(to('ap_sub_0', 'cancel'), wrong, 'none'), 404, 'subscription_not_found');
    await api.post(to(id, 'cancel'), {}, null);
    expectRefusal(await api.post(to(id, 'cancel'), wrong, null), 400, 'unknown_field');
  });

  test('400 invalid_request names the field', async () => {
    const id = await api.subscribe();
    for (const wrong of ['later', null]) {
      const answer = await api.post(to(id, 'cancel'), { at_period_end: wrong }, null);
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.message).toContain('at_period_end');
    }
  });
});

describe('POST /v1/subscriptions/:id/cancel/undo', () => {
  const undo = (id: string, key?: string) => api.post(to(id, 'cancel/undo'), undefined, key);

  test('200: the subscription renews again, once per key, and can be cancelled again', async () => {
    const id = await api.subscribe();
    await api.post(to(id, 'cancel'), { at_period_end: true }, null);
    const answer = await undo(id, `undo-${id}`);
    expect(answer.status).toBe(200);
    expect(subscriptionAnswer.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({ id, status: 'active', cancel_at_period_end: false });
    expectMarks(answer);
    await api.post(to(id, 'cancel'), { at_period_end: true }, null);
    expect((await undo(id, `undo-${id}`)).body).toEqual(answer.body);
    const now = (await readAll()).find((each: { id: string }) => each.id === id);
    expect(now.cancel_at_period_end).toBe(true);
  });

  test('409 if it is not set to end, has ended, ends after its open charge, or a dispute was lost', async () => {
    const id = await api.subscribe();
    expectRefusal(await undo(id), 409, 'subscription_cancel_not_scheduled');
    const set = (columns: ReturnType<typeof sql.fragment>) =>
      api.world.pool.query(sql.unsafe`update subscriptions set ${columns} where id = ${id}`);
    await set(sql.fragment`cancel_at_period_end = true, charging_stopped_at = now()`);
    expectRefusal(await undo(id), 409, 'subscription_charging_stopped');
    await set(sql.fragment`charging_stopped_at = null, cancel_requested_at = now()`);
    expectRefusal(await undo(id), 409, 'subscription_cancel_scheduled');
    await api.world.client.workflow.getHandle(id).result();
    expectRefusal(await undo(id), 409, 'subscription_finished');
  });

  test('400 for an unknown field, for a body that is not an object, and without a key', async () => {
    const id = await api.subscribe();
    expectRefusal(await api.post(to(id, 'cancel/undo'), { at_period_end: true }), 400, 'unknown_field');
    expectRefusal(await api.post(to(id, 'cancel/undo'), {}, null), 400, 'idempotency_key_required');
    expectRefusal(await api.post(to(id, 'cancel/undo'), []), 400, 'invalid_request');
  });
});

describe('POST /v1/subscriptions/:id/pause and /resume', () => {
  const pause = (id: string, body?: object, key?: string) => api.post(to(id, 'pause'), body, key);
  const resume = (id: string, key?: string) => api.post(to(id, 'resume'), undefined, key);
  const set = (id: string, columns: ReturnType<typeof sql.fragment>) =>
    api.world.pool.query(sql.unsafe`update subscriptions set ${columns} where id = ${id}`);

  test('200 with the date; after the end of the period nothing is charged until it resumes', async () => {
    const id = await api.subscribe();
    const end = (await readAll()).find((each: { id: string }) => each.id === id).current_period_end;
    const set = await pause(id, { resumes_at: inDays(end, 60) }, `pause-${id}`);
    expect(set.status).toBe(200);
    expect(subscriptionAnswer.parse(set.body)).toEqual(set.body);
    expect(set.body).toMatchObject({
      status: 'active',
      pause_at_period_end: true,
      resumes_at: inDays(end, 60),
    });
    expectMarks(set);
    expect((await pause(id, { resumes_at: inDays(end, 60) }, `pause-${id}`)).body).toEqual(set.body);
    const paused = await api.post(to(id, 'advance'), { to: inDays(end, 1) }, null);
    expect(paused.body).toMatchObject({
      status: 'paused',
      pause_at_period_end: false,
      current_period_end: end,
    });
    expectRefusal(await planChange(id, api.plans.plus), 409, 'subscription_paused');
    const elsewhere = { target_offering_id: api.offerings.second, target_plan_id: api.plans.elsewhere };
    expectRefusal(await api.post(to(id, 'offering-change'), elsewhere), 409, 'subscription_paused');
    const outdated = { calculated_at: '2026-01-01T00:00:00Z' };
    expectRefusal(await api.post(to(id, 'resume'), outdated), 409, 'preview_outdated');
    expectRefusal(await api.post(to(id, 'resume'), { calculated_at: 'now' }), 400, 'invalid_request');
    const resumed = await resume(id, `resume-${id}`);
    expect(subscriptionAnswer.parse(resumed.body)).toEqual(resumed.body);
    expect(resumed.body).toMatchObject({ status: 'active', resumes_at: null });
    expect(Date.parse(resumed.body.current_period_start)).toBeGreaterThan(Date.parse(end));
    await untilView(api.world, id, ({ openAttempt }) => openAttempt === null);
    expect(await chargesOf(api.world, id)).toEqual([900]);
    expect((await resume(id, `resume-${id}`)).body).toEqual(resumed.body);
    expectRefusal(await resume(id), 409, 'subscription_not_paused');
  });

  test('repeating a request that a restore lost gets 503 until the restore is detected, and then takes effect again', async () => {
    const { pool } = api.world;
    const id = await api.subscribe();
    const pause = (key: string) => api.post(to(id, 'pause'), {}, key);
    expect((await pause('lost')).status).toBe(200);
    await pool.query(sql.unsafe`update subscriptions set pause_at_period_end = false where id = ${id}`);
    await pool.query(sql.unsafe`delete from subscription_operations where subscription_id = ${id}`);
    await pool.query(
      sql.unsafe`update idempotency_keys set answer = null, lease_until = now() - interval '1 s'`,
    );
    expect((await pause('lost')).status).toBe(503);
    await pool.query(sql.unsafe`update ledger_copy set epoch = epoch + 1, numbered_epoch = epoch + 1`);
    for (const retry of [1, 2]) {
      expect({ retry, ...(await pause('lost')) }).toMatchObject({ retry, status: 200 });
      const paused = sql.type(z.object({ paused: z.boolean() }));
      expect(
        await pool.oneFirst(paused`select pause_at_period_end as paused from subscriptions where id = ${id}`),
      ).toBe(true);
    }
    const known = sql.type(z.object({ n: z.number() }));
    expect(
      await pool.oneFirst(known`
        select count(*)::int as n from subscription_operations where subscription_id = ${id}`),
    ).toBe(1);
  });

  test('resume withdraws a pause that has not begun', async () => {
    const id = await api.subscribe();
    const year = new Date().getUTCFullYear() + 2;
    const set = await pause(id, { resumes_at: `${year}-06-01T01:00:00+02:00` });
    expect(set.body.resumes_at).toBe(`${year}-05-31T23:00:00.000Z`);
    const { body } = await resume(id);
    expect(body).toMatchObject({ status: 'active', pause_at_period_end: false, resumes_at: null });
  });

  test('400 for a date within the period or without a zone, an unknown field, and without a key', async () => {
    const id = await api.subscribe();
    for (const wrong of ['2026-01-01T00:00:00Z', '2027-01-01', 'soon', ...OUT_OF_CALENDAR]) {
      const answer = await pause(id, { resumes_at: wrong });
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.message).toContain('resumes_at');
    }
    expectRefusal(await pause(id, { until: null }), 400, 'unknown_field');
    expectRefusal(await api.post(to(id, 'pause'), {}, null), 400, 'idempotency_key_required');
    expectRefusal(await api.post(to(id, 'resume'), {}, null), 400, 'idempotency_key_required');
    expectRefusal(await api.post(to(id, 'resume'), { at: 1 }), 400, 'unknown_field');
    expectRefusal(await api.post(to(id, 'resume'), []), 400, 'invalid_request');
  });

  test('409 in a trial, in dunning, with a scheduled change or cancellation, after a lost dispute, and once ended', async () => {
    const id = await api.subscribe();
    await set(id, sql.fragment`status = 'trialing'`);
    expectRefusal(await pause(id), 409, 'subscription_trialing');
    await set(id, sql.fragment`status = 'past_due'`);
    expectRefusal(await pause(id), 409, 'subscription_past_due');
    await set(id, sql.fragment`status = 'active', charging_stopped_at = now()`);
    expectRefusal(await pause(id), 409, 'subscription_charging_stopped');
    expectRefusal(await resume(id), 409, 'subscription_charging_stopped');
    await set(id, sql.fragment`charging_stopped_at = null`);
    const { body } = await planChange(id, api.plans.plus);
    expectRefusal(await pause(id), 409, 'subscription_change_scheduled');
    await api.post(to(id, 'plan-change/cancel'), { action_id: body.change.action_id });
    await api.post(to(id, 'cancel'), { at_period_end: true }, null);
    expectRefusal(await pause(id), 409, 'subscription_cancel_scheduled');
    await set(id, sql.fragment`cancel_requested_at = now()`);
    expectRefusal(await resume(id), 409, 'subscription_cancel_scheduled');
    await api.world.client.workflow.getHandle(id).result();
    expectRefusal(await pause(id), 409, 'subscription_finished');
    expectRefusal(await resume(id), 409, 'subscription_finished');
  });
});

describe('POST /v1/subscriptions/:id/plan-change', () => {
  test('202 with the subscription and its change', async () => {
    const id = await api.subscribe();
    const answer = await planChange(id, api.plans.plus);
    expect(answer.status).toBe(202);
    expect(subscriptionAnswer.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({
      id,
      plan: { id: api.plans.basic },
      change: {
        action_id: expect.stringMatching(/^ap_chg_/),
        type: 'plan_change',
        status: 'scheduled',
        target_plan_id: api.plans.plus,
        target_offering_id: api.offerings.first,
        effective_at: answer.body.current_period_end,
      },
    });
    expect((await readAll()).find((each: { id: string }) => each.id === id).change).toEqual(
      answer.body.change,
    );
    expectMarks(answer);
  });

  test('accepts target_product_id as an alias, and both when they are equal', async () => {
    const [a, b] = [await api.subscribe(), await api.subscribe()];
    const { plus } = api.plans;
    expect((await api.post(to(a, 'plan-change'), { target_product_id: plus })).status).toBe(202);
    const both = { target_product_id: plus, target_plan_id: plus };
    expect((await api.post(to(b, 'plan-change'), both)).status).toBe(202);
  });

  test('never applies twice under the same key, which is bound to its body', async () => {
    const id = await api.subscribe();
    const first = await planChange(id, api.plans.plus, `change-${id}`);
    const again = await planChange(id, api.plans.plus, `change-${id}`);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expectRefusal(await planChange(id, api.plans.elsewhere, `change-${id}`), 409, 'idempotency_key_conflict');
  });

  test('creates one change for any number of equal concurrent requests', async () => {
    const id = await api.subscribe();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => planChange(id, api.plans.plus, `at-once-${id}`)),
    );
    expect(new Set(answers.map(({ body }) => body.change?.action_id)).size).toBe(1);
    expect(answers.every(({ status }) => status === 202)).toBe(true);
  });

  test('202 for the same plan whose price was replaced', async () => {
    const { pool, shop } = api.world;
    const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price: RECURRING });
    const id = await api.subscribe({ productId });
    expectRefusal(await planChange(id, productId), 400, 'plan_unchanged');
    await pool.query(sql.unsafe`update prices set status = 'inactive' where product_id = ${productId}`);
    await insertPrice(pool, productId, { ...RECURRING, amount: 1_100 });
    const shown = await api.post(to(id, 'plan-change/preview'), { target_plan_id: productId }, null);
    expect(shown.body).toMatchObject({ total: 0, next_renewal: { total: 1_100 } });
    const { status, body } = await planChange(id, productId);
    expect([status, body.change]).toMatchObject([202, { type: 'plan_change', target_plan_id: productId }]);
  });

  test.each([
    ['404 plan_not_found', () => 'ap_prod_unknown', 404, 'plan_not_found'],
    ['404 plan_not_found for a blank id', () => ' ', 404, 'plan_not_found'],
    ['400 plan_unchanged', () => api.plans.basic, 400, 'plan_unchanged'],
    ['422 plan_incompatible for another offering', () => api.plans.elsewhere, 422, 'plan_incompatible'],
    [
      '422 plan_incompatible for a one-off product',
      () => api.world.shop.products.oneTime,
      422,
      'plan_incompatible',
    ],
  ])('%s', async (_name, plan, status, code) => {
    const id = await api.subscribe();
    expectRefusal(await planChange(id, plan()), status, code);
  });

  test('422 recurring_price_interval_missing for a plan whose price has no interval', async () => {
    const id = await api.subscribe();
    const { pool, shop } = api.world;
    const broken = { ...RECURRING, interval: null };
    const plan = await insertPlan(pool, shop.merchantId, api.offerings.second, broken);
    const fields = { target_offering_id: api.offerings.second, target_plan_id: plan };
    for (const refused of [
      await planChange(id, plan),
      await api.post(to(id, 'plan-change/preview'), { target_plan_id: plan }, null),
      await api.post(to(id, 'offering-change'), fields),
    ])
      expectRefusal(refused, 422, 'recurring_price_interval_missing');
  });

  test('409 subscription_exists for a plan of an offering that the customer already has and may have only once', async () => {
    const { pool } = api.world;
    const { plus, elsewhere } = api.plans;
    const { second } = api.offerings;
    const [id, other] = [await api.subscribe(), await api.subscribe()];
    await giveToCustomerOf(pool, other, id);
    const limit = (isLimited: boolean) =>
      pool.query(sql.unsafe`
        update products set one_subscription_per_customer = ${isLimited} where id in (${plus}, ${elsewhere})`);
    await limit(true);
    expectRefusal(await planChange(id, plus), 409, 'subscription_exists');
    const preview = await api.post(to(id, 'plan-change/preview'), { target_plan_id: plus }, null);
    expectRefusal(preview, 409, 'subscription_exists');
    await pool.query(sql.unsafe`update subscriptions set offering_id = ${second} where id = ${other}`);
    const fields = { target_offering_id: second, target_plan_id: elsewhere };
    expectRefusal(await api.post(to(id, 'offering-change'), fields), 409, 'subscription_exists');
    await limit(false);
  });

  test('409 for a second change, and for a subscription that has ended', async () => {
    const id = await api.subscribe();
    await planChange(id, api.plans.plus);
    expectRefusal(await planChange(id, api.plans.plus), 409, 'subscription_change_scheduled');
    const ended = await api.subscribe();
    await api.post(to(ended, 'cancel'), {}, null);
    expectRefusal(await planChange(ended, api.plans.plus), 409, 'subscription_finished');
  });

  test('409 subscription_cancel_scheduled when it ends with its period', async () => {
    const id = await api.subscribe();
    await api.post(to(id, 'cancel'), { at_period_end: true }, null);
    expectRefusal(await planChange(id, api.plans.plus), 409, 'subscription_cancel_scheduled');
  });

  test('400 without a target, with two, and without a key', async () => {
    const id = await api.subscribe();
    const { plus, elsewhere } = api.plans;
    expectRefusal(await api.post(to(id, 'plan-change'), {}), 400, 'invalid_request');
    const two = { target_plan_id: plus, target_product_id: elsewhere };
    expectRefusal(await api.post(to(id, 'plan-change'), two), 400, 'invalid_request');
    const keyless = await api.post(to(id, 'plan-change'), { target_plan_id: plus }, null);
    expectRefusal(keyless, 400, 'idempotency_key_required');
  });
});

describe('POST /v1/subscriptions/:id/offering-change', () => {
  const offeringChange = (id: string, target_offering_id: string, target_plan_id: string) =>
    api.post(to(id, 'offering-change'), { target_offering_id, target_plan_id });

  test('202 with the subscription and its change', async () => {
    const id = await api.subscribe();
    const answer = await offeringChange(id, api.offerings.second, api.plans.elsewhere);
    expect(answer.status).toBe(202);
    expect(answer.body.change).toMatchObject({
      type: 'offering_change',
      status: 'scheduled',
      target_plan_id: api.plans.elsewhere,
      target_offering_id: api.offerings.second,
    });
  });

  test('404 offering_not_found and plan_not_found, 422 for a plan outside the offering', async () => {
    const id = await api.subscribe();
    const { second } = api.offerings;
    expectRefusal(await offeringChange(id, 'ap_off_unknown', api.plans.elsewhere), 404, 'offering_not_found');
    expectRefusal(await offeringChange(id, ' ', api.plans.elsewhere), 404, 'offering_not_found');
    expectRefusal(await offeringChange(id, second, 'ap_prod_unknown'), 404, 'plan_not_found');
    expectRefusal(await offeringChange(id, second, api.plans.plus), 422, 'plan_incompatible');
    expectRefusal(await offeringChange(id, api.offerings.first, api.plans.plus), 400, 'offering_unchanged');
    const missing = await api.post(to(id, 'offering-change'), { target_plan_id: api.plans.plus });
    expectRefusal(missing, 400, 'invalid_request');
    expect(missing.body.message).toContain('target_offering_id');
  });

  test('400 for its current plan, 409 while it cannot be changed', async () => {
    const { second } = api.offerings;
    const { basic, plus, elsewhere } = api.plans;
    const id = await api.subscribe();
    expectRefusal(await offeringChange(id, second, basic), 400, 'plan_unchanged');
    await planChange(id, plus);
    expectRefusal(await offeringChange(id, second, elsewhere), 409, 'subscription_change_scheduled');
    const ending = await api.subscribe();
    await api.post(to(ending, 'cancel'), { at_period_end: true }, null);
    expectRefusal(await offeringChange(ending, second, elsewhere), 409, 'subscription_cancel_scheduled');
    await api.post(to(ending, 'cancel'), {}, null);
    expectRefusal(await offeringChange(ending, second, elsewhere), 409, 'subscription_finished');
    const over = await api.post(to(ending, 'plan-change/cancel'), { action_id: 'ap_chg_1' });
    expectRefusal(over, 409, 'subscription_finished');
  });
});

describe('plan-change and offering-change with effective now', () => {
  const now = (id: string, plan: string, values = {}) =>
    api.post(to(id, 'plan-change'), { target_plan_id: plan, effective: 'now', ...values });
  const preview = (id: string, values = {}) =>
    api.post(
      to(id, 'plan-change/preview'),
      { target_plan_id: api.plans.plus, effective: 'now', ...values },
      null,
    );
  const elsewhereNow = (id: string, values = {}) => {
    const target = { target_offering_id: api.offerings.second, target_plan_id: api.plans.elsewhere };
    return api.post(to(id, 'offering-change'), { ...target, effective: 'now', ...values });
  };

  const quantity = (id: string, values = {}) =>
    api.post(to(id, 'quantity'), { quantity: 3, effective: 'now', ...values });
  const quantityPreview = (id: string, values = {}) =>
    api.post(to(id, 'quantity/preview'), { quantity: 3, effective: 'now', ...values }, null);

  test('202: a higher quantity applies once the previewed difference is paid, a lower quantity at the period’s end', async () => {
    const id = await api.subscribe();
    const previewed = await quantityPreview(id);
    expect(previewed.status).toBe(200);
    expect(changePreviewAnswer.parse(previewed.body)).toEqual(previewed.body);
    expect(previewed.body).toMatchObject({
      lines: [{ key: 'unused' }, { key: 'rest', quantity: 3, unit_amount: 900 }],
      next_renewal: { total: 2_700 },
    });
    const { calculated_at } = previewed.body;
    const more = await quantity(id, { calculated_at });
    expect(more.status).toBe(202);
    expect(subscriptionAnswer.parse(more.body)).toEqual(more.body);
    expect(more.body).toMatchObject({
      quantity: 3,
      amount: 2_700,
      change: { type: 'quantity_change', quantity: 3, status: 'applied', target_plan_id: api.plans.basic },
    });
    expect(await chargesOf(api.world, id)).toEqual([previewed.body.total]);
    const key = randomUUID();
    const now = () => api.post(to(id, 'quantity'), { quantity: 2, effective: 'now' }, key);
    const refused = await now();
    expectRefusal(refused, 409, 'change_needs_period_end');
    expect(refused.body.total).toBeLessThan(0);
    expect((await now()).body).toEqual(refused.body);
    const fewer = await quantity(id, { quantity: 2, effective: undefined });
    expect(fewer.body).toMatchObject({ quantity: 3, change: { quantity: 2, status: 'scheduled' } });
    expectRefusal(await quantity(id), 409, 'subscription_change_scheduled');
    expectRefusal(await planChange(id, api.plans.plus), 409, 'subscription_change_scheduled');
  });

  test('400 for a quantity that is the same or out of bounds, and for unknown fields', async () => {
    const id = await api.subscribe();
    for (const send of [quantity, quantityPreview]) {
      expectRefusal(await send(id, { quantity: 1 }), 400, 'quantity_unchanged');
      for (const wrong of [51, 0, 1.5, 10_001, '3'])
        expectRefusal(await send(id, { quantity: wrong }), 400, 'subscription_quantity_invalid');
      expectRefusal(await send(id, { quantity: undefined }), 400, 'invalid_request');
      for (const calculated_at of OUT_OF_CALENDAR)
        expectRefusal(await send(id, { calculated_at }), 400, 'invalid_request');
      const misnamed = await send(id, { quantitty: 3 });
      expectRefusal(misnamed, 400, 'unknown_field');
      expect(misnamed.body.message).toContain('did you mean quantity');
    }
    await quantity(id, { quantity: 2 });
    // The other plan is sold one at a time.
    expectRefusal(await planChange(id, api.plans.plus), 422, 'plan_incompatible');
  });

  test('202 with the new plan, once the previewed difference is paid', async () => {
    const id = await api.subscribe();
    const previewed = await preview(id);
    expect(previewed.status).toBe(200);
    expect(changePreviewAnswer.parse(previewed.body)).toEqual(previewed.body);
    expect(previewed.body.lines.map(({ key }: { key: string }) => key)).toEqual(['unused', 'rest']);
    const changed = await now(id, api.plans.plus, { calculated_at: previewed.body.calculated_at });
    expect(changed.status).toBe(202);
    expect(subscriptionAnswer.parse(changed.body)).toEqual(changed.body);
    expect(changed.body).toMatchObject({
      plan: { id: api.plans.plus },
      change: { status: 'applied', effective_at: previewed.body.calculated_at },
    });
    expect(await chargesOf(api.world, id)).toEqual([previewed.body.total]);
    expectMarks(changed);
  });

  test('202 with the old plan and a failed change if the charge is declined', async () => {
    const id = await api.subscribe({ card: CARDS.softDeclines });
    const changed = await now(id, api.plans.plus);
    expect([changed.status, changed.body]).toMatchObject([
      202,
      { status: 'active', plan: { id: api.plans.basic }, change: { status: 'failed' } },
    ]);
  });

  test('202 with the URL of a payment page if the bank requires authentication; withdrawing the change keeps the plan', async () => {
    const { pool } = api.world;
    const id = await api.subscribe({ card: CARDS.authenticationRequired });
    const key = randomUUID();
    const body = { target_plan_id: api.plans.plus, effective: 'now' };
    const asked = await api.post(to(id, 'plan-change'), body, key);
    expect([asked.status, asked.body]).toMatchObject([
      202,
      { status: 'active', plan: { id: api.plans.basic }, change: { status: 'requires_action' } },
    ]);
    const { hostedUrl, action_id } = asked.body.change;
    const { link, sealed } = await pool.one(sql.type(z.object({ link: z.string(), sealed: z.boolean() }))`
      select c.id as link, (select answer::text not like '%/pay/%' from idempotency_keys where key = ${key}) as sealed
      from checkouts c where c.subscription_id = ${id} and c.invoice_id is not null`);
    const token = new URL(hostedUrl).pathname.replace('/pay/', '');
    expect([(await findSession(pool, token))?.id, (await findSession(pool, token))?.link]).toEqual([
      link,
      'unpaid',
    ]);
    // Anyone with the URL can open the payment page, so it is never stored in plain text.
    expect(sealed).toBe(true);
    expect((await api.post(to(id, 'plan-change'), body, key)).body).toEqual(asked.body);
    const listed = (await readAll()).find((each: { id: string }) => each.id === id);
    expect(listed.change).toEqual({ ...asked.body.change, hostedUrl: null });
    const { shop } = api.world;
    const addressFor = async (scope: 'all' | 'read') => {
      const path = `/v1/merchants/${shop.merchantId}/subscriptions/${id}`;
      const apiKey = await insertApiKey(pool, shop, { scope });
      return (await api.api.request('GET', path, { apiKey })).body.change.hostedUrl;
    };
    expect([await addressFor('all'), await addressFor('read')]).toEqual([hostedUrl, null]);

    const withdraw = () => api.post(to(id, 'plan-change/cancel'), { action_id });
    const paying = await clickAccepted(pool, link);
    const invoice = await insertNewerInvoice(pool, id);
    const wouldBegin = [to(id, 'cancel/undo'), to(id, 'pause'), to(id, 'resume')];
    for (const path of [...wouldBegin, `/v1/invoices/${invoice}/pay`, `/v1/invoices/${invoice}/payment-link`])
      expectRefusal(await api.post(path), 409, 'subscription_change_scheduled');
    expectRefusal(await withdraw(), 409, 'subscription_change_scheduled');
    await pool.query(sql.unsafe`update subscriptions set status = 'trialing' where id = ${id}`);
    expectRefusal(await api.post(to(id, 'trial'), { ends_at: 'now' }), 409, 'subscription_change_scheduled');
    await pool.query(sql.unsafe`update subscriptions set status = 'active' where id = ${id}`);
    await pool.query(sql.unsafe`delete from invoices where id = ${invoice}`);
    await answer(pool, link, paying, DECLINED);
    for (const send of [() => now(id, api.plans.plus), () => api.post(to(id, 'cancel'), {}, null)])
      expectRefusal(await send(), 409, 'subscription_change_scheduled');
    const withdrawn = await withdraw();
    expect([withdrawn.status, withdrawn.body]).toMatchObject([200, { status: 'cancelled', hostedUrl: null }]);
    expect((await findSession(pool, token))?.link).toBe('over');
    expect((await readAll()).find((each: { id: string }) => each.id === id).plan.id).toBe(api.plans.basic);
  });

  test('a preview of a change at the end of the period charges nothing', async () => {
    const id = await api.subscribe();
    const { body } = await preview(id, { effective: undefined });
    expect(body).toMatchObject({
      lines: [],
      total: 0,
      next_renewal: { at: body.effective_at, total: 1_900 },
    });
  });

  test('each refusal applies to every kind of change and, unless it concerns the charge, to the preview', async () => {
    const { pool, shop } = api.world;
    const id = await api.subscribe();
    const all = async (status: number, code: string, values = {}) => {
      const plan = () => now(id, api.plans.plus, values);
      for (const send of [plan, () => elsewhereNow(id, values), () => quantity(id, values)])
        expectRefusal(await send(), status, code);
      if (code === 'payment_rail_unavailable' || code === 'payment_method_declined') return;
      for (const send of [preview, quantityPreview]) expectRefusal(await send(id, values), status, code);
    };
    const set = (columns: ReturnType<typeof sql.fragment>) =>
      pool.query(sql.unsafe`update subscriptions set ${columns} where id = ${id}`);
    await set(sql.fragment`status = 'trialing'`);
    await all(409, 'subscription_trialing');
    await set(sql.fragment`status = 'past_due'`);
    await all(409, 'subscription_past_due');
    await set(sql.fragment`status = 'active', pause_at_period_end = true`);
    await all(409, 'subscription_paused');
    await set(sql.fragment`pause_at_period_end = false, charging_stopped_at = now()`);
    await all(409, 'subscription_charging_stopped');
    await set(sql.fragment`charging_stopped_at = null, cancel_at_period_end = true`);
    await all(409, 'subscription_cancel_scheduled');
    await set(sql.fragment`cancel_at_period_end = false`);
    const newer = await insertNewerInvoice(pool, id);
    await all(409, 'subscription_charge_pending');
    await pool.query(sql.unsafe`delete from invoices where id = ${newer}`);
    const outdated = { calculated_at: '2026-01-01T00:00:00+01:00' };
    await all(409, 'preview_outdated', outdated);
    await all(409, 'preview_outdated', { ...outdated, effective: 'period_end' });
    await all(400, 'invalid_request', { calculated_at: 'now' });
    await all(400, 'invalid_request', { effective: 'later' });
    // A fully refunded period gives no credit, so even the cheaper plan costs something.
    await pool.query(sql.unsafe`
      update payments set refunded_amount = amount, status = 'refunded'
      where invoice_id in (select id from invoices where subscription_id = ${id})`);
    await set(sql.fragment`method_declined = true`);
    await all(409, 'payment_method_declined');
    await set(sql.fragment`method_declined = false`);
    const account = await findBreakerTarget(pool, shop.railAccountId);
    if (!account) throw new Error('no account');
    const by = { actor: 'person:ada', reason: 'incident at the rail' };
    await pauseRail(pool, account, by);
    await all(503, 'payment_rail_unavailable');
    await resumeRail(pool, account, by);
    await pool.query(sql.unsafe`
      update invoices set period_end = period_end - interval '1 second' where subscription_id = ${id}`);
    await all(409, 'change_needs_period_end');
    // Follows the operations above, because they need a run, which an incomplete subscription cannot start.
    await set(sql.fragment`status = 'incomplete'`);
    await all(409, 'subscription_incomplete');
    await set(sql.fragment`status = 'active'`);
    expectRefusal(await preview(id, { target_plan_id: api.plans.basic }), 400, 'plan_unchanged');
    expectRefusal(await preview(id, { target_plan_id: 'ap_prod_unknown' }), 404, 'plan_not_found');
    expectRefusal(await preview(id, { target_plan_id: api.plans.elsewhere }), 422, 'plan_incompatible');
    expectRefusal(await preview(id, { at: 'now' }), 400, 'unknown_field');
    await planChange(id, api.plans.plus);
    for (const send of [preview, quantityPreview])
      expectRefusal(await send(id), 409, 'subscription_change_scheduled');
    const ended = await api.subscribe();
    await api.post(to(ended, 'cancel'), {}, null);
    for (const send of [preview, quantity, quantityPreview]) {
      expectRefusal(await send(ended), 409, 'subscription_finished');
      expectRefusal(await send('ap_sub_unknown'), 404, 'subscription_not_found');
    }
    const path = to(id, 'plan-change/preview');
    expectRefusal(await api.api.request('POST', path, { body: {} }), 401, 'service_api_key_required');
  });
});

describe('POST /v1/subscriptions/:id/plan-change/cancel', () => {
  test('200 with the cancelled offering change; a new change is then accepted', async () => {
    const id = await api.subscribe();
    const target = { target_offering_id: api.offerings.second, target_plan_id: api.plans.elsewhere };
    const { body } = await api.post(to(id, 'offering-change'), target);
    const answer = await api.post(to(id, 'plan-change/cancel'), { action_id: body.change.action_id });
    expect(answer.status).toBe(200);
    expect(changeAnswer.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({ action_id: body.change.action_id, status: 'cancelled' });
    expect((await planChange(id, api.plans.plus)).status).toBe(202);
  });

  test("404 for another subscription's change, 409 for a cancelled change, 400 without a change", async () => {
    const id = await api.subscribe();
    const { body } = await planChange(id, api.plans.plus);
    const { action_id } = body.change;
    const other = await api.subscribe();
    const foreign = await api.post(to(other, 'plan-change/cancel'), { action_id });
    expectRefusal(foreign, 404, 'subscription_change_not_found');
    const blank = await api.post(to(id, 'plan-change/cancel'), { action_id: ' ' });
    expectRefusal(blank, 404, 'subscription_change_not_found');
    await api.post(to(id, 'plan-change/cancel'), { action_id });
    const over = await api.post(to(id, 'plan-change/cancel'), { action_id });
    expectRefusal(over, 409, 'subscription_change_not_scheduled');
    expectRefusal(await api.post(to(id, 'plan-change/cancel'), {}), 400, 'invalid_request');
  });
});

describe('POST /v1/subscriptions/:id/advance', () => {
  test('202 with the subscription advanced by a year', async () => {
    const id = await api.subscribe();
    const before = (await readAll()).find((each: { id: string }) => each.id === id);
    const answer = await api.post(to(id, 'advance'), { to: inDays(before.current_period_end, 340) }, null);
    expect(answer.status).toBe(202);
    expect(subscriptionAnswer.parse(answer.body)).toEqual(answer.body);
    // On a busy machine, the response arrives while the clock is still moving.
    await untilArrived(api.world, id, 60_000);
    const after = (await readAll()).find((each: { id: string }) => each.id === id);
    expect(Date.parse(after.current_period_end)).toBeGreaterThan(
      Date.parse(inDays(before.current_period_end, 340)),
    );
    expect(await invoicesOf(api.world.pool, id)).toHaveLength(13);
  });

  test('accepts an instant with any UTC offset', async () => {
    const id = await api.subscribe();
    const day = inDays(new Date().toISOString(), 40).slice(0, 10);
    const { body } = await api.post(to(id, 'advance'), { to: `${day}T12:00:00+05:30` }, null);
    await untilArrived(api.world, id, 60_000);
    const clock = await api.world.pool.oneFirst(sql.type(z.object({ now: z.string() }))`
      select subscription_clock(${id}) as now
    `);
    expect(body.status).toBe('active');
    expect(Date.parse(clock) - Date.parse(`${day}T06:30:00Z`)).toBeGreaterThanOrEqual(0);
    expect(Date.parse(clock) - Date.parse(`${day}T06:30:00Z`)).toBeLessThan(120_000);
  });

  test('403 sandbox_only with a live key, before any other check', async () => {
    const key = await liveKeyOf(api);
    const answer = await api.post('/v1/subscriptions/ap_sub_1/advance', { to: 'x' }, null, key);
    expectRefusal(answer, 403, 'sandbox_only');
  });

  test('400 for the past, for a value that is not an instant, and for more than 20 years ahead', async () => {
    const id = await api.subscribe();
    const past = '2020-01-01T00:00:00Z';
    for (const to of [past, 'tomorrow', '2040-01-01', 12, null, '9999-01-01T00:00:00Z', ...OUT_OF_CALENDAR]) {
      const answer = await api.post(`/v1/subscriptions/${id}/advance`, { to }, null);
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.message).toMatch(/\bto\b/);
    }
  });

  test('400 beyond 500 billing boundaries, and the clock does not move; a smaller step is accepted', async () => {
    const { pool, shop } = api.world;
    const daily = { ...RECURRING, interval: 'day', intervalCount: 1 } as const;
    const id = await api.subscribe({ productId: await insertPlan(pool, shop.merchantId, null, daily) });
    const { current_period_end: end } = (await readAll()).find((each: { id: string }) => each.id === id);
    const advance = (days: number) => api.post(to(id, 'advance'), { to: inDays(end, days) }, null);
    const answer = await advance(500);
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.message).toContain('500 billing boundaries');
    expect((await advance(1)).status).toBe(202);
    await untilArrived(api.world, id, 60_000);
    expect(await invoicesOf(pool, id)).toHaveLength(3);
  });

  test("429 rate_limited while two of the merchant's clocks are advancing", async () => {
    const [first, second, third] = [await api.subscribe(), await api.subscribe(), await api.subscribe()];
    for (const id of [first, second]) {
      await api.world.pool.query(sql.unsafe`
        insert into subscription_clocks (subscription_id, target)
        values (${id}, service_clock() + interval '1 hour')`);
    }
    const body = { to: inDays(new Date().toISOString(), 2) };
    const answer = await api.post(to(third, 'advance'), body, `advance-${third}`);
    expectRefusal(answer, 429, 'rate_limited');
    expectRefusal(await api.post(to(third, 'advance'), body, `advance-${third}`), 429, 'rate_limited');
    const kept = api.world.pool.exists(sql.unsafe`
      select from idempotency_keys where key = ${`advance-${third}`}`);
    expect(await kept).toBe(false);
    // A client that repeats the request every second must not fill the workflow's history.
    const { events } = await api.world.client.workflow.getHandle(third).fetchHistory();
    expect(events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toEqual([]);
    expect(answer.headers.get('retry-after')).toBe('5');
    await api.world.pool.query(sql.unsafe`update subscription_clocks set target = null`);
    expect((await api.post(to(third, 'advance'), body, `advance-${third}`)).status).toBe(202);
  });

  test('400 for an instant before the subscription’s clock, whose date the message states', async () => {
    const id = await api.subscribe();
    const [later, now] = [30, 2].map((days) => inDays(new Date().toISOString(), days));
    await api.post(to(id, 'advance'), { to: later }, null);
    await untilArrived(api.world, id, 60_000);
    const answer = await api.post(to(id, 'advance'), { to: now }, null);
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.message).toContain(later?.slice(0, 10));
  });

  test('409 for a subscription that has ended', async () => {
    const id = await api.subscribe();
    await api.post(to(id, 'cancel'), {}, null);
    const answer = await api.post(to(id, 'advance'), { to: '2035-01-01T00:00:00Z' }, null);
    expectRefusal(answer, 409, 'subscription_finished');
  });
});

describe('POST /v1/subscriptions/:id/trial', () => {
  const trial = (id: string, body?: object, key?: string) => api.post(to(id, 'trial'), body, key);
  const inTrial = () => api.subscribe({ productId: api.world.shop.products.trial });
  const inFuture = (days: number) => inDays(new Date().toISOString(), days);

  test('200 with the new end of the trial, once per key; `now` begins and charges the first period', async () => {
    const id = await inTrial();
    const endsAt = inFuture(60);
    const answer = await trial(id, { ends_at: endsAt }, `trial-${id}`);
    expect(answer.status).toBe(200);
    expect(subscriptionAnswer.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({ status: 'trialing', trial_end: endsAt, current_period_end: endsAt });
    expectMarks(answer);
    expect((await trial(id, { ends_at: endsAt }, `trial-${id}`)).body).toEqual(answer.body);
    const outdated = { ends_at: 'now', calculated_at: '2026-01-01T00:00:00+01:00' };
    const refused = await trial(id, outdated);
    expectRefusal(refused, 409, 'preview_outdated');
    expect(refused.body.total).toBe(900);
    expectRefusal(await trial(id, { ...outdated, calculated_at: 'now' }), 400, 'invalid_request');
    const ended = await trial(id, { ends_at: 'now' });
    expect(subscriptionAnswer.parse(ended.body)).toEqual(ended.body);
    expect(ended.body).toMatchObject({ status: 'active', current_period_start: ended.body.trial_end });
    await untilView(api.world, id, ({ openAttempt }) => openAttempt === null);
    expect(await chargesOf(api.world, id)).toEqual([900]);
    expectRefusal(await trial(id, { ends_at: 'now' }), 409, 'subscription_not_trialing');
  });

  test('409 while a charge of the subscription is listed after a restore; resuming is refused too', async () => {
    const [trialing, paused] = [await inTrial(), await api.subscribe()];
    const { pool } = api.world;
    await pool.query(sql.unsafe`update subscriptions set status = 'paused' where id = ${paused}`);
    await pool.query(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, merchant_id, environment, reference, kind, amount, currency,
        outcome, at, state, owner_id)
      select 1, rail_account_id, merchant_id, environment, period_payment_id(id, now(), 1), 'charge', 900, 'EUR',
        'approved', now(), 'person', id
      from subscriptions where id in (${trialing}, ${paused})`);
    expectRefusal(await trial(trialing, { ends_at: 'now' }), 409, 'subscription_charge_pending');
    expectRefusal(await api.post(to(paused, 'resume')), 409, 'subscription_charge_pending');
  });

  test('400 for an end in the past, too far ahead or without a zone, an unknown field, and without a key', async () => {
    const id = await inTrial();
    for (const wrong of ['2026-01-01T00:00:00Z', inFuture(731), '2030-01-01', 'soon', null]) {
      const answer = await trial(id, { ends_at: wrong });
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.body.message).toContain('ends_at');
    }
    expectRefusal(await trial(id), 400, 'invalid_request');
    expectRefusal(await trial(id, { ends_at: 'now', at: 1 }), 400, 'unknown_field');
    expectRefusal(await api.post(to(id, 'trial'), { ends_at: 'now' }, null), 400, 'idempotency_key_required');
  });

  test('409 if the subscription is set to end or a dispute was lost, 429 while its clock is moving', async () => {
    const id = await inTrial();
    const body = { ends_at: inFuture(30) };
    await api.post(to(id, 'cancel'), { at_period_end: true }, null);
    expectRefusal(await trial(id, body), 409, 'subscription_cancel_scheduled');
    const { pool } = api.world;
    await pool.query(sql.unsafe`
      update subscriptions set cancel_at_period_end = false, charging_stopped_at = now() where id = ${id}`);
    expectRefusal(await trial(id, body), 409, 'subscription_charging_stopped');
    await pool.query(sql.unsafe`update subscriptions set charging_stopped_at = null where id = ${id}`);
    await pool.query(sql.unsafe`
      insert into subscription_clocks (subscription_id, target) values (${id}, ${inFuture(1)})`);
    expectRefusal(await trial(id, body), 429, 'rate_limited');
    await pool.query(sql.unsafe`update subscription_clocks set target = null where subscription_id = ${id}`);
    await api.post(to(id, 'cancel'), {}, null);
    expectRefusal(await trial(id, body), 409, 'subscription_finished');
  });
});

describe('POST /v1/invoices/:id/pay', () => {
  const pay = (invoiceId: string, key?: string) => api.post(`/v1/invoices/${invoiceId}/pay`, undefined, key);
  test('200 with the attempt: a decline, then the charge; one attempt per key', async () => {
    const { id, invoiceId } = await pastDue(CARDS.twoSoftDeclines);
    const declined = await pay(invoiceId, `pay-${id}`);
    expect(declined.status).toBe(200);
    expect(paidInvoiceAnswer.parse(declined.body)).toEqual(declined.body);
    expect(declined.body).toMatchObject({
      id: invoiceId,
      status: 'payment_failed',
      payment: { status: 'failed', failure_code: 'insufficient_funds' },
    });
    expectMarks(declined);
    expect((await pay(invoiceId, `pay-${id}`)).body).toEqual(declined.body);
    const paid = await pay(invoiceId);
    expect(paid.body).toMatchObject({ status: 'created', amount_due: 0, payment: { status: 'succeeded' } });
    expect(await chargesOf(api.world, id)).toEqual([900]);
    expectRefusal(await pay(invoiceId), 409, 'invoice_not_payable');
  });

  test('makes one charge if requested at the instant of a scheduled retry', async () => {
    const { id, invoiceId } = await pastDue(CARDS.twoSoftDeclines);
    await pay(invoiceId);
    const { current_period_end: end } = (await readAll()).find((each: { id: string }) => each.id === id);
    const begun = (await invoicesOf(api.world.pool, id)).at(-1)?.period_start ?? end;
    const retried = api.post(to(id, 'advance'), { to: inDays(begun, 3) }, null);
    const answers = await Promise.all([pay(invoiceId), pay(invoiceId), retried]);
    await untilArrived(api.world, id, 60_000);
    expect(answers.every(({ status, body }) => status < 300 || body.code === 'invoice_not_payable')).toBe(
      true,
    );
    expect(await chargesOf(api.world, id)).toEqual([900]);
  });

  test('409 payment_method_declined after a hard decline, 429 for the fourth request of a day', async () => {
    const hard = await pastDue(CARDS.hardDecline);
    expectRefusal(await pay(hard.invoiceId), 409, 'payment_method_declined');
    const soft = await pastDue(CARDS.softDeclines);
    for (let n = 0; n < 3; n++) expect((await pay(soft.invoiceId)).body.payment.status).toBe('failed');
    const fourth = await pay(soft.invoiceId);
    expectRefusal(fourth, 429, 'rate_limited');
    expect(fourth.headers.get('retry-after')).toBe('3600');
  });

  test('404 for an unknown or foreign id, 409 if the subscription is set to end or may not be charged, 400 for an unknown field', async () => {
    expectRefusal(await pay('ap_inv_unknown'), 404, 'invoice_not_found');
    expectRefusal(await pay('nonsense'), 404, 'invoice_not_found');
    expectRefusal(await api.post('/v1/invoices/ap_inv_unknown/pay', []), 400, 'invalid_request');
    const { id, invoiceId } = await pastDue(CARDS.softDeclines);
    const field = await api.post(`/v1/invoices/${invoiceId}/pay`, { amount: 1 });
    expectRefusal(field, 400, 'unknown_field');
    const stranger = await insertShop(api.world.pool);
    const foreign = await api.post(`/v1/invoices/${invoiceId}/pay`, {}, undefined, stranger.apiKey);
    expectRefusal(foreign, 404, 'invoice_not_found');
    const stop = (at: string | null) =>
      api.world.pool.query(sql.unsafe`update subscriptions set charging_stopped_at = ${at} where id = ${id}`);
    await stop('2026-01-01T00:00:00Z');
    expectRefusal(await pay(invoiceId), 409, 'subscription_charging_stopped');
    await stop(null);
    const newer = await insertNewerInvoice(api.world.pool, id);
    expectRefusal(await pay(newer), 409, 'invoice_older_unpaid');
    await api.world.pool.query(sql.unsafe`delete from invoices where id = ${newer}`);
    await api.world.pool.query(
      sql.unsafe`update subscriptions set cancel_requested_at = now() where id = ${id}`,
    );
    expectRefusal(await pay(invoiceId), 409, 'subscription_cancel_scheduled');
    await api.world.client.workflow.getHandle(id).result();
    expectRefusal(await pay(invoiceId), 409, 'subscription_finished');
  });

  test('503 while the rail is paused; afterwards the same key makes the attempt', async () => {
    const { id, invoiceId } = await pastDue(CARDS.twoSoftDeclines);
    const { pool, shop } = api.world;
    const account = await findBreakerTarget(pool, shop.railAccountId);
    if (!account) throw new Error('no account');
    const by = { actor: 'person:ada', reason: 'incident at the rail' };
    await pauseRail(pool, account, by);
    const refused = await pay(invoiceId, `pay-${id}`);
    await resumeRail(pool, account, by);
    expectRefusal(refused, 503, 'payment_rail_unavailable');
    expect((await pay(invoiceId, `pay-${id}`)).body.payment.status).toBe('failed');
  });
});

describe('every operation', () => {
  const bodies: Readonly<Record<string, () => object>> = {
    cancel: () => ({}),
    'cancel/undo': () => ({}),
    pause: () => ({}),
    resume: () => ({}),
    trial: () => ({ ends_at: 'now' }),
    'plan-change': () => ({ target_plan_id: api.plans.plus }),
    'offering-change': () => ({
      target_plan_id: api.plans.elsewhere,
      target_offering_id: api.offerings.second,
    }),
    'plan-change/cancel': () => ({ action_id: 'ap_chg_1' }),
    'cancel/preview': () => ({}),
    advance: () => ({ to: '2035-01-01T00:00:00Z' }),
  };

  test.each(Object.keys(bodies))(
    '%s: 404 for an unknown, foreign or malformed subscription id',
    async (what) => {
      const body = bodies[what]?.();
      expectRefusal(await api.post(to('ap_sub_unknown', what), body), 404, 'subscription_not_found');
      expectRefusal(await api.post(to('nonsense', what), body), 404, 'subscription_not_found');
      const stranger = await insertShop(api.world.pool);
      const id = await api.subscribe();
      const foreign = await api.post(to(id, what), body, undefined, stranger.apiKey);
      expectRefusal(foreign, 404, 'subscription_not_found');
      expectRefusal(
        await api.api.request('POST', to(id, what), { body: {} }),
        401,
        'service_api_key_required',
      );
    },
  );

  test.each(Object.keys(bodies))('%s: 409 subscription_incomplete before the first payment', async (what) => {
    const { pool, shop } = api.world;
    const id = await insertSubscription(pool, shop, api.plans.basic);
    await pool.query(sql.unsafe`update subscriptions set status = 'incomplete' where id = ${id}`);
    expectRefusal(await api.post(to(id, what), bodies[what]?.()), 409, 'subscription_incomplete');
  });

  test('an unpaid invoice of a subscription without a first payment, or after its end, cannot be paid', async () => {
    const { pool, shop } = api.world;
    const id = await insertSubscription(pool, shop, api.plans.basic);
    const invoice = await insertNewerInvoice(pool, id);
    for (const [status, code] of [
      ['incomplete', 'subscription_incomplete'],
      ['cancelled', 'subscription_finished'],
    ] as const) {
      await pool.query(sql.unsafe`update subscriptions set status = ${status} where id = ${id}`);
      for (const what of ['pay', 'payment-link'])
        expectRefusal(await api.post(`/v1/invoices/${invoice}/${what}`), 409, code);
    }
  });

  test('503 while Temporal is down, without a partial effect; a later request with the same key succeeds', async () => {
    const dark = await startTestApi({
      databaseUrl: api.world.databaseUrl,
      temporal: { address: '127.0.0.1:1', namespace: api.world.namespace },
    });
    const one = async (what: string) => {
      const { trial } = api.world.shop.products;
      const id = await api.subscribe(what === 'trial' ? { productId: trial } : {});
      const scheduled =
        what === 'plan-change/cancel' ? (await planChange(id, api.plans.plus)).body.change : null;
      const body = scheduled ? { action_id: scheduled.action_id } : bodies[what]?.();
      if (what === 'cancel/undo') await api.post(to(id, 'cancel'), { at_period_end: true }, null);
      if (what === 'resume') await api.post(to(id, 'pause'), {});
      const before = (await readAll()).find((each: { id: string }) => each.id === id);
      const headers = { 'idempotency-key': `dark-${id}` };
      const answer = await dark.request('POST', to(id, what), { apiKey: api.apiKey, body, headers });
      expectRefusal(answer, 503, 'dependency_unavailable');
      expect((await readAll()).find((each: { id: string }) => each.id === id)).toEqual(before);
      const later = await api.post(to(id, what), body, headers['idempotency-key']);
      expect([200, 202]).toContain(later.status);
    };
    try {
      // A preview only reads, so it needs no Temporal.
      const changing = Object.keys(bodies).filter((what) => !what.endsWith('/preview'));
      await Promise.all(changing.map(one));
    } finally {
      await dark.stop();
    }
  });

  test('replaces a run whose tasks keep failing', async () => {
    const id = await api.subscribe();
    await api.world.client.workflow.getHandle(id).terminate('lost in this test');
    const stuck = await startStuckRun(api.world.client, id, taskQueue('billing', 'sandbox'));
    const answer = await api.post(to(id, 'cancel'), {}, null);
    expect(answer.body).toMatchObject({ status: 'cancelled' });
    expect(await isTerminated(api.world.client, stuck)).toBe(true);
  });

  test('reaches a subscription whose workflow has not started yet', async () => {
    const id = await api.subscribe();
    await api.world.client.workflow.getHandle(id).terminate('lost in this test');
    const answer = await api.post(to(id, 'cancel'), {}, null);
    expect(answer.body).toMatchObject({ status: 'cancelled' });
  });
});

describe('POST /v1/invoices/:id/payment-link', () => {
  const link = (invoiceId: string, key?: string) =>
    api.post(`/v1/invoices/${invoiceId}/payment-link`, undefined, key);

  test('201 with a link valid for a day; the same link while it is open, under any key; 409 once the invoice is paid', async () => {
    const { id, invoiceId } = await pastDue(CARDS.softDeclines);
    const made = await link(invoiceId, `link-${id}`);
    expect(made.status).toBe(201);
    expect(paymentLink.parse(made.body)).toEqual(made.body);
    expect(made.body.hostedUrl).toContain('/pay/ap_lnk_');
    expect(Date.parse(made.body.expiresAt) - Date.now()).toBeGreaterThan(86_000_000);
    expect(made.headers.get('x-service-flow-id')).toBe(made.body.id);
    expectMarks(made);
    expect((await link(invoiceId, `link-${id}`)).body).toEqual(made.body);
    const [again, third] = await Promise.all([link(invoiceId), link(invoiceId)]);
    expect([again.body.id, third.body.hostedUrl]).toEqual([made.body.id, made.body.hostedUrl]);
    await api.world.pay(made.body.id, CARDS.approved);
    await api.world.client.workflow.getHandle(made.body.id).result();
    const paid = (await invoicesOf(api.world.pool, id)).at(-1);
    expect([paid?.status, paid?.amount_due]).toEqual(['created', 0]);
    expectRefusal(await link(invoiceId), 409, 'invoice_not_payable');
  });

  test('201 with a new link once the previous link has ended', async () => {
    const { invoiceId } = await pastDue(CARDS.softDeclines);
    const first = (await link(invoiceId)).body;
    await api.world.client.workflow
      .getHandle(first.id)
      .executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
    expect((await link(invoiceId)).body.id).not.toBe(first.id);
  });

  test('404 for an unknown id, 409 if the subscription is set to end or may not be charged, 503 without an account', async () => {
    expectRefusal(await link('ap_inv_unknown'), 404, 'invoice_not_found');
    expectRefusal(await api.post('/v1/invoices/ap_inv_unknown/payment-link', []), 400, 'invalid_request');
    const { id, invoiceId } = await pastDue(CARDS.softDeclines);
    const { pool, shop } = api.world;
    const set = (columns: ReturnType<typeof sql.fragment>) =>
      pool.query(sql.unsafe`update subscriptions set ${columns} where id = ${id}`);
    await set(sql.fragment`charging_stopped_at = now()`);
    expectRefusal(await link(invoiceId), 409, 'subscription_charging_stopped');
    await set(sql.fragment`charging_stopped_at = null`);
    expectRefusal(await link(await insertNewerInvoice(pool, id)), 409, 'invoice_older_unpaid');
    const account = (status: string) =>
      pool.query(sql.unsafe`update rail_accounts set status = ${status} where id = ${shop.railAccountId}`);
    await account('activating');
    expectRefusal(await link(invoiceId), 409, 'payment_rail_activation_in_progress');
    await account('disabled');
    expectRefusal(await link(invoiceId), 503, 'payment_rail_unavailable');
    await account('active');
    await set(sql.fragment`cancel_requested_at = now()`);
    expectRefusal(await link(invoiceId), 409, 'subscription_cancel_scheduled');
  });
});

seesEveryAnswerOf(
  'cancelSubscription',
  'undoSubscriptionCancel',
  'pauseSubscription',
  'resumeSubscription',
  'moveSubscriptionTrial',
  'changePlan',
  'previewPlanChange',
  'changeOffering',
  'changeQuantity',
  'previewQuantity',
  'previewCancel',
  'cancelSubscriptionChange',
  'advanceSubscriptionClock',
  'payInvoice',
  'createPaymentLink',
);
