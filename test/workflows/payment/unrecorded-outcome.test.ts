/** An outcome that cannot be recorded raises an incident, and is recorded once its cause is gone (rule 40). */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { metrics } from '@opentelemetry/api';
import { pino } from 'pino';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { deleteAbandonedTries } from '../../../db/payment/unrecorded-outcomes.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { serializers } from '../../../platform/observability/logger.ts';
import { serveMetrics } from '../../../platform/observability/metrics-server.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { searchAttributes } from '../../../workflows/core/messages.ts';
import { reconcileStart } from '../../../workflows/payment/reconcile-messages.ts';
import { REFUND_WORKFLOW, refundStart } from '../../../workflows/refund/refund-messages.ts';
import { advanceClockUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { keepHistory, payloadsOf } from '../../support/temporal/replay.ts';
import { scrape, sumOf } from '../../support/tool/metrics.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  CARDS,
  chargesOf,
  subscribe,
  untilArrived,
  update,
  viewOf,
} from '../../support/world/subscription-world.ts';

const SUCCESS = {
  checkouts: sql.fragment`new.state = 'succeeded'`,
  invoices: sql.fragment`new.status = 'created'`,
  refunds: sql.fragment`new.status = 'succeeded'`,
  orphaned_charges: sql.fragment`new.returned_at is not null`,
};
/** Part of the database's error message or of a row, which must reach neither Temporal nor the log. */
const CANARY = 'canary-in-the-words-of-postgresql';

const PAGES = { runbookUrl: 'https://runbook.example', dashboardUrl: 'https://pay.example/dashboard' };
const linksAbout = (section: string, id: string) =>
  `[What to do](${PAGES.runbookUrl}#${section}) · [In the dashboard](${PAGES.dashboardUrl}/operations/subjects/${id})`;

let world: SessionWorld;
const logged: string[] = [];
const logger = pino({ serializers }, { write: (line: string) => void logged.push(line) });

beforeAll(async () => {
  world = await createSessionWorld({ pages: PAGES, logger });
  await world.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${world.shop.railAccountId}`);
  for (const code of ['23514', '57P03', 'P0001'])
    await world.pool.query(sql.unsafe`
      create function ${sql.identifier([`refuse_${code}`])}() returns trigger language plpgsql as
      ${sql.literalValue(`begin raise exception using errcode = '${code}', message = '${CANARY}'; end`)}`);
  await world.startWorker();
});
afterEach(repair);
afterAll(() => world?.close());

/** Until `repair`, no payment or refund can be recorded as succeeded, and no charge as returned. */
async function refuse(code = '23514'): Promise<void> {
  for (const [table, condition] of Object.entries(SUCCESS))
    await world.pool.query(sql.unsafe`
      create trigger refuse before update on ${sql.identifier([table])} for each row
      when (${condition}) execute function ${sql.identifier([`refuse_${code}`])}()`);
}

async function repair(): Promise<void> {
  for (const table of [...Object.keys(SUCCESS), 'events'])
    await world.pool.query(sql.unsafe`drop trigger if exists refuse on ${sql.identifier([table])}`);
}

const handle = (id: string) => world.client.workflow.getHandle(id);
/** The listed incidents without their ages, which change every second. */
const listed = async () =>
  (await listIncidents(world.pool))
    .filter(({ kind }) => kind === 'outcome_not_recorded')
    .map(({ age_seconds: _, ...incident }) => incident);
const alerts = (reference: string) =>
  world.pool.anyFirst(sql.type(z.object({ code: z.string() }))`
    select body::jsonb #>> '{alert,code}' as code from events
    where body::jsonb #>> '{alert,reference}' = ${reference}`);
const needsOperator = async (id: string) =>
  (await handle(id).describe()).typedSearchAttributes.get(searchAttributes.needsOperator);

async function expectIncident(
  workflowId: string,
  { reference, amount }: { readonly reference: string; readonly amount: number },
): Promise<void> {
  await eventually(async () => expect(await alerts(reference)).toEqual(['outcome_not_recorded']));
  expect(await listed()).toMatchObject([{ id: reference, amount, merchant_id: world.shop.merchantId }]);
  expect(await currentDetails(handle(workflowId))).toMatch(
    new RegExp(`^\\*\\*Not recorded:\\*\\* .*${reference}.* fails with \`23514\``),
  );
  expect(await currentDetails(handle(workflowId))).toContain(
    `\n\n${linksAbout('outcome_not_recorded', workflowId)}`,
  );
  await eventually(async () => expect(await needsOperator(workflowId)).toBe(true));
}

/** Retried every five seconds, as the same incident. */
async function expectAnotherTry(reference: string): Promise<void> {
  const [since] = await listed();
  await eventually(async () => expect(await triedAfter(reference)).toBeGreaterThan(4));
  expect([await listed(), await alerts(reference)]).toEqual([[since], ['outcome_not_recorded']]);
}
const triedAfter = (reference: string) =>
  world.pool.oneFirst(sql.type(z.object({ seconds: z.number() }))`
    select extract(epoch from tried_at - found_at)::float8 as seconds from unrecorded_outcomes
    where reference = ${reference}`);

async function expectOver(workflowId: string): Promise<void> {
  // The incident ends in a separate statement, after the outcome is committed.
  await eventually(async () => expect(await listed()).toEqual([]));
  await eventually(async () => expect(await needsOperator(workflowId)).toBe(false));
  expect(await payloadsOf(handle(workflowId))).not.toContain(CANARY);
  expect(logged.join('')).not.toContain(CANARY);
}

test('a purchase that cannot be recorded raises an incident, and counts as one sale once recorded', async () => {
  const port = await freePort();
  const logger = pino({ level: 'silent' });
  const metered = serveMetrics({ service: 'test', host: '127.0.0.1', port, perMerchant: false, logger });
  const sold = async () =>
    sumOf(await scrape(`http://127.0.0.1:${port}/metrics`), 'checkout_payment_amount_total');
  await refuse();
  const id = await world.session();
  await world.pay(id, CARDS.approved);
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  await expectIncident(id, { reference: paymentId, amount: 1_900 });
  await expectAnotherTry(paymentId);
  expect(await sold()).toBe(0);
  // The answer's details are in the row, though it could not be recorded with them.
  expect(
    await world.pool.exists(sql.unsafe`
    select from payments where id = ${paymentId} and rail_order_id is not null and payment_method ->> 'last4' = '4242'
  `),
  ).toBe(true);
  await repair();
  await world.until(id, 'succeeded', 8_000);
  // Retries record the stored answer without asking the rail. Under load, the first retry may still ask.
  const requests = (await world.railRequests()).filter((request) => request.reference === paymentId);
  expect(['authorize', 'lookup']).toEqual(expect.arrayContaining(requests.map(({ operation }) => operation)));
  expect(requests.length).toBeLessThanOrEqual(2);
  await eventually(async () => expect(await sold()).toBe(1_900));
  metered.close();
  metrics.disable();
  expect(await handle(id).result()).toEqual({ state: 'succeeded', failureReason: null });
  await expectOver(id);
  expect((await world.ledger()).filter(({ reference }) => reference === paymentId)).toHaveLength(1);
  await keepHistory(handle(id), 'checkout-not-recorded');
});

test('a purchase is not recorded if its event cannot be written', async () => {
  await world.pool.query(sql.unsafe`
    create trigger refuse before insert on events for each row
    when (new.type = 'payment.succeeded') execute function refuse_23514()`);
  const id = await world.session();
  await world.pay(id, CARDS.approved);
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  await expectIncident(id, { reference: paymentId, amount: 1_900 });
  const isPaid = sql.unsafe`
    select from payments where id = ${paymentId} and (status = 'succeeded' or invoice_id is not null)`;
  expect(await world.pool.exists(isPaid)).toBe(false);
  await repair();
  await world.until(id, 'succeeded', 8_000);
  await expectOver(id);
  expect(await world.pool.exists(isPaid)).toBe(true);
});

test('the log names the constraint that rejected the row, and none of its values', async () => {
  await world.pool.query(sql.unsafe`
    alter table checkouts add constraint never_paid check (state <> 'succeeded') not valid`);
  const first = await world.session(world.shop.products.oneTime, { merchantReference: CANARY });
  await world.pay(first, CARDS.approved);
  await eventually(() =>
    expect(logLine('activity failed', first)).toMatchObject({ constraint: 'never_paid' }),
  );
  expect(logLine('attempt claimed, but not sent or not recorded: continueAttempt takes over')).toMatchObject({
    err: { constraint: 'never_paid' },
  });
  await world.pool.query(sql.unsafe`alter table checkouts drop constraint never_paid`);
  await refuse('P0001');
  const second = await world.session();
  await world.pay(second, CARDS.approved);
  await eventually(() => expect(logLine('activity failed', second)).toMatchObject({ code: 'P0001' }));
  await repair();
  for (const id of [first, second]) await world.until(id, 'succeeded', 8_000);
  expect(logged.join('')).not.toContain(CANARY);
});

/** The latest line with this message in the worker's log. */
const logLine = (msg: string, workflowId?: string) =>
  logged
    .map((line) => JSON.parse(line))
    .findLast((line) => line.msg === msg && (workflowId === undefined || line.workflowId === workflowId));

test('a renewal that cannot be recorded raises an incident until it is recorded', async () => {
  const id = await subscribe(world);
  await refuse();
  await update(world, id, advanceClockUpdate, { to: (await viewOf(world, id)).currentPeriodEnd ?? '' });
  await eventually(async () => expect((await viewOf(world, id)).openAttempt).not.toBeNull());
  const reference = (await viewOf(world, id)).openAttempt?.attemptId ?? '';
  await expectIncident(id, { reference, amount: 900 });
  await repair();
  await untilArrived(world, id, 8_000);
  await expectOver(id);
  expect(await viewOf(world, id)).toMatchObject({ status: 'active', openAttempt: null });
  expect(await chargesOf(world, id)).toEqual([900]);
  await keepHistory(handle(id), 'subscription-billed-not-recorded');
});

test('an incident leaves Temporal UI once its cause is gone, even while the workflow runs later steps', async () => {
  const id = await subscribe(world);
  await world.pool.query(sql.unsafe`
    create trigger refuse_new before insert on invoices for each row execute function refuse_23514()`);
  world.faults.add({ operation: 'chargeStored', mode: 'delay', count: 1, delayMs: 4_000 });
  await update(world, id, advanceClockUpdate, { to: (await viewOf(world, id)).currentPeriodEnd ?? '' });
  await eventually(async () => expect(await currentDetails(handle(id))).toMatch(/Not recorded:\*\* `bill`/));
  await world.pool.query(sql.unsafe`drop trigger refuse_new on invoices`);
  await eventually(async () => expect((await viewOf(world, id)).openAttempt?.called).toBe(true));
  // The rail answers after four seconds; the step does not wait that long.
  await eventually(async () => expect(await currentDetails(handle(id))).not.toContain('Not recorded'), 2_500);
  expect((await viewOf(world, id)).openAttempt?.called).toBe(true);
  await eventually(async () => expect(await needsOperator(id)).toBe(false));
  await untilArrived(world, id);
});

async function paid(): Promise<string> {
  const id = await world.session();
  await world.pay(id, CARDS.approved);
  await world.until(id, 'succeeded');
  return (await world.payments(id))[0]?.id ?? '';
}

test('a refund that cannot be recorded raises an incident until it is recorded', async () => {
  const refund = await createRefund(world.pool, {
    scope: world.shop,
    operationId: randomUUID(),
    of: { paymentId: await paid() },
    amount: 500,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
  if (typeof refund === 'string') throw new Error(refund);
  await refuse();
  const { id, amount, currency } = refund;
  await world.client.workflow.start(
    REFUND_WORKFLOW,
    refundStart({ ...world.shop, id, amount, currency }, world.timings),
  );
  await expectIncident(id, { reference: id, amount: 500 });
  await repair();
  expect(await handle(id).result()).toEqual({ status: 'succeeded' });
  await expectOver(id);
  await keepHistory(handle(id), 'refund-not-recorded');
});

test('a return that cannot be recorded raises an incident until it is recorded', async () => {
  const paymentId = await paid();
  await world.pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${paymentId}`);
  await storeRailWebhook(world.pool, {
    railAccountId: world.shop.railAccountId,
    railEventId: randomUUID(),
    reference: paymentId,
    hint: 'approved',
  });
  await refuse();
  const { merchantId, environment } = world.shop;
  await world.client.workflow.start('reconcile', reconcileStart({ paymentId, merchantId, environment }));
  const id = `${paymentId}-reconcile`;
  await eventually(async () => expect(await listed()).toMatchObject([{ id: paymentId, amount: 1_900 }]));
  const details = await currentDetails(handle(id));
  expect(details).toMatch(/^\*\*Not recorded:\*\* `returnCharge`.*23514/);
  expect(details).toContain(`\n\n${linksAbout('outcome_not_recorded', paymentId)}\n\nThe rail charged`);
  expect(details).toContain(`returned to the buyer.\n\n${linksAbout('orphaned_charge', paymentId)}`);
  await repair();
  expect(await handle(id).result()).toBe('returned');
  await expectOver(id);
  await keepHistory(handle(id), 'reconcile-not-recorded');
});

test('a rail call that cannot be made raises an incident until it succeeds', async () => {
  const credential = await world.pool.oneFirst(sql.type(z.object({ hex: z.string() }))`
    select encode(credential, 'hex') as hex from rail_accounts where id = ${world.shop.railAccountId}`);
  const setCredential = (hex: string) =>
    world.pool.query(sql.unsafe`
      update rail_accounts set credential = decode(${hex}, 'hex') where id = ${world.shop.railAccountId}`);
  const id = await world.session();
  await world.storeClick(id, CARDS.approved, 'the-only-click');
  await setCredential('00'.repeat(60));
  await world.sendPay(id, 'the-only-click');
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  await eventually(async () => expect(await listed()).toMatchObject([{ id: paymentId }]));
  await setCredential(credential);
  await eventually(async () => expect(await listed()).toEqual([]));
  await world.until(id, 'created', 30_000);
  await keepHistory(handle(id), 'checkout-call-not-made');
});

test('a temporary outage of the database raises no incident', async () => {
  await refuse('57P03');
  const id = await world.session();
  await world.pay(id, CARDS.approved);
  await eventually(async () => expect(await currentDetails(handle(id))).toContain('57P03'));
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  await repair();
  await world.until(id, 'succeeded', 8_000);
  expect([await listed(), await alerts(paymentId)]).toEqual([[], []]);
});

test('an incident is deleted once its run is terminated and retries have stopped', async () => {
  await refuse();
  const id = await world.session();
  await world.pay(id, CARDS.approved);
  await eventually(async () => expect(await listed()).toHaveLength(1));
  await handle(id).terminate();
  await deleteAbandonedTries(world.pool);
  expect(await listed()).toHaveLength(1);
  await world.pool.query(sql.unsafe`
    update unrecorded_outcomes set tried_at = service_clock() - interval '11 minutes'`);
  await deleteAbandonedTries(world.pool);
  expect(await listed()).toEqual([]);
});
