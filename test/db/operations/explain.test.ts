/** Operators find a subject by any id and see its explanation. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { INCIDENT_KINDS } from '../../../contract/operations/incident-kinds.ts';
import { sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { explain } from '../../../db/operations/explain.ts';
import { storeRequestToConfirm } from '../../../db/operations/operator-requests.ts';
import { searchSubjects } from '../../../db/operations/search.ts';
import { recordOrphan, recordOrphanReturned } from '../../../db/payment/orphaned-charges.ts';
import { storeRailAnswer } from '../../../db/payment/rail-answers.ts';
import { findBreakerTarget, pauseRail, resumeRail } from '../../../db/payment/rail-breaker.ts';
import {
  applyWebhooksReceivedBefore,
  askUntilAnswered,
  storeRailWebhook,
} from '../../../db/payment/rail-webhooks.ts';
import { recordEvent } from '../../../db/webhook/events.ts';
import { insertPurchase, insertShop, type Purchase, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

const LINKS = {
  temporalUi: { url: 'http://temporal.example', namespace: 'default' },
  runbookUrl: 'docs/on-call.md',
};

let database: OpenTestDatabase;
let shop: Shop;
let purchase: Purchase;

beforeAll(async () => {
  database = await openTestDatabase();
  const { pool } = database;
  shop = await insertShop(pool);
  purchase = await insertPurchase(pool, shop, shop.products.recurring, {
    recurring: true,
    paymentStatus: 'failed',
  });
  await insertPurchase(pool, shop, shop.products.oneTime);
  const { checkoutId, customerId, paymentId } = purchase;
  const { merchantId, environment, railAccountId } = shop;
  await pool.query(sql.unsafe`
    update checkouts set merchant_reference = 'cart-17', state = 'failed', failure_reason = 'expired',
      finished_at = service_clock() where id = ${checkoutId}`);
  await pool.query(sql.unsafe`
    update customers set external_customer_id = 'user-17', email = 'Ada@Example.eu' where id = ${customerId}`);
  await pool.query(sql.unsafe`update payments set rail_order_id = 'ch_17' where id = ${paymentId}`);
  await pool.query(sql.unsafe`
    insert into refunds (id, merchant_id, environment, payment_id, rail_account_id, operation_id, amount, currency,
      rail_refund_id)
    values ('ap_ref_17', ${merchantId}, ${environment}, ${paymentId}, ${railAccountId}, 'op_17', 300, 'EUR', 're_17')`);
  await storeRailAnswer(pool, {
    account: { id: railAccountId, rail: 'sandbox', environment },
    reference: paymentId,
    operation: 'lookup',
    outcome: 'unknown',
    code: 'timeout',
    detail: 'req_17',
    tookMs: 20_000,
    isAttempt: false,
  });
  await inTransaction(pool, (tx) => recordOrphan(tx, paymentId));
  await pool.query(sql.unsafe`
    update heartbeats set at = service_clock() - interval '10 minutes' where name = 'sweep'`);
});
afterAll(() => database?.close());

const idsFoundBy = async (named: string) =>
  (await searchSubjects(database.pool, named, null, 50)).map(({ id }) => id).sort();

describe('search', () => {
  test.each([
    ['a payment', () => purchase.paymentId, () => [purchase.paymentId]],
    ['a charge at the rail', () => 'ch_17', () => [purchase.paymentId]],
    ['a refund at the rail', () => 're_17', () => ['ap_ref_17']],
    ["the merchant's reference", () => 'cart-17', () => [purchase.checkoutId]],
    ["the merchant's customer", () => 'user-17', () => [purchase.checkoutId, purchase.subscriptionId]],
    [
      "the buyer's email address",
      () => 'ada@example.eu',
      () => [purchase.checkoutId, purchase.subscriptionId],
    ],
    ['an order', () => purchase.orderId, () => [purchase.checkoutId]],
    [
      'an invoice',
      () => purchase.invoiceId,
      () => [purchase.checkoutId, purchase.invoiceId, purchase.subscriptionId],
    ],
    ['a rail account', () => shop.railAccountId, () => [shop.railAccountId]],
    ['a rail in an environment', () => 'sandbox:sandbox', () => ['sandbox:sandbox']],
    ['an incident without a separate row', () => 'sweep', () => ['sweep']],
    ['nothing', () => 'ap_pay_none', () => []],
  ])('finds a subject by the id of %s', async (_what, named, found) => {
    expect(await idsFoundBy(named())).toEqual(found());
  });

  test('finds a merchant by its name in any letter case', async () => {
    const { merchantId } = await insertShop(database.pool, { name: 'Tea & Sons' });
    expect(await idsFoundBy('tea & sons')).toEqual([merchantId]);
    expect(await searchSubjects(database.pool, 'tea & sons', [shop.merchantId], 50)).toEqual([]);
  });

  test('shows the id at the rail, if there is one', async () => {
    const atRail = async (named: string) =>
      (await searchSubjects(database.pool, named, null, 50)).map((each) => each.rail_reference);
    expect(await atRail(purchase.paymentId)).toEqual(['ch_17']);
    expect(await atRail('ap_ref_17')).toEqual(['re_17']);
    expect(await atRail('cart-17')).toEqual([null]);
    expect(await atRail('sweep')).toEqual([null]);
  });

  test('shows nothing of other merchants', async () => {
    expect(await searchSubjects(database.pool, purchase.paymentId, ['ap_mer_other'], 50)).toEqual([]);
    expect(await searchSubjects(database.pool, purchase.paymentId, [shop.merchantId], 50)).toHaveLength(1);
    expect(await searchSubjects(database.pool, 'sandbox:sandbox', [shop.merchantId], 50)).toEqual([]);
    expect(await searchSubjects(database.pool, 'sweep', [shop.merchantId], 50)).toEqual([]);
  });
});

async function whyOf(named: string, withPeople = true) {
  const [subject] = await searchSubjects(database.pool, named, null, 2);
  if (!subject) throw new Error(`nothing has the id ${named}`);
  return explain(database.pool, subject, LINKS, withPeople);
}
const saidIn = ({ history }: { readonly history: readonly { readonly what: string }[] }) =>
  history.map(({ what }) => what);

describe('why', () => {
  test('shows a payment’s incident, the rail’s last answer, its history and its owner', async () => {
    const [subject] = await searchSubjects(database.pool, 'ch_17', null, 2);
    if (!subject) throw new Error('not found');
    const told = await explain(database.pool, subject, LINKS);
    expect(told).toMatchObject({
      // The usual text for a failed session, that no money was taken, would be wrong here.
      means: INCIDENT_KINDS.orphaned_charge.means,
      by_itself: INCIDENT_KINDS.orphaned_charge.byItself,
      rail_said: { words: 'lookup: unknown, timeout, req_17 (20000 ms)' },
      incidents: [{ kind: 'orphaned_charge', next: `npm run ops -- ask ${purchase.paymentId}` }],
      workflow_url: `http://temporal.example/namespaces/default/workflows/${purchase.checkoutId}`,
    });
    const history = told.history.map(({ what }) => what);
    expect(history).toEqual(
      expect.arrayContaining([
        'attempt 1 claimed',
        'the rail: lookup: unknown, timeout, req_17 (20000 ms)',
        'alert: orphaned_charge',
      ]),
    );
    expect(told.history.map(({ at }) => at)).toEqual(told.history.map(({ at }) => at).sort());
    expect(told.related.map(({ kind }) => kind).sort()).toEqual([
      'invoice',
      'order',
      'refund',
      'session',
      'subscription',
    ]);
  });

  test('shows an invoice’s session, subscription and payment', async () => {
    const told = await whyOf(purchase.invoiceId);
    expect(told).toMatchObject({
      subject: { kind: 'invoice', id: purchase.invoiceId, state: 'created', found_by: 'id' },
      means: 'Paid, or nothing was due.',
      commands: [],
    });
    expect(told.related.map(({ id }) => id)).toEqual(
      expect.arrayContaining([purchase.checkoutId, purchase.subscriptionId, purchase.paymentId]),
    );
  });

  test('shows a session’s end and incident, and a refund’s next look-up', async () => {
    const [session] = await searchSubjects(database.pool, 'cart-17', null, 2);
    const [refund] = await searchSubjects(database.pool, 're_17', null, 2);
    if (!session || !refund) throw new Error('not found');
    const told = await explain(database.pool, session, LINKS);
    expect(told.incidents.map(({ kind }) => kind)).toEqual(['orphaned_charge']);
    expect(told.history.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^session created, expires at \d{4}-\d\d-\d\dT[\d:.]+Z$/),
        'session failed (expired)',
      ]),
    );
    expect(await explain(database.pool, refund, LINKS)).toMatchObject({
      next_at: expect.any(String),
      by_itself: expect.stringContaining('asked again'),
      workflow_url: expect.stringContaining('ap_ref_17'),
    });
  });

  test('explains a rail as a whole, and the sweep, by their incidents', async () => {
    expect(await whyOf('sandbox:sandbox')).toMatchObject({
      means: 'Accepts new attempts.',
      incidents: [],
      subject: { kind: 'rail', merchant_id: '' },
      commands: [{ command: 'pause_rail' }, { command: 'resume_rail' }],
    });
    const target = await findBreakerTarget(database.pool, 'sandbox:sandbox');
    if (!target) throw new Error('no rail');
    await pauseRail(database.pool, target, { actor: 'person:ada', reason: 'incident at the rail' });
    const paused = await whyOf('sandbox:sandbox');
    expect(paused).toMatchObject({
      means: 'Paused by an operator: new attempts are rejected.',
      incidents: [
        {
          kind: 'rail_unavailable',
          id: 'sandbox:sandbox',
          next: 'npm run ops -- resume-rail sandbox:sandbox --reason <why>',
        },
      ],
    });
    expect(saidIn(paused)).toEqual(['rail.pause by person:ada: incident at the rail']);
    await resumeRail(database.pool, target, { actor: 'person:ada', reason: 'it is well' });
    expect((await whyOf(shop.railAccountId)).means).toBe('Takes payments.');
    const account = await findBreakerTarget(database.pool, shop.railAccountId);
    if (!account) throw new Error('no account');
    await pauseRail(database.pool, account, { actor: 'person:ada', reason: 'incident at the rail' });
    expect((await whyOf(shop.railAccountId)).means).toBe(INCIDENT_KINDS.rail_unavailable.means);
    await resumeRail(database.pool, account, { actor: 'person:ada', reason: 'it is well' });
    expect(await whyOf('sweep')).toMatchObject({
      means: INCIDENT_KINDS.sweep_late.means,
      by_itself: INCIDENT_KINDS.sweep_late.byItself,
      incidents: [{ kind: 'sweep_late' }],
    });
  });

  test('shows the command that a second person confirms, and names people only to readers of the audit log', async () => {
    const { pool } = database;
    const command = {
      command: 'resolve',
      outcome: 'failed',
      reason: 'the ticket',
      evidence: 'no such charge',
    };
    const { id } = await storeRequestToConfirm(pool, {
      subjectId: purchase.checkoutId,
      merchantId: shop.merchantId,
      environment: shop.environment,
      amount: 1_900,
      paymentId: purchase.paymentId,
      currency: 'EUR',
      command,
      asker: { actor: 'person:ada' },
    });
    const request = expect.objectContaining({
      ...command,
      id,
      subject_id: purchase.checkoutId,
      amount: 1_900,
      asked_by: 'person:ada',
    });
    const told = await whyOf(id);
    expect(told).toMatchObject({
      request,
      related: expect.arrayContaining([
        expect.objectContaining({ kind: 'session', id: purchase.checkoutId }),
      ]),
    });
    expect(told.incidents.find(({ kind }) => kind === 'second_person_needed')?.request).toEqual(request);
    expect(saidIn(told)).toContain('requested by person:ada');
    const less = await whyOf(id, false);
    expect(less.request).toBeNull();
    expect(less.incidents.map((each) => each.request)).toEqual(less.incidents.map(() => null));
    expect(saidIn(less)).not.toContain('requested by person:ada');

    const stateAfter = async (change: ReturnType<typeof sql.fragment>) => {
      await pool.query(sql.unsafe`update operator_requests set ${change} where id = ${id}`);
      return (await whyOf(id)).subject.state;
    };
    expect(told.subject.state).toBe('waiting');
    expect(await stateAfter(sql.fragment`asked_at = asked_at - interval '25 hours'`)).toBe('expired');
    expect(await stateAfter(sql.fragment`confirmed_by = 'person:ben', confirmed_at = service_clock()`)).toBe(
      'confirmed',
    );
    expect(await stateAfter(sql.fragment`carried_out_at = service_clock()`)).toBe('carried_out');
    expect(saidIn(await whyOf(id))).toEqual(
      expect.arrayContaining(['confirmed by person:ben', 'executed or refused']),
    );
    expect(await stateAfter(sql.fragment`withdrawn_by = 'person:ada'`)).toBe('withdrawn');
    expect(saidIn(await whyOf(id))).toContain('withdrawn by person:ada');
  });

  test('attributes an outcome to the operator until the rail confirms it', async () => {
    const { pool } = database;
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    expect((await whyOf(paymentId)).means).toBe('The rail confirmed the charge.');
    await askUntilAnswered(pool, 'payment', paymentId);
    const open = await whyOf(paymentId);
    expect(open).toMatchObject({
      means: expect.stringContaining('An operator settled it, and the rail has not confirmed that yet.'),
      by_itself: 'The rail is asked until it answers, and an alert is raised if it disagrees.',
    });
    expect(saidIn(open)).toContain('settled by an operator: the rail is asked until it confirms');
    await applyWebhooksReceivedBefore(pool, paymentId, new Date(Date.now() + 60_000).toISOString());
    const answered = await whyOf(paymentId);
    expect(answered.means).toBe('The rail confirmed the charge.');
    expect(saidIn(answered)).toContain('settled by an operator: the rail has answered since');
    expect(saidIn(answered).join()).not.toContain('webhook from the rail');
  });

  test('mentions a charge that was made after the session’s end and returned', async () => {
    const { pool } = database;
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime, {
      paymentStatus: 'cancelled',
    });
    expect((await whyOf(paymentId)).means).toBe('Ended at the rail before a charge.');
    await inTransaction(pool, (tx) => recordOrphan(tx, paymentId));
    await storeRailAnswer(pool, {
      account: { id: shop.railAccountId, rail: 'sandbox', environment: shop.environment },
      reference: paymentId,
      operation: 'cancel',
      outcome: 'approved',
      code: null,
      detail: null,
      tookMs: 4,
      isAttempt: false,
    });
    expect(await whyOf(paymentId)).toMatchObject({
      means: INCIDENT_KINDS.orphaned_charge.means,
      rail_said: { words: 'cancel: too late, approved (4 ms)' },
    });
    await inTransaction(pool, (tx) => recordOrphanReturned(tx, paymentId, 'refund'));
    expect(await whyOf(paymentId)).toMatchObject({
      means: 'Charged after it had ended, and returned to the buyer.',
      by_itself: 'Nothing.',
    });
  });

  test('does not show another account’s webhooks about the same id', async () => {
    const { pool } = database;
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    const foreign = await insertShop(pool);
    const webhook = (railAccountId: string, hint: 'approved' | 'declined') =>
      storeRailWebhook(pool, { railAccountId, railEventId: `evt-${hint}`, reference: paymentId, hint });
    await webhook(foreign.railAccountId, 'declined');
    await webhook(shop.railAccountId, 'approved');
    const said = saidIn(await whyOf(paymentId)).filter((each) => each.includes('webhook from the rail'));
    expect(said).toEqual(['webhook from the rail: approved']);
  });

  test('shows that an answer could not be recorded, not that it is missing', async () => {
    const { pool } = database;
    const { paymentId, checkoutId } = await insertPurchase(pool, shop, shop.products.oneTime, {
      paymentStatus: 'processing',
    });
    const { means: unanswered } = await whyOf(paymentId);
    expect(unanswered).toBe('Sent to the rail; the outcome is not known yet.');
    await pool.query(sql.unsafe`
      insert into unrecorded_outcomes (workflow_id, reference, merchant_id, environment, amount, activity, error)
      values (${checkoutId}, ${paymentId}, ${shop.merchantId}, ${shop.environment}, 900, 'recordOutcome', '23514')`);
    expect(await whyOf(paymentId)).toMatchObject({
      means: INCIDENT_KINDS.outcome_not_recorded.means,
      by_itself: INCIDENT_KINDS.outcome_not_recorded.byItself,
    });
    await pool.query(sql.unsafe`delete from unrecorded_outcomes where reference = ${paymentId}`);
  });

  test('shows that a merchant without an endpoint receives no webhooks, and that declined cards require proofs of work', async () => {
    const { pool } = database;
    const untested = await insertShop(pool);
    const means = async () => (await whyOf(untested.merchantId)).means;
    expect(await means()).toBe('Can sell. Receives no webhooks: it has no endpoint.');
    await pool.query(sql.unsafe`
      insert into webhook_endpoints (merchant_id, environment, url, secret)
      values (${untested.merchantId}, 'sandbox', 'https://shop.example', '\\x00')`);
    expect(await means()).toBe('Sells.');
    await pool.query(sql.unsafe`
      insert into card_declines (merchant_id, environment, passed, passing_since)
      values (${untested.merchantId}, 'sandbox', 'merchant', service_clock())`);
    expect(await means()).toBe(INCIDENT_KINDS.card_testing.means);
  });

  test('shows that issuing an invoice is being retried', async () => {
    const { pool } = database;
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    await pool.query(sql.unsafe`
      insert into invoices_due (payment_id, merchant_id, environment, draft, error)
      values (${paymentId}, ${shop.merchantId}, ${shop.environment}, '{}', '23514')`);
    expect(await whyOf(paymentId)).toMatchObject({
      means: INCIDENT_KINDS.invoice_not_issued.means,
      by_itself: INCIDENT_KINDS.invoice_not_issued.byItself,
    });
    await pool.query(sql.unsafe`delete from invoices_due where payment_id = ${paymentId}`);
  });

  test('shows each endpoint’s response to an event, and an endpoint’s responses to each event', async () => {
    const { pool } = database;
    const { merchantId, environment } = shop;
    await pool.query(sql.unsafe`
      insert into webhook_endpoints (id, merchant_id, environment, url, secret)
      values ('ap_whe_why', ${merchantId}, ${environment}, 'https://shop.example', '\\x00')`);
    await inTransaction(pool, (tx) =>
      recordEvent(tx, {
        scope: { merchantId, environment },
        type: 'billing.operational_alert',
        aggregateId: 'ap_whe_other',
        aggregateVersion: 1,
        alert: { code: 'webhook_endpoint_disabled', reference: 'ap_whe_other' },
      }),
    );
    const eventId = await pool.oneFirst(sql.type(z.object({ event_id: z.string() }))`
      update deliveries set attempts = 1, next_attempt_at = service_clock() + interval '1 hour'
      where endpoint_id = 'ap_whe_why' returning event_id`);
    await pool.query(sql.unsafe`
      insert into delivery_attempts (endpoint_id, event_id, attempt, at, duration_ms, status, error)
      values ('ap_whe_why', ${eventId}, 1, service_clock(), 41, 500, 'the endpoint answered 500')`);
    const ofEvent = await whyOf(eventId);
    expect(saidIn(ofEvent)).toContain('attempt 1 to ap_whe_why: the endpoint answered 500 (41 ms)');
    expect(ofEvent).toMatchObject({
      next_at: expect.any(String),
      related: [{ kind: 'endpoint', id: 'ap_whe_why', state: 'enabled', environment }],
    });
    const stateOfEvent = async () => (await searchSubjects(pool, eventId, null, 2)).map(({ state }) => state);
    expect(await stateOfEvent()).toEqual(['pending']);
    expect((await whyOf('ap_whe_why')).means).toBe('Receives events.');
    const failing = await pool.oneFirst(sql.type(z.object({ failing_since: z.string() }))`
      update webhook_endpoints set failing_since = service_clock() - interval '1 minute' where id = 'ap_whe_why'
      returning failing_since`);
    const waits = await whyOf('ap_whe_why');
    expect(waits.means).toBe(
      `Nothing accepted since ${failing}; 1 event waiting, next attempt at ${waits.next_at}.`,
    );
    const related = [{ kind: 'endpoint', id: 'ap_whe_why', state: 'failing', environment }];
    expect((await whyOf(eventId)).related).toEqual(related);
    expect((await whyOf(merchantId)).related).toEqual(expect.arrayContaining(related));
    await pool.query(sql.unsafe`
      update webhook_endpoints set failing_since = '2026-05-03T00:01:00Z' where id = 'ap_whe_why'`);
    await pool.query(sql.unsafe`
      update deliveries set last_status = 500, last_attempt_at = service_clock() where event_id = ${eventId}`);
    expect(await whyOf('ap_whe_why')).toMatchObject({
      means: INCIDENT_KINDS.endpoint_failing.means,
      incidents: [{ reason: 'failing since 2026-05-03 00:01 UTC: 500, 1 waiting' }],
    });
    await pool.query(sql.unsafe`update webhook_endpoints set failing_since = null where id = 'ap_whe_why'`);
    await pool.query(sql.unsafe`update webhook_endpoints set status = 'paused' where id = 'ap_whe_why'`);
    expect([await stateOfEvent(), (await whyOf(eventId)).next_at]).toEqual([['held'], null]);
    await pool.query(sql.unsafe`update webhook_endpoints set status = 'enabled' where id = 'ap_whe_why'`);
    expect(saidIn(await whyOf('ap_whe_why'))).toEqual([
      `attempt 1 of ${eventId}: the endpoint answered 500 (41 ms)`,
    ]);
    await pool.query(sql.unsafe`
      insert into operator_alerts (event_id, code, reference, merchant_id, environment)
      values ('evt_alert_why', 'webhook_endpoint_disabled', 'ap_whe_why', ${merchantId}, ${environment})`);
    await pool.query(sql.unsafe`
      insert into delivery_attempts (endpoint_id, event_id, attempt, at, duration_ms, status)
      select 'ap_whe_why', ${eventId}, 1 + n, service_clock() + n * interval '1 second', case n when 100 then 9800 else 41 end, 200
      from generate_series(1, 150) n`);
    expect(saidIn(await whyOf('ap_whe_why'))).toEqual([
      `attempt 1 of ${eventId}: the endpoint answered 500 (41 ms)`,
      'alert: webhook_endpoint_disabled',
      expect.stringMatching(
        `^attempt 151 of ${eventId}: accepted with 200 \\(41 ms, at most 9800 ms\\), 150 times since 20[-\\d]{8}T[\\d:.]{12}Z$`,
      ),
    ]);
    expect(saidIn(await whyOf(eventId))).toEqual(
      expect.arrayContaining([expect.stringMatching('^attempt 151 to ap_whe_why: .*, 150 times since ')]),
    );
  });

  test('finds incidents after 10,000 older ones, and a request lost in a restore', async () => {
    const { pool } = database;
    const { paymentId, subscriptionId } = purchase;
    const lostRequest = `${subscriptionId}:op_17`;
    await pool.query(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome, amount,
        currency, at, state)
      select 1, ${shop.railAccountId}, 'charge', 'ap_pay_lost_' || n, ${shop.merchantId}, 'sandbox', 'approved', 500,
        'EUR', service_clock() - interval '1 hour', 'person'
      from generate_series(1, 10000) n`);
    await pool.query(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, kind, reference, owner_id, merchant_id, environment, outcome,
        amount, currency, at, state)
      values (1, ${shop.railAccountId}, 'request', ${lostRequest}, ${subscriptionId}, ${shop.merchantId}, 'sandbox',
        'scheduleChange', 0, 'EUR', service_clock(), 'person')`);
    const [subject] = await searchSubjects(pool, paymentId, null, 2);
    if (!subject) throw new Error('not found');
    const { incidents } = await explain(pool, subject, LINKS);
    expect(incidents.map(({ id }) => id)).toEqual([paymentId, lostRequest]);
  });
});
