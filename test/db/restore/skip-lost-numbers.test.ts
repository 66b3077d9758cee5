/** After a restore no invoice number is issued twice (rule 47). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { disputedPayments } from '../../../db/dispute/disputed-payments.ts';
import { recordDisputes } from '../../../db/dispute/record-disputes.ts';
import { storeComparison } from '../../../db/restore/compare.ts';
import { fenceIfRestored, liftFence, readLedgerCopy } from '../../../db/restore/fence.ts';
import { skipLostNumbers } from '../../../db/restore/skip-lost-numbers.ts';
import { changePlanNow } from '../../../db/subscription/change-now.ts';
import { creditByOperator } from '../../../db/subscription/credit-uncollectible.ts';
import { APPROVED, answer, clickAccepted } from '../../support/db/attempts.ts';
import { insertCoupon } from '../../support/db/coupons.ts';
import {
  insertPurchase,
  insertSession,
  insertShop,
  RECURRING,
  type Shop,
} from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { insertOffering, insertPlan, insertSubscription } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

/** A paid session. @returns its invoice's number */
async function purchase() {
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(pool, id);
  await answer(pool, id, paymentId, APPROVED);
  return pool.oneFirst(sql.type(z.object({ number: z.string() }))`
    select i.number from payments p join invoices i on i.order_id = p.order_id where p.id = ${paymentId}`);
}

test('the copy continues after the numbers of the lost database, and reports the numbers that it skipped', async () => {
  const kept = await purchase();
  // The lost copy issued an invoice for each of these.
  const lost = ['ap_pay_lost_1', 'ap_pay_lost_2'];

  await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
  const { epoch } = await readLedgerCopy(pool);
  const at = new Date().toISOString();
  const charges = lost.map((reference) => ({
    reference,
    outcome: 'approved',
    amountCents: 1_900,
    currency: 'EUR',
    at,
  }));
  await storeComparison(
    pool,
    epoch,
    { rail_account_id: shop.railAccountId },
    {
      charges,
      disputes: [],
      refunds: [
        {
          reference: 'ap_ref_lost',
          payment: 'ap_pay_lost_1',
          outcome: 'succeeded',
          amountCents: 500,
          currency: 'EUR',
          at,
        },
      ],
    },
  );
  const counts = sql.unsafe`update invoice_counters set last_number = last_number + 1`;
  await expect(pool.query(counts)).rejects.toThrow('has not been compared');

  const [year, last] = kept.split('-').map(Number) as [number, number];
  const { merchantId, environment } = shop;
  expect(await skipLostNumbers(pool, epoch)).toEqual([
    {
      merchantId,
      environment,
      series: 'invoice',
      years: inEachYear(year, { from: last + 1, to: last + 2 }, 2),
    },
    { merchantId, environment, series: 'credit_note', years: inEachYear(year, { from: 1, to: 1 }, 1) },
  ]);
  expect(await skipLostNumbers(pool, epoch)).toEqual([]);
  await liftFence(pool, epoch);
  expect(Number((await purchase()).split('-')[1])).toBe(last + 3);
  const said = await pool.oneFirst(sql.type(z.object({ after: z.unknown() }))`
    select after from audit_log where action = 'invoice.skip_numbers' and after ->> 'series' = 'invoice'`);
  expect(said).toMatchObject({ years: inEachYear(year, { from: last + 1, to: last + 2 }, 2) });
});

test('a copy issues no number before its restore is noticed: its server has another identity', async () => {
  await purchase();
  const counts = sql.unsafe`update invoice_counters set last_number = last_number + 1`;
  await pool.query(sql.unsafe`update ledger_copy set identity = 'the backup:1:00000001'`);
  await expect(pool.query(counts)).rejects.toThrow('has not been compared');
  await pool.query(sql.unsafe`update ledger_copy set identity = database_identity()`);
  await pool.query(counts);
});

/** The numbers skipped this year, and the first `count` numbers of each later year that a sandbox clock can reach. */
function inEachYear(year: number, numbers: { readonly from: number; readonly to: number }, count: number) {
  const later = Array.from({ length: 20 }, (_, n) => ({ year: year + 1 + n, from: 1, to: count }));
  return [{ year, ...numbers }, ...later];
}

test('a production series skips numbers only in the year of the lost charge, not for a moved sandbox clock', async () => {
  shop = await insertShop(pool, {}, 'production');
  const { merchantId, environment } = shop;
  await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
  const { epoch } = await readLedgerCopy(pool);
  const year = new Date().getUTCFullYear();
  const charge = {
    reference: 'ap_pay_lost_live',
    outcome: 'approved',
    amountCents: 1_900,
    currency: 'EUR',
    at: new Date().toISOString(),
  };
  const { railAccountId: rail_account_id } = shop;
  await storeComparison(pool, epoch, { rail_account_id }, { charges: [charge], disputes: [], refunds: [] });
  const skipped = (await skipLostNumbers(pool, epoch)).filter((each) => each.merchantId === merchantId);
  await liftFence(pool, epoch);
  expect(skipped).toEqual([
    { merchantId, environment, series: 'invoice', years: [{ year, from: 1, to: 1 }] },
  ]);
});

test('a period that a coupon makes free is counted in the sandbox, as if its clock had been moved past it', async () => {
  shop = await insertShop(pool);
  const { merchantId } = shop;
  const monthly = await insertPlan(pool, merchantId, null, RECURRING);
  const coupon = await insertCoupon(pool, shop, { percent: 100, duration: 'forever' });
  await insertSubscription(pool, shop, monthly, null, { couponCode: coupon.code });
  await insertSubscription(pool, shop, monthly);
  await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
  const { epoch } = await readLedgerCopy(pool);
  const { railAccountId: rail_account_id } = shop;
  await storeComparison(pool, epoch, { rail_account_id }, { charges: [], disputes: [], refunds: [] });
  const skipped = (await skipLostNumbers(pool, epoch)).filter((each) => each.merchantId === merchantId);
  await liftFence(pool, epoch);
  // The coupon's period begins in this year or the next.
  const counts = skipped.map(({ series, years }) => [
    series,
    new Set(years.map(({ from, to }) => to - from + 1)),
  ]);
  expect(counts).toEqual([['invoice', new Set([1])]]);
});

test('numbers that the lost copy assigned to invoices still open in the backup are skipped too', async () => {
  shop = await insertShop(pool);
  const { merchantId, environment } = shop;
  const paid = await Promise.all([paidWith(pool), paidWith(pool), paidWith(pool)]);
  const [refunded = '', other = '', due = ''] = paid;
  const takenBack = await insertRefund(refunded, 'succeeded');
  await insertRefund(other, 'pending');
  // The payment's invoice could not be issued, so the credit note of its refund waits.
  await pool.query(sql.unsafe`update payments set invoice_id = null where id = ${due}`);
  await pool.query(sql.unsafe`
    insert into invoices_due (payment_id, merchant_id, environment, draft, error)
    values (${due}, ${merchantId}, ${environment}, '{}', '23514')`);
  await insertRefund(due, 'succeeded');
  const sent = await insertSession(pool, shop, shop.products.oneTime);
  const open = await clickAccepted(pool, sent.id);
  await pool.query(sql.unsafe`
    update payments set call_started_at = service_clock(), call_deadline = service_clock() where id = ${open}`);
  const unsent = await insertSession(pool, shop, shop.products.oneTime);
  await clickAccepted(pool, unsent.id);

  await pool.query(
    sql.unsafe`update merchants set credit_note_on_lost_dispute = true where id = ${merchantId}`,
  );
  const disputed = {
    paymentId: other,
    railAccountId: shop.railAccountId,
    merchantId,
    environment,
    railEventIds: [],
  };
  await recordDisputes(pool, disputed, [
    {
      railDisputeId: 'dp_1',
      status: 'open',
      amountCents: 300,
      currency: 'EUR',
      reason: 'fraudulent',
      openedAt: '2026-01-31T09:30:00.000Z',
      evidenceDueBy: null,
    },
  ]);
  await insertInvoice('open');
  await insertInvoice('uncollectible');
  await insertCredited();
  const change = await changeUnderWay();
  await pool.query(sql.unsafe`
    update payments set call_started_at = service_clock(), call_deadline = service_clock() where id = ${change}`);

  await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
  const { epoch } = await readLedgerCopy(pool);
  const lost = {
    reference: takenBack,
    payment: refunded,
    outcome: 'failed',
    amountCents: 500,
    currency: 'EUR',
  };
  await storeComparison(
    pool,
    epoch,
    { rail_account_id: shop.railAccountId },
    {
      charges: [],
      refunds: [{ ...lost, at: new Date().toISOString() }],
      // The second dispute was opened in the lost interval.
      disputes: ['dp_1', 'dp_2'].map((railDisputeId) => ({
        railDisputeId,
        reference: other,
        railReference: null,
      })),
    },
  );
  const skipped = await skipLostNumbers(pool, epoch);
  const count = (series: string) =>
    skipped
      .filter((each) => each.merchantId === merchantId && each.series === series)
      .map(({ years: [first] }) => (first ? first.to - first.from + 1 : 0));
  // For the open attempt, the open change, the due invoice, and the reversal of the refund that the processor took
  // back.
  expect(count('invoice')).toEqual([4]);
  // For the pending refund, the due one, the open dispute, the lost one, the unpaid invoice and the uncollectible
  // one; the refund that was reversed and the other uncollectible invoice already have their credit notes.
  expect(count('credit_note')).toEqual([6]);
  expect(environment).toBe('sandbox');
  await liftFence(pool, epoch);
  // Webhooks that the lost copy received are not sent again, so the dispute is looked up without one.
  const asked = (await disputedPayments(pool, 10)).find(({ paymentId }) => paymentId === other);
  expect(asked?.railEventIds).toEqual([`restored-${epoch}-dp_2`]);
});

test.each([
  ['a charge that the copy does not know was declined', 'declined', false, 1],
  ['a period ended', 'approved', true, 1],
  ['every charge that the copy does not know was approved', 'approved', false, 0],
] as const)(
  'a number that the lost copy may have assigned to the credit note of an uncollectible invoice is skipped: %s',
  async (_what, outcome, ended, expected) => {
    shop = await insertShop(pool);
    const { merchantId, railAccountId: rail_account_id } = shop;
    if (ended) {
      const id = await insertSubscription(pool, shop, shop.products.recurring);
      await pool.query(
        sql.unsafe`update subscriptions set current_period_end = service_clock() where id = ${id}`,
      );
    }
    await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
    const { epoch } = await readLedgerCopy(pool);
    const charge = {
      reference: `ap_pay_of_${merchantId}`,
      outcome,
      amountCents: 900,
      currency: 'EUR',
      at: new Date().toISOString(),
    };
    await storeComparison(pool, epoch, { rail_account_id }, { charges: [charge], disputes: [], refunds: [] });
    const skipped = (await skipLostNumbers(pool, epoch)).filter((each) => each.merchantId === merchantId);
    await liftFence(pool, epoch);
    const notes = skipped.find(({ series }) => series === 'credit_note')?.years[0];
    expect(notes ? notes.to - notes.from + 1 : 0).toBe(expected);
  },
);

test('a credit note of an invoice written off in the year after its charge is skipped in both years', async () => {
  shop = await insertShop(pool);
  const { merchantId, railAccountId: rail_account_id } = shop;
  await pool.query(
    sql.unsafe`update rail_accounts set environment = 'production' where id = ${rail_account_id}`,
  );
  await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
  const { epoch } = await readLedgerCopy(pool);
  const year = new Date().getUTCFullYear();
  const charge = {
    reference: `ap_pay_of_${merchantId}`,
    outcome: 'declined',
    amountCents: 900,
    currency: 'EUR',
    at: `${year - 1}-12-31T12:00:00.000Z`,
  } as const;
  await storeComparison(pool, epoch, { rail_account_id }, { charges: [charge], disputes: [], refunds: [] });
  const skipped = (await skipLostNumbers(pool, epoch)).filter((each) => each.merchantId === merchantId);
  await liftFence(pool, epoch);
  const years = skipped.filter(({ series }) => series === 'credit_note').flatMap((each) => each.years);
  expect(years.map((each) => each.year)).toEqual([year - 1, year]);
});

async function paidWith(db: Pool): Promise<string> {
  const { id } = await insertSession(db, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(db, id);
  await answer(db, id, paymentId, APPROVED);
  return paymentId;
}

async function insertInvoice(status: string): Promise<string> {
  const { invoiceId } = await insertPurchase(pool, shop, shop.products.recurring, { recurring: true });
  await pool.query(sql.unsafe`update invoices set status = ${status} where id = ${invoiceId}`);
  return invoiceId;
}

async function insertCredited(): Promise<void> {
  const credit = { actor: 'person:ada', reason: 'bad debt', evidence: 'letter of the court' };
  expect(await creditByOperator(pool, await insertInvoice('uncollectible'), credit)).toMatchObject({
    kind: 'credited',
  });
}

/** The payment of an immediate plan change. */
async function changeUnderWay(): Promise<string> {
  const offering = await insertOffering(pool, shop.merchantId);
  const plan = (values: object) => insertPlan(pool, shop.merchantId, offering, { ...RECURRING, ...values });
  const [basic, targetPlanId] = [await plan({}), await plan({ amount: 1_900 })];
  const answer = await changePlanNow(pool, {
    subscriptionId: await insertSubscription(pool, shop, basic),
    operationKey: 'change',
    type: 'plan_change',
    targetPlanId,
    targetOfferingId: null,
    calculatedAt: null,
  });
  if (answer.kind !== 'done' || !answer.paymentId) throw new Error(JSON.stringify(answer));
  return answer.paymentId;
}

function insertRefund(paymentId: string, status: string): Promise<string> {
  return pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    insert into refunds (merchant_id, environment, payment_id, rail_account_id, operation_id, amount, currency, status)
    select p.merchant_id, p.environment, p.id, p.rail_account_id, 'operation of ' || p.id, 500, p.currency, ${status}
    from payments p where p.id = ${paymentId}
    returning id`);
}
