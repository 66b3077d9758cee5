/** A person reads and changes one subscription in the dashboard. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { subscriptionDetailsAnswer } from '../../../contract/subscription/details.ts';
import { sql } from '../../../db/core/pool.ts';
import { findBreakerTarget, pauseRail, resumeRail } from '../../../db/payment/rail-breaker.ts';
import type { Role } from '../../../domain/core/permissions.ts';
import { expectRefusal } from '../../support/api/api.ts';
import { asPerson } from '../../support/api/people.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertRailAccount, insertShop, RECURRING } from '../../support/db/fixtures.ts';
import {
  giveToCustomerOf,
  insertNewerInvoice,
  insertPendingChange,
  insertPlan,
  insertSubscription,
  invoicesOf,
} from '../../support/db/subscriptions.ts';
import { type SubscriptionApi, startSubscriptionApi } from '../../support/world/subscription-api.ts';
import { CARDS, chargesOf, untilArrived, untilView } from '../../support/world/subscription-world.ts';

let api: SubscriptionApi;

beforeAll(async () => {
  api = await startSubscriptionApi();
});
afterAll(() => api?.stop());

const base = () => `/v1/merchants/${api.world.shop.merchantId}/subscriptions`;
const person = () => asPerson(api.world.shop.merchantId);
const show = (id: string) => api.api.request('GET', `${base()}/${id}`, { headers: person() });
const post = (path: string, body: object, key: string = randomUUID()) =>
  api.api.request('POST', `${base()}/${path}`, { headers: { ...person(), 'idempotency-key': key }, body });
const command = (id: string, body: object, key?: string) => post(`${id}/commands`, body, key);
const cancel = (id: string, at_period_end: boolean) => command(id, { command: 'cancel', at_period_end });
const changePlan = (id: string, plan_id: string, offering_id: string | null = null) =>
  command(id, { command: 'change_plan', plan_id, offering_id });
const link = (id: string, role: Role = 'owner') =>
  api.api.request('POST', `${base()}/${id}/method-change`, {
    headers: { ...asPerson(api.world.shop.merchantId, role), 'idempotency-key': randomUUID() },
    body: { return_url: 'https://shop.example/account' },
  });
const payLink = (id: string, invoice_id: string) => post(`${id}/payment-link`, { invoice_id });
const audited = (id: string) =>
  api.world.pool.any(sql.type(z.object({ action: z.string(), actor: z.string(), after: z.json() }))`
    select action, actor, after from audit_log where subject_id = ${id} order by id`);
const set = (id: string, status: string) =>
  api.world.pool.query(sql.unsafe`update subscriptions set status = ${status} where id = ${id}`);

test('a person cannot give a customer a second subscription of an offering limited to one', async () => {
  const { pool } = api.world;
  const { plus } = api.plans;
  const [id, other] = [await api.subscribe(), await api.subscribe()];
  await giveToCustomerOf(pool, other, id);
  const limit = (isLimited: boolean) =>
    pool.query(
      sql.unsafe`update products set one_subscription_per_customer = ${isLimited} where id = ${plus}`,
    );
  await limit(true);
  expectRefusal(await changePlan(id, plus), 409, 'subscription_exists');
  const path = `${base()}/${id}/change-preview?plan_id=${plus}&effective=now`;
  expectRefusal(await api.api.request('GET', path, { headers: person() }), 409, 'subscription_exists');
  await limit(false);
});

test('422 recurring_price_interval_missing for a person who changes to, or previews, a plan without an interval', async () => {
  const id = await api.subscribe();
  const { pool, shop } = api.world;
  const broken = { ...RECURRING, interval: null };
  const plan = await insertPlan(pool, shop.merchantId, api.offerings.first, broken);
  const path = `${base()}/${id}/change-preview?plan_id=${plan}&effective=now`;
  for (const refused of [
    await changePlan(id, plan),
    await api.api.request('GET', path, { headers: person() }),
  ])
    expectRefusal(refused, 422, 'recurring_price_interval_missing');
});

/** The history's entries about the subscription itself. */
const historyOf = ({ timeline }: { timeline: readonly { what: string; change: string | null }[] }) =>
  timeline.flatMap(({ what, change }) => (what.startsWith('subscription.') ? [change ?? what] : []));

test('a person changes the plan, withdraws the change, advances the clock and cancels; the audit log names the person', async () => {
  const id = await api.subscribe();
  const { basic, plus, elsewhere } = api.plans;
  expectRefusal(await changePlan(id, basic), 400, 'plan_unchanged');
  expectRefusal(await changePlan(id, 'ap_prod_unknown'), 404, 'plan_not_found');
  expectRefusal(await changePlan(id, elsewhere), 422, 'plan_incompatible');
  expectRefusal(await changePlan(id, plus, api.offerings.first), 400, 'offering_unchanged');
  expectRefusal(await changePlan(id, elsewhere, 'ap_off_unknown'), 404, 'offering_not_found');
  const changed = await changePlan(id, plus);
  expect([changed.status, changed.body.change]).toMatchObject([
    200,
    { status: 'scheduled', target_plan_id: plus },
  ]);
  expectRefusal(await changePlan(id, elsewhere, api.offerings.second), 409, 'subscription_change_scheduled');
  const undo = (change_id: string) => command(id, { command: 'cancel_change', change_id });
  expectRefusal(await undo('ap_chg_1'), 404, 'subscription_change_not_found');
  expect((await undo(changed.body.change.action_id)).body.change.status).toBe('cancelled');
  expectRefusal(await undo(changed.body.change.action_id), 409, 'subscription_change_not_scheduled');

  const { body: before } = await show(id);
  const to = new Date(Date.parse(before.current_period_end) + 86_400_000).toISOString();
  expectRefusal(
    await command(id, { command: 'advance', to: '9999-01-01T00:00:00Z' }),
    400,
    'invalid_request',
  );
  expect((await command(id, { command: 'advance', to })).status).toBe(200);
  await untilArrived(api.world, id, 60_000);
  const { body: after } = await show(id);
  expect(subscriptionDetailsAnswer.schema.parse(after)).toEqual(after);
  expect(after).toMatchObject({
    environment: 'sandbox',
    clock_target: null,
    dunning: null,
    status: 'active',
  });
  expect(Date.parse(after.clock)).toBeGreaterThanOrEqual(Date.parse(to));
  const told = after.timeline.map(({ what }: { what: string }) => what);
  expect(told).toEqual(
    expect.arrayContaining(['subscription.created', 'subscription.updated', 'invoice.created']),
  );

  expect(historyOf(after)).toEqual([
    'subscription.created',
    'plan_change_scheduled',
    'change_withdrawn',
    'renewed',
  ]);

  const [first] = after.timeline.filter(({ what }: { what: string }) => what === 'invoice.created');
  expect(first.amount).toBe(900);

  expect((await cancel(id, true)).body.cancel_at_period_end).toBe(true);
  expectRefusal(await changePlan(id, plus), 409, 'subscription_cancel_scheduled');
  expect((await command(id, { command: 'undo_cancel' })).body.cancel_at_period_end).toBe(false);
  expectRefusal(await command(id, { command: 'undo_cancel' }), 409, 'subscription_cancel_not_scheduled');
  await cancel(id, true);
  const key = randomUUID();
  const now = { command: 'cancel', at_period_end: false };
  const ended = await command(id, now, key);
  expect(ended.body).toMatchObject({ status: 'cancelled', next_charge_at: null });
  expect((await command(id, now, key)).body).toEqual(ended.body);
  expectRefusal(await cancel(id, false), 409, 'subscription_finished');
  expect(await audited(id)).toEqual(
    expect.arrayContaining([
      {
        action: 'subscription.change_plan_requested',
        actor: 'person:ada@shop.example',
        after: { plan_id: plus, offering_id: null },
      },
      expect.objectContaining({ action: 'subscription.advance_requested' }),
      expect.objectContaining({ action: 'subscription.cancel_requested', after: { at_period_end: false } }),
    ]),
  );
});

test('support’s link to replace the payment method leaves the customer’s email unchanged', async () => {
  const id = await api.subscribe();
  const { customer } = (await show(id)).body;
  await api.world.pool.query(sql.unsafe`
    update customers set email_confirmed_at = null, email = 'ada@shop.example' where id = ${customer.id}`);
  const made = await link(id, 'support');
  expect([made.status, made.body.url]).toEqual([201, expect.stringMatching(/\/pay\/ap_pmc_/)]);
  expect((await show(id)).body.customer.email).toBe('ada@shop.example');
  expectRefusal(await post(`${id}/method-change`, { return_url: 'javascript:x' }), 400, 'invalid_request');
});

test('an open invoice can be paid by link until the end of its subscription is scheduled', async () => {
  const { pool, shop } = api.world;
  const id = await insertSubscription(pool, shop, api.plans.basic);
  expectRefusal(await payLink('ap_sub_0', 'ap_inv_0'), 404, 'subscription_not_found');
  expectRefusal(await post(`${id}/payment-link`, {}), 400, 'invalid_request');
  expectRefusal(await payLink(id, 'ap_inv_0'), 409, 'invoice_not_payable');
  const invoice = await insertNewerInvoice(pool, id);
  const made = await payLink(id, invoice);
  expect([made.status, made.body.url]).toEqual([201, expect.stringMatching(/\/pay\/ap_lnk_/)]);
  expect((await audited(id)).at(-1)).toMatchObject({
    action: 'subscription.payment_link_requested',
    after: { invoice_id: invoice },
  });
  expectRefusal(await payLink(id, await insertNewerInvoice(pool, id)), 409, 'invoice_older_unpaid');
  const account = (status: string) =>
    pool.query(sql.unsafe`update rail_accounts set status = ${status} where id = ${shop.railAccountId}`);
  const other = await insertSubscription(pool, shop, api.plans.basic);
  const otherInvoice = await insertNewerInvoice(pool, other);
  await account('activating');
  expectRefusal(await payLink(other, otherInvoice), 409, 'payment_rail_activation_in_progress');
  await account('disabled');
  expectRefusal(await payLink(other, otherInvoice), 503, 'payment_rail_unavailable');
  await account('active');
  await pool.query(sql.unsafe`
    insert into subscription_changes (subscription_id, type, status, target_plan_id, target_price_id, amount, effective_at)
    select id, 'plan_change', 'pending', product_id, price_id, amount, now() from subscriptions where id = ${other}`);
  expectRefusal(await payLink(other, otherInvoice), 409, 'subscription_change_scheduled');
  await set(other, 'incomplete');
  expectRefusal(await payLink(other, otherInvoice), 409, 'subscription_incomplete');
  await set(other, 'cancelled');
  expectRefusal(await payLink(other, otherInvoice), 409, 'subscription_finished');
  const stop = (column: 'charging_stopped_at' | 'cancel_requested_at') =>
    pool.query(sql.unsafe`update subscriptions set ${sql.identifier([column])} = now() where id = ${id}`);
  await stop('cancel_requested_at');
  expectRefusal(await payLink(id, invoice), 409, 'subscription_cancel_scheduled');
  await stop('charging_stopped_at');
  expectRefusal(await payLink(id, invoice), 409, 'subscription_charging_stopped');
});

test('changes and links that are not possible now are refused', async () => {
  const { pool, shop } = api.world;
  const id = await insertSubscription(pool, shop, api.plans.basic);
  await set(id, 'incomplete');
  expectRefusal(await cancel(id, false), 409, 'subscription_incomplete');
  expectRefusal(await link(id), 409, 'subscription_incomplete');
  await set(id, 'cancelled');
  expectRefusal(await link(id), 409, 'subscription_finished');
  await set(id, 'active');
  const changing = await insertSubscription(pool, shop, api.plans.basic);
  await insertPendingChange(pool, changing);
  expectRefusal(await link(changing), 409, 'subscription_change_scheduled');
  const account = (status: string) =>
    pool.query(sql.unsafe`update rail_accounts set status = ${status} where id = ${shop.railAccountId}`);
  await account('activating');
  expectRefusal(await link(id), 409, 'payment_rail_activation_in_progress');
  await account('disabled');
  expectRefusal(await link(id), 503, 'payment_rail_unavailable');
  await account('active');
  const enabled = (is: boolean) =>
    pool.query(sql.unsafe`update merchants set subscriptions_enabled = ${is} where id = ${shop.merchantId}`);
  await enabled(false);
  expectRefusal(await link(id), 403, 'merchant_feature_not_enabled');
  await enabled(true);
});

test('support cancels at the period’s end and undoes that; a developer may only move the clock', async () => {
  const { merchantId } = api.world.shop;
  const id = await api.subscribe();
  await cancel(id, true);
  const as = (role: Role, body: object) =>
    api.api.request('POST', `${base()}/${id}/commands`, {
      headers: { ...asPerson(merchantId, role), 'idempotency-key': randomUUID() },
      body,
    });
  const undo = { command: 'undo_cancel' };
  const atEnd = { command: 'cancel', at_period_end: true };
  const now = { command: 'cancel', at_period_end: false };
  const plan = { command: 'change_plan', plan_id: api.plans.plus, offering_id: null };
  const withdraw = { command: 'cancel_change', change_id: 'ap_chg_1' };
  const past = { command: 'advance', to: '2001-01-01T00:00:00Z' };
  const pay = { command: 'pay', invoice_id: 'ap_inv_1' };
  for (const body of [undo, atEnd, now, plan, withdraw, pay, { command: 'resume' }]) {
    expectRefusal(await as('developer', body), 403, 'administration_forbidden');
  }
  expectRefusal(await as('developer', past), 400, 'invalid_request');
  expectRefusal(await as('manager', past), 400, 'invalid_request');
  for (const body of [now, plan, withdraw, past]) {
    expectRefusal(await as('support', body), 403, 'administration_forbidden');
  }
  const stop = (at: string | null) =>
    api.world.pool.query(sql.unsafe`update subscriptions set charging_stopped_at = ${at} where id = ${id}`);
  await stop('2026-01-01T00:00:00Z');
  expectRefusal(await as('support', undo), 409, 'subscription_charging_stopped');
  await stop(null);
  expect((await as('support', undo)).body).toMatchObject({ status: 'active', cancel_at_period_end: false });
  expect((await as('support', atEnd)).body).toMatchObject({ status: 'active', cancel_at_period_end: true });
});

test('a person previews a change, and applies it immediately for the difference', async () => {
  const { pool } = api.world;
  const id = await api.subscribe();
  const { plus, basic, elsewhere } = api.plans;
  const preview = (query: string, of = id) =>
    api.api.request('GET', `${base()}/${of}/change-preview?${query}`, { headers: person() });
  const now = (values = {}) =>
    command(id, { command: 'change_plan', plan_id: plus, offering_id: null, ...values });
  const toPlus = `plan_id=${plus}&effective=now`;
  const atEnd = await preview(`plan_id=${plus}&effective=period_end`);
  expect(atEnd.body).toMatchObject({ lines: [], total: 0, next_renewal: { total: 1_900 } });
  expectRefusal(await preview(`plan_id=${plus}&effective=later`), 400, 'invalid_request');
  expectRefusal(await preview(`plan_id=${basic}&effective=now`), 400, 'plan_unchanged');
  expectRefusal(await preview('plan_id=ap_prod_unknown&effective=now'), 404, 'plan_not_found');
  expectRefusal(await preview(`plan_id=${elsewhere}&effective=now`), 422, 'plan_incompatible');
  const inOffering = (offering: string) => preview(`${toPlus}&offering_id=${offering}`);
  expectRefusal(await inOffering('ap_off_unknown'), 404, 'offering_not_found');
  expectRefusal(await inOffering(api.offerings.first), 400, 'offering_unchanged');
  expectRefusal(await preview(toPlus, 'ap_sub_unknown'), 404, 'subscription_not_found');

  const change = (columns: ReturnType<typeof sql.fragment>) =>
    pool.query(sql.unsafe`update subscriptions set ${columns} where id = ${id}`);
  for (const [columns, code] of [
    [sql.fragment`status = 'incomplete'`, 'subscription_incomplete'],
    [sql.fragment`status = 'expired'`, 'subscription_finished'],
    [sql.fragment`status = 'trialing'`, 'subscription_trialing'],
    [sql.fragment`status = 'past_due'`, 'subscription_past_due'],
    [sql.fragment`status = 'active', pause_at_period_end = true`, 'subscription_paused'],
    [sql.fragment`pause_at_period_end = false, charging_stopped_at = now()`, 'subscription_charging_stopped'],
    [sql.fragment`charging_stopped_at = null, cancel_at_period_end = true`, 'subscription_cancel_scheduled'],
  ] as const) {
    await change(columns);
    expectRefusal(await preview(toPlus), 409, code);
  }
  await change(sql.fragment`cancel_at_period_end = false`);
  const newer = await insertNewerInvoice(pool, id);
  expectRefusal(await preview(toPlus), 409, 'subscription_charge_pending');
  expectRefusal(await now({ effective: 'now' }), 409, 'subscription_charge_pending');
  await pool.query(sql.unsafe`delete from invoices where id = ${newer}`);
  const outdated = { effective: 'now', calculated_at: '2026-01-01T00:00:00Z' };
  const { total } = (await preview(toPlus)).body;
  for (const [effective, expected] of [
    ['now', total],
    ['period_end', 1_900],
  ]) {
    const refused = await now({ ...outdated, effective });
    expectRefusal(refused, 409, 'preview_outdated');
    expect(refused.body.total).toBe(expected);
  }
  const move = (by: string) =>
    pool.query(sql.unsafe`
      update invoices set period_end = period_end + ${by}::interval, updated_at = now() where subscription_id = ${id}`);
  await move('-1 second');
  const unknown = await preview(toPlus);
  expectRefusal(unknown, 409, 'change_needs_period_end');
  expect(unknown.body.total).toBeNull();
  expectRefusal(await now({ effective: 'now' }), 409, 'change_needs_period_end');
  await move('1 second');

  const previewed = (await preview(toPlus)).body;
  await now({ effective: 'now', calculated_at: previewed.calculated_at });
  await untilView(api.world, id, ({ openAttempt }) => openAttempt === null);
  expect((await show(id)).body).toMatchObject({ plan: { id: plus }, change: { status: 'applied' } });
  expect(await chargesOf(api.world, id)).toEqual([previewed.total]);
  await changePlan(id, basic);
  expectRefusal(await preview(`plan_id=${basic}&effective=now`), 409, 'subscription_change_scheduled');
  expect(await audited(id)).toContainEqual(
    expect.objectContaining({
      action: 'subscription.change_plan_requested',
      after: expect.objectContaining({ effective: 'now', calculated_at: previewed.calculated_at }),
    }),
  );
});

test('support previews a cancellation, and the renewal after it is undone', async () => {
  const { pool, shop } = api.world;
  const id = await api.subscribe();
  const preview = (command: string, effective = 'period_end') => {
    const path = `${base()}/${id}/change-preview?command=${command}&effective=${effective}`;
    return api.api.request('GET', path, { headers: asPerson(shop.merchantId, 'support') });
  };
  const before = (await show(id)).body;
  const { current_period_end: end } = before;
  const atEnd = (await preview('cancel')).body;
  expect(atEnd).toMatchObject({ lines: [], total: 0, effective_at: end, next_renewal: null });
  const { effective_at, calculated_at } = (await preview('cancel', 'now')).body;
  expect(effective_at).toBe(calculated_at);
  expectRefusal(await preview('undo_cancel'), 409, 'subscription_cancel_not_scheduled');
  expectRefusal(await preview('stop'), 400, 'invalid_request');
  const resumesAt = '2027-12-01T00:00:00.000Z';
  const paused = (await preview('pause', `period_end&resumes_at=${resumesAt}`)).body;
  expect(paused).toMatchObject({ total: 0, effective_at: end, next_renewal: { at: resumesAt, total: 900 } });
  expect((await preview('pause')).body).toMatchObject({ effective_at: end, next_renewal: null });
  expectRefusal(await preview('pause', `period_end&resumes_at=${end}`), 400, 'invalid_request');
  expectRefusal(await preview('resume', 'now'), 409, 'subscription_not_paused');
  expect((await show(id)).body).toMatchObject({ cancel_at_period_end: false, next_renewal: { at: end } });

  await cancel(id, true);
  const renewed = async () => (await preview('undo_cancel')).body.next_renewal;
  const expected = async (columns: ReturnType<typeof sql.fragment>, what: object | null) => {
    await pool.query(sql.unsafe`update subscriptions set ${columns} where id = ${id}`);
    expect(await renewed()).toEqual(what);
  };
  const resumes = '2035-01-01T12:00:00.000Z';
  await expected(sql.fragment`pause_at_period_end = true`, null);
  await expected(sql.fragment`resumes_at = ${resumes}`, { at: resumes, total: 900 });
  await expected(sql.fragment`resumes_at = null, pause_at_period_end = false, billing_cycles_left = 0`, null);
  await expected(sql.fragment`billing_cycles_left = null`, { at: end, total: 900 });
  await command(id, { command: 'undo_cancel' });
  expect((await show(id)).body.next_renewal).toMatchObject({ at: end, total: 900 });
});

test('owners and managers preview and change the quantity; support may not', async () => {
  const { merchantId } = api.world.shop;
  const id = await api.subscribe();
  const as = (role: Role, values: object) =>
    api.api.request('POST', `${base()}/${id}/commands`, {
      headers: { ...asPerson(merchantId, role), 'idempotency-key': randomUUID() },
      body: { command: 'change_quantity', quantity: 3, effective: 'now', ...values },
    });
  const preview = (quantity: string) =>
    api.api.request('GET', `${base()}/${id}/change-preview?effective=now${quantity}`, { headers: person() });
  for (const role of ['support', 'developer', 'analyst'] as const)
    expectRefusal(await as(role, {}), 403, 'administration_forbidden');
  for (const send of [
    (of: number) => as('manager', { quantity: of }),
    (of: number) => preview(`&quantity=${of}`),
  ]) {
    expectRefusal(await send(1), 400, 'quantity_unchanged');
    expectRefusal(await send(51), 400, 'subscription_quantity_invalid');
    expectRefusal(await send(0), 400, 'invalid_request');
  }
  expectRefusal(await preview(''), 400, 'invalid_request');
  expectRefusal(await as('manager', { quantitty: 3 }), 400, 'unknown_field');
  const { calculated_at, total } = (await preview('&quantity=3')).body;
  expect((await as('manager', { calculated_at })).status).toBe(200);
  await untilView(api.world, id, ({ openAttempt }) => openAttempt === null);
  const { body: changed } = await show(id);
  expect(changed).toMatchObject({ quantity: 3, amount: 2_700 });
  expect(historyOf(changed)).toEqual(['subscription.created', 'quantity_changed']);
  expect(await chargesOf(api.world, id)).toEqual([total]);
});

test('support may pause and resume; a developer may not', async () => {
  const { merchantId } = api.world.shop;
  const id = await api.subscribe();
  const as = (role: Role, body: object) =>
    api.api.request('POST', `${base()}/${id}/commands`, {
      headers: { ...asPerson(merchantId, role), 'idempotency-key': randomUUID() },
      body,
    });
  const pause = { command: 'pause', resumes_at: null };
  expectRefusal(await as('developer', pause), 403, 'administration_forbidden');
  expectRefusal(await as('support', { command: 'resume' }), 409, 'subscription_not_paused');
  await set(id, 'trialing');
  expectRefusal(await as('support', pause), 409, 'subscription_trialing');
  await set(id, 'past_due');
  expectRefusal(await as('support', pause), 409, 'subscription_past_due');
  await set(id, 'active');
  expect((await as('support', pause)).body).toMatchObject({
    status: 'active',
    pause_at_period_end: true,
    next_charge_at: null,
  });
  expectRefusal(await changePlan(id, api.plans.plus), 409, 'subscription_paused');
  const { body } = await as('support', { command: 'resume' });
  expect(body).toMatchObject({ pause_at_period_end: false, next_charge_at: body.current_period_end });

  await as('support', pause);
  const to = new Date(Date.parse(body.current_period_end) + 86_400_000).toISOString();
  await command(id, { command: 'advance', to });
  await untilArrived(api.world, id, 60_000);
  const outdated = { command: 'resume', calculated_at: body.current_period_end };
  expectRefusal(await as('support', outdated), 409, 'preview_outdated');
  const { calculated_at, total } = (
    await api.api.request('GET', `${base()}/${id}/change-preview?command=resume&effective=now`, {
      headers: asPerson(merchantId, 'support'),
    })
  ).body;
  expect((await as('support', { command: 'resume', calculated_at })).status).toBe(200);
  await untilView(api.world, id, ({ status, openAttempt }) => status === 'active' && !openAttempt);
  expect((await show(id)).body).toMatchObject({ current_period_start: calculated_at });
  expect(await chargesOf(api.world, id)).toEqual([total]);
  expect((await audited(id)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['subscription.pause_requested', 'subscription.resume_requested']),
  );
  expect(historyOf((await show(id)).body)).toEqual([
    'subscription.created',
    'pause_set',
    'pause_withdrawn',
    'pause_set',
    'subscription.paused',
    'subscription.resumed',
  ]);
});

test('a manager moves the end of a trial; support and developers may not', async () => {
  const { merchantId, products } = api.world.shop;
  const id = await api.subscribe({ productId: products.trial });
  const as = (role: Role, ends_at: string, previewed: { readonly calculated_at?: string } = {}) =>
    api.api.request('POST', `${base()}/${id}/commands`, {
      headers: { ...asPerson(merchantId, role), 'idempotency-key': randomUUID() },
      body: { command: 'move_trial', ends_at, ...previewed },
    });
  const end = new Date(Date.now() + 40 * 86_400_000).toISOString();
  for (const role of ['support', 'developer'] as const)
    expectRefusal(await as(role, end), 403, 'administration_forbidden');
  expectRefusal(await as('manager', '2026-01-01T00:00:00Z'), 400, 'invalid_request');
  const preview = (query: string) =>
    api.api.request('GET', `${base()}/${id}/change-preview?command=move_trial&effective=now${query}`, {
      headers: asPerson(merchantId, 'support'),
    });
  expectRefusal(await preview(''), 400, 'invalid_request');
  expectRefusal(await preview('&ends_at=2026-01-01T00:00:00Z'), 400, 'invalid_request');
  expect((await preview('&ends_at=now')).body).toMatchObject({ total: 900, lines: [{ amount: 900 }] });
  expect((await preview(`&ends_at=${end}`)).body).toMatchObject({
    total: 0,
    effective_at: end,
    next_renewal: { at: end, total: 900 },
  });
  expect((await as('manager', end)).body).toMatchObject({ trial_end: end, next_charge_at: end });
  const outdated = { calculated_at: new Date(Date.now() - 86_400_000).toISOString() };
  expectRefusal(await as('owner', 'now', outdated), 409, 'preview_outdated');
  const { calculated_at } = (await preview('&ends_at=now')).body;
  expect((await as('owner', 'now', { calculated_at })).status).toBe(200);
  await untilView(api.world, id, ({ status, openAttempt }) => status === 'active' && !openAttempt);
  expect((await show(id)).body).toMatchObject({ trial_end: calculated_at });
  expect(await chargesOf(api.world, id)).toEqual([900]);
  const { body: begun } = await show(id);
  expect(historyOf(begun)).toEqual(['subscription.created', 'trial_moved', 'trial_moved', 'renewed']);
  expectRefusal(await as('owner', end), 409, 'subscription_not_trialing');
  expectRefusal(await preview('&ends_at=now'), 409, 'subscription_not_trialing');
  expect(await audited(id)).toContainEqual({
    action: 'subscription.move_trial_requested',
    actor: 'person:ada@shop.example',
    after: { ends_at: end },
  });
});

test('support charges an unpaid invoice once; an invoice that cannot be charged is refused', async () => {
  const { pool, shop } = api.world;
  const id = await api.subscribe({ card: CARDS.twoSoftDeclines });
  const [first] = await invoicesOf(pool, id);
  const support = { ...asPerson(shop.merchantId, 'support') };
  const pay = (invoice_id: string | undefined) =>
    api.api.request('POST', `${base()}/${id}/commands`, {
      headers: { ...support, 'idempotency-key': randomUUID() },
      body: { command: 'pay', invoice_id },
    });
  expectRefusal(await pay(first?.id), 409, 'invoice_not_payable');
  const to = new Date(Date.parse(first?.period_end ?? '') + 86_400_000).toISOString();
  await command(id, { command: 'advance', to });
  await untilArrived(api.world, id, 60_000);
  const unpaid = (await invoicesOf(pool, id)).at(-1)?.id;
  const newer = await insertNewerInvoice(pool, id);
  expectRefusal(await pay(newer), 409, 'invoice_older_unpaid');
  await pool.query(sql.unsafe`delete from invoices where id = ${newer}`);
  const account = await findBreakerTarget(pool, shop.railAccountId);
  if (!account) throw new Error('no account');
  const by = { actor: 'person:ada', reason: 'incident at the rail' };
  await pauseRail(pool, account, by);
  const unavailable = await pay(unpaid);
  await resumeRail(pool, account, by);
  expectRefusal(unavailable, 503, 'payment_rail_unavailable');
  expect((await pay(unpaid)).status).toBe(200);
  await untilView(api.world, id, ({ openAttempt }) => openAttempt === null);
  await pool.query(sql.unsafe`update subscriptions set charge_at = null where id = ${id}`);
  expectRefusal(await pay(unpaid), 409, 'payment_method_declined');
  expect((await audited(id)).map(({ action }) => action)).toContain('subscription.pay_requested');
});

test('404 for another merchant’s subscription and a malformed id; the clock of a live subscription cannot be moved', async () => {
  const { pool, shop } = api.world;
  const other = await insertShop(pool);
  const theirs = await insertSubscription(pool, other, other.products.recurring);
  for (const id of [theirs, 'ap_sub_unknown', 'nonsense']) {
    expectRefusal(await show(id), 404, 'subscription_not_found');
    expectRefusal(await cancel(id, false), 404, 'subscription_not_found');
    expectRefusal(await link(id), 404, 'subscription_not_found');
  }
  const { merchantId } = shop;
  await insertRailAccount(pool, { merchantId, environment: 'production' });
  const live = await insertSubscription(pool, { merchantId, environment: 'production' }, api.plans.basic);
  const to = '2035-01-01T00:00:00Z';
  expectRefusal(await command(live, { command: 'advance', to }), 403, 'sandbox_only');
  const byKey = (id: string) => api.api.request('GET', `${base()}/${id}`, { apiKey: api.apiKey });
  expectRefusal(await byKey(live), 404, 'subscription_not_found');
});

seesEveryAnswerOf(
  'showSubscription',
  'commandSubscription',
  'previewSubscriptionChange',
  'linkMethodChange',
  'linkInvoice',
);
