/** Every kind of incident is found, with enough information for an operator to begin work. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  INCIDENT_KINDS,
  KINDS_IN_TEMPORAL,
  KINDS_OF_INCIDENT,
  RECORDED_KINDS,
  type RecordedKind,
} from '../../../contract/operations/incident-kinds.ts';
import { sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { updateMerchant } from '../../../db/merchant/merchants.ts';
import { alertOfMisconfiguration, disableRefusedAccount } from '../../../db/merchant/rail-account-trouble.ts';
import { MEASURED_INCIDENTS, readBusinessFigures } from '../../../db/operations/business-figures.ts';
import { closeIncident } from '../../../db/operations/close-incident.ts';
import { explain } from '../../../db/operations/explain.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { listMerchantHealth } from '../../../db/operations/merchant-health.ts';
import { storeRequestToConfirm } from '../../../db/operations/operator-requests.ts';
import { searchSubjects } from '../../../db/operations/search.ts';
import { showIncidents } from '../../../db/operations/shown-incidents.ts';
import { recordContradiction, recordOrphan } from '../../../db/payment/orphaned-charges.ts';
import { findBreakerTarget, pauseRail } from '../../../db/payment/rail-breaker.ts';
import { enableEndpoint, pauseEndpoint } from '../../../db/webhook/endpoint-status.ts';
import { recordEvent } from '../../../db/webhook/events.ts';
import { beginRecovery, oldestHeld, recoverBatch } from '../../../db/webhook/recover-deliveries.ts';
import { anchors } from '../../docs/documents.ts';
import {
  insertMerchant,
  insertPurchase,
  insertRailAccount,
  insertShop,
  type Purchase,
  type Shop,
} from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { insertSessions } from '../../support/db/sales.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let shop: Shop;
let purchase: Purchase;
let refundId: string;
let disputeId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  const { pool } = database;
  shop = await insertShop(pool, { name: 'Hafen' });
  purchase = await insertPurchase(pool, shop, shop.products.recurring, { recurring: true });
  const { merchantId, environment, railAccountId } = shop;
  const { paymentId } = purchase;
  await pool.query(sql.unsafe`
    insert into refunds (id, merchant_id, environment, payment_id, rail_account_id, operation_id, amount, currency, status,
      failure_code)
    values ('ap_ref_failed', ${merchantId}, ${environment}, ${paymentId}, ${railAccountId}, 'op_1', 300, 'EUR', 'failed',
      'insufficient_balance')`);
  refundId = 'ap_ref_failed';
  disputeId = 'ap_dis_1';
  await pool.query(sql.unsafe`
    insert into disputes (id, merchant_id, environment, payment_id, rail_account_id, rail_dispute_id, status, amount,
      currency, reason, opened_at)
    values (${disputeId}, ${merchantId}, ${environment}, ${paymentId}, ${railAccountId}, 'dp_1', 'open', 900, 'EUR',
      'fraudulent', service_clock() - interval '3 hours')`);
});
afterAll(() => database?.close());

/** Creates an incident of each kind. @returns its id */
const MAKE: Readonly<Record<RecordedKind, () => Promise<string>>> = {
  async reconciliation_required() {
    await run(
      sql.unsafe`update checkouts set state = 'reconciliation_required' where id = ${purchase.checkoutId}`,
    );
    return purchase.checkoutId;
  },
  async orphaned_charge() {
    await inTransaction(database.pool, (tx) => recordOrphan(tx, purchase.paymentId));
    return purchase.paymentId;
  },
  async payment_not_at_rail() {
    await inTransaction(database.pool, (tx) => recordContradiction(tx, purchase.paymentId));
    return purchase.paymentId;
  },
  async outcome_not_recorded() {
    await run(sql.unsafe`
      insert into unrecorded_outcomes (workflow_id, reference, merchant_id, environment, amount, activity, error)
      values (${purchase.checkoutId}, ${purchase.paymentId}, ${shop.merchantId}, 'sandbox', 900, 'recordOutcome', '23514')`);
    return purchase.paymentId;
  },
  async invoice_not_issued() {
    await run(sql.unsafe`
      insert into invoices_due (payment_id, merchant_id, environment, draft, error)
      values (${purchase.paymentId}, ${shop.merchantId}, 'sandbox', '{}', '53100')`);
    return purchase.paymentId;
  },
  async charge_unanswered() {
    const { subscriptionId, invoiceId, orderId } = purchase;
    await run(
      sql.unsafe`update invoices set status = 'payment_failed', amount_due = 900 where id = ${invoiceId}`,
    );
    for (const n of [2, 3, 4, 5])
      await run(sql.unsafe`
        insert into payments (merchant_id, environment, order_id, invoice_id, attempt_no, claim_id, status, amount, currency)
        values (${shop.merchantId}, 'sandbox', ${orderId}, ${invoiceId}, ${n}, ${`unanswered-${n}`}, 'cancelled', 900, 'EUR')`);
    return alerted('charge_unanswered', subscriptionId ?? '');
  },
  refund_failed: () => alerted('refund_failed', refundId),
  refund_reversed_by_rail: () => alerted('refund_reversed_by_rail', refundId),
  refund_carried_out: () => alerted('refund_carried_out', refundId),
  async second_person_needed() {
    const request = {
      subjectId: disputeId,
      merchantId: shop.merchantId,
      environment: 'sandbox',
      amount: 900,
    };
    const command = { command: 'dispute_close' };
    const asked = { ...request, paymentId: null, currency: 'EUR', command, asker: { actor: 'person:ada' } };
    return (await storeRequestToConfirm(database.pool, asked)).id;
  },
  dispute_open: async () => disputeId,
  dispute_not_found: () => alerted('dispute_not_found', purchase.paymentId),
  async rail_unavailable() {
    const target = await findBreakerTarget(database.pool, 'sandbox:sandbox');
    const account = await findBreakerTarget(database.pool, shop.railAccountId);
    if (!target || !account) throw new Error('no rail');
    await pauseRail(database.pool, target, { actor: 'person:ada', reason: 'incident at the rail' });
    await pauseRail(database.pool, account, { actor: 'person:ada', reason: 'the merchant asked' });
    return 'sandbox:sandbox';
  },
  async merchant_sells_nothing() {
    const like = purchase.checkoutId;
    await insertSessions(database.pool, { like, ago: '50 minutes', count: 60, arePaid: true });
    await insertSessions(database.pool, { like, ago: '40 minutes', count: 30, arePaid: false });
    return shop.merchantId;
  },
  async merchant_stopped() {
    const { merchantId: id } = await insertShop(database.pool, { name: 'Hafen' });
    await updateMerchant(
      database.pool,
      id,
      { status: 'inactive' },
      { actor: 'person:ada', reason: 'unpaid' },
    );
    return id;
  },
  async rail_account_disabled() {
    await disableRefusedAccount(database.pool, shop.railAccountId);
    return shop.railAccountId;
  },
  async rail_account_misconfigured() {
    await alertOfMisconfiguration(database.pool, shop.railAccountId);
    return shop.railAccountId;
  },
  async card_testing() {
    await run(sql.unsafe`
      insert into card_declines (merchant_id, environment, passing_since, passed)
      values (${shop.merchantId}, 'sandbox', service_clock(), 'client'), (${shop.merchantId}, 'sandbox', null, null)`);
    return shop.merchantId;
  },
  async endpoint_failing() {
    const { id } = await createEndpoint(database.pool, shop);
    await failing(id, 14);
    expect(await listIncidents(database.pool, { kinds: ['endpoint_failing'] })).toEqual([]);
    await failing(id, 16);
    return id;
  },
  async endpoint_disabled() {
    await run(sql.unsafe`
      insert into webhook_endpoints (id, merchant_id, environment, url, secret, status, disabled_reason)
      values ('ap_whe_1', ${shop.merchantId}, 'sandbox', 'https://shop.example', '\\x00', 'disabled', 'answered 410')`);
    return alerted('webhook_endpoint_disabled', 'ap_whe_1');
  },
  async webhook_deliveries_exhausted() {
    const { id } = await createEndpoint(database.pool, shop);
    await alerted('webhook_deliveries_exhausted', id);
    // An alert alone is not an incident: an event must have exhausted its attempts.
    expect(await listIncidents(database.pool, { kinds: ['webhook_deliveries_exhausted'] })).toEqual([]);
    await run(sql.unsafe`
      update deliveries set status = 'exhausted'
      where (endpoint_id, event_id) in (select endpoint_id, event_id from deliveries where endpoint_id = ${id} limit 1)`);
    return id;
  },
  async overdue() {
    await run(sql.unsafe`
      update subscriptions set next_action_at = service_clock() - interval '1 hour' where id = ${purchase.subscriptionId}`);
    return purchase.subscriptionId ?? '';
  },
  async sweep_late() {
    await run(
      sql.unsafe`update heartbeats set at = service_clock() - interval '10 minutes' where name = 'sweep'`,
    );
    return 'sweep';
  },
  async database_fenced() {
    await run(sql.unsafe`update ledger_copy set fenced_at = service_clock(), epoch = 7`);
    return 'restore-7';
  },
  async not_in_database() {
    await run(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome, amount,
        currency, at, state)
      values (7, ${shop.railAccountId}, 'charge', 'ap_pay_lost', ${shop.merchantId}, 'sandbox', 'approved', 500, 'EUR',
        service_clock(), 'person')`);
    return 'ap_pay_lost';
  },
};

const failing = (id: string, minutes: number) =>
  run(sql.unsafe`
    update webhook_endpoints set failing_since = service_clock() - ${minutes} * interval '1 minute' where id = ${id}`);

const run = (statement: Parameters<typeof database.pool.query>[0]) => database.pool.query(statement);

function alerted(code: string, reference: string): Promise<string> {
  const { merchantId, environment } = shop;
  return inTransaction(database.pool, async (tx) => {
    await recordEvent(tx, {
      scope: { merchantId, environment },
      type: 'billing.operational_alert',
      aggregateId: `${reference}-${code}`,
      aggregateVersion: 1,
      alert: { code, reference },
    });
    return reference;
  });
}

test.each(RECORDED_KINDS)('%s is listed with its id, merchant and reason', async (kind) => {
  const id = await MAKE[kind]();
  const [found, ...others] = await listIncidents(database.pool, { kinds: [kind] });
  expect(others).toEqual([]);
  const ofInstallation = ['sweep_late', 'database_fenced', 'rail_unavailable'].includes(kind);
  expect(found).toMatchObject({
    kind,
    id,
    reason: expect.stringMatching(/./),
    merchant_name: ofInstallation ? null : 'Hafen',
  });
});

test('an account’s failing attempts are not listed once it is disabled, for example when replaced', async () => {
  const merchant = await insertShop(database.pool);
  await database.pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, rail_account_id, state, retry_at, reason)
    select 'account:' || id, rail || '2', environment, id, 'open', service_clock(), 'malformed_answer'
    from rail_accounts where id = ${merchant.railAccountId}`);
  const listed = async () =>
    (await listIncidents(database.pool, { kinds: ['rail_unavailable'] })).map(({ id }) => id);
  expect(await listed()).toContain(merchant.railAccountId);
  await database.pool.query(
    sql.unsafe`update rail_accounts set status = 'disabled' where id = ${merchant.railAccountId}`,
  );
  expect(await listed()).not.toContain(merchant.railAccountId);
});

test.each(KINDS_OF_INCIDENT)('%s has a section in the runbook', (kind) => {
  expect(anchors('docs/on-call.md')).toContain(kind);
});

test.each(KINDS_IN_TEMPORAL)('the Temporal incident %s is not searched for in the database', async (kind) => {
  expect(await listIncidents(database.pool, { kinds: [kind] })).toEqual([]);
});

test('incidents are filtered by amount, age, merchant and environment', async () => {
  const { pool } = database;
  const all = await listIncidents(pool);
  expect(new Set(all.map(({ kind }) => kind)).size).toBe(RECORDED_KINDS.length);
  const ofMoney = await listIncidents(pool, { minAmount: 501 });
  expect(ofMoney.map(({ amount }) => amount)).not.toContain(500);
  expect(ofMoney.map(({ id }) => id)).toContain(disputeId);
  const old = await listIncidents(pool, { olderThanSeconds: 7_200 });
  expect(old.map(({ kind }) => kind)).toEqual(['dispute_open']);
  expect(await listIncidents(pool, { merchantId: 'ap_mer_other' })).toEqual([]);
  const live = (await listIncidents(pool, { environment: 'production' })).map(({ kind }) => kind);
  expect(live.toSorted()).toEqual(['database_fenced', 'merchant_stopped', 'sweep_late']);
});

test('the metrics show the number and age of listed incidents, for every kind that belongs to an environment', async () => {
  const { pool } = database;
  const kinds = MEASURED_INCIDENTS.filter((kind) => kind !== 'database_fenced');
  const listed = await listIncidents(pool, { environment: 'sandbox', kinds });
  expect(new Set(listed.map(({ kind }) => kind))).toEqual(new Set(kinds));
  const figures = (await readBusinessFigures(pool, { perMerchant: false })).filter(
    ({ attributes }) => attributes.environment === 'sandbox',
  );
  for (const kind of kinds) {
    const ofKind = listed.filter((each) => each.kind === kind);
    const figureOf = (name: string) =>
      figures.find(
        ({ attributes, ...figure }) =>
          figure.name === name && attributes.kind === kind && attributes.paused !== 'false',
      )?.value;
    expect([kind, figureOf('checkout.incident.open')]).toEqual([kind, ofKind.length]);
    const oldest = Math.max(...ofKind.map(({ age_seconds: age }) => age));
    expect(figureOf('checkout.incident.oldest.age')).toBeGreaterThanOrEqual(oldest);
    expect(figureOf('checkout.incident.oldest.age')).toBeLessThan(oldest + 60);
  }
});

test('a rejected account leaves the list when another account is in use or its merchant is inactive', async () => {
  const listed = () => listIncidents(database.pool, { kinds: ['rail_account_disabled'] });
  const stop = (status: string) =>
    database.pool.query(sql.unsafe`update merchants set status = ${status} where id = ${shop.merchantId}`);
  expect(await listed()).toHaveLength(1);
  await stop('inactive');
  expect(await listed()).toEqual([]);
  await stop('active');
  await insertRailAccount(database.pool, shop);
  expect(await listed()).toEqual([]);
});

test('a merchant with normal traffic but no sales is listed until a buyer pays or traffic drops', async () => {
  const listed = () => listIncidents(database.pool, { kinds: ['merchant_sells_nothing'] });
  expect(await listed()).toMatchObject([
    {
      id: shop.merchantId,
      reason: expect.stringMatching(/^\d+ sessions .* about \d\d would usually be paid$/),
    },
  ]);
  const change = (what: ReturnType<typeof sql.fragment>) =>
    run(sql.unsafe`update checkouts set ${what} where created_at < service_clock() - interval '35 minutes'`);
  await change(sql.fragment`finished_at = finished_at + interval '25 minutes'`);
  expect(await listed()).toEqual([]);
  await change(sql.fragment`finished_at = finished_at - interval '25 minutes'`);
  expect(await listed()).toHaveLength(1);
  await run(
    sql.unsafe`delete from checkouts where id in (
      select id from checkouts where state = 'created' and created_at between service_clock() - interval '45 minutes'
        and service_clock() - interval '35 minutes' limit 10)`,
  );
  expect(await listed()).toEqual([]);
});

test('a person closes a failed refund once, with an audit row', async () => {
  const { pool } = database;
  const by = { actor: 'person:ada', reason: 'refunded by bank transfer' };
  const [failed] = await listIncidents(pool, { kinds: ['refund_failed'] });
  expect(failed?.reason).toMatch(/; \d+\.\d\d EUR left to refund$/);
  expect(await closeIncident(pool, 'refund_failed', refundId, by)).toBe(true);
  expect(await closeIncident(pool, 'refund_failed', refundId, by)).toBe(false);
  expect(await listIncidents(pool, { kinds: ['refund_failed'] })).toEqual([]);
  expect(
    await pool.any(sql.unsafe`select actor, subject_id from audit_log where action = 'incident.close'`),
  ).toEqual([{ actor: 'person:ada', subject_id: refundId }]);
});

test('an endpoint leaves the list once its last undelivered event is gone, or when a person closes the incident', async () => {
  const { pool } = database;
  const kinds = ['webhook_deliveries_exhausted'] as const;
  const [listed] = await listIncidents(pool, { kinds });
  if (!listed) throw new Error('not listed');
  const become = (status: string) =>
    run(sql.unsafe`update deliveries set status = ${status} where endpoint_id = ${listed.id}`);
  await become('succeeded');
  expect(await listIncidents(pool, { kinds })).toEqual([]);
  await become('exhausted');
  expect(await listIncidents(pool, { kinds })).toMatchObject([{ next: null }]);
  const recovered = async (until: string | null) =>
    run(sql.unsafe`
      update webhook_endpoints set recover_since = ${until}, recover_until = ${until} where id = ${listed.id}`);
  await recovered('2026-01-31T00:12:00Z');
  expect(await listIncidents(pool, { kinds })).toMatchObject([
    { next: 'npm run ops -- why {id}', reason: expect.stringMatching(/; a recovery runs$/) },
  ]);
  await recovered(null);
  const by = { actor: 'person:ada', reason: 'the merchant does not need them' };
  expect(await closeIncident(pool, 'webhook_deliveries_exhausted', listed.id, by)).toBe(true);
  expect(await listIncidents(pool, { kinds })).toEqual([]);
});

test('a disabled endpoint stays listed until its missed events are sent or given up', async () => {
  const { pool } = database;
  const by = { actor: 'person:ada', reason: 'repaired' };
  const { merchantId } = shop;
  const { id } = await createEndpoint(pool, shop, { status: 'disabled' });
  const endpoint = { endpointId: id, merchantId, environment: 'sandbox' } as const;
  await alerted('webhook_endpoint_disabled', id);
  await alerted('other', id);
  const listed = async () =>
    (await showIncidents(pool, { kinds: ['endpoint_disabled'], about: [id] }, { runbookUrl: '' })).map(
      ({ next, since }) => ({ next, since }),
    );
  expect(await listed()).toMatchObject([{ next: `npm run ops -- endpoint test ${id}` }]);
  await enableEndpoint(pool, endpoint, by);
  const since = (await oldestHeld(pool, id)) ?? '';
  const recover = [{ since, next: `npm run ops -- endpoint recover ${id} --since ${since} --reason <why>` }];
  expect(await listed()).toEqual(recover);
  const subjects = await searchSubjects(pool, id, null, 1);
  const [explained] = await Promise.all(subjects.map((each) => explain(pool, each, { runbookUrl: '' })));
  expect(explained).toMatchObject({ means: INCIDENT_KINDS.endpoint_disabled.means, incidents: recover });
  await pauseEndpoint(pool, endpoint, by);
  expect(await listed()).toMatchObject([{ next: `npm run ops -- endpoint test ${id}` }]);
  await enableEndpoint(pool, endpoint, by);

  const until = (await beginRecovery(pool, endpoint, since, by)) ?? '';
  expect(await listed()).toEqual([{ since, next: `npm run ops -- why ${id}` }]);
  await recoverBatch(pool, { endpointId: id, since, until, after: null, limit: 10 });
  expect(await listed()).toEqual([]);
  const after = { createdAt: until, eventId: '' };
  await recoverBatch(pool, { endpointId: id, since, until, after, limit: 10 });

  await run(sql.unsafe`update deliveries set status = 'held' where endpoint_id = ${id}`);
  expect(await listed()).toEqual(recover);
  expect(await closeIncident(pool, 'endpoint_disabled', id, by)).toBe(true);
  expect(await listed()).toEqual([]);
});

test('a merchant’s incidents are counted beyond the list’s limit', async () => {
  const { pool } = database;
  const merchantId = await insertMerchant(pool);
  await pool.query(sql.unsafe`
    insert into operator_requests (subject_id, merchant_id, amount, command, asked_by, asked_at)
    select 'ap_chk_' || n, ${merchantId}, 1, '{"command": "resolve"}', 'person:ada',
      service_clock() - n * interval '1 second'
    from generate_series(1, 10001) n`);
  const page = { merchants: [merchantId, shop.merchantId], q: null, after: null, limit: 10 };
  const [largest, other] = await listMerchantHealth(pool, page);
  expect(largest).toMatchObject({ id: merchantId, incidents: 10_001 });
  const incidents = await listIncidents(pool, { kinds: ['second_person_needed'], merchantId, limit: 1 });
  expect(largest?.oldest_incident_at).toBe(incidents[0]?.since);
  expect(other?.incidents).toBeGreaterThan(0);
});

/** These commands take only a subject. */
const NO_REASON = /^npm run ops -- (why|ask|confirm|endpoint test|rail check|restored|sweep|health)( |$)/;

test.each(KINDS_OF_INCIDENT)(
  'the suggested command for %s includes --reason where the command requires one',
  (kind) => {
    const { next } = INCIDENT_KINDS[kind];
    if (!NO_REASON.test(next)) expect(next).toContain('--reason');
  },
);
