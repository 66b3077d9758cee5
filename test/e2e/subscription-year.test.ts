/** The year of billing on real processes, over HTTP only, with the sandbox clock. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, type Pool } from '../../db/pool.ts';
import { payAsBuyer } from '../../page/buyer.ts';
import { eventually } from '../support/eventually.ts';
import { RECURRING } from '../support/fixtures.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import {
  advanceTo,
  buySubscription,
  eventsOf,
  invoicesOfStack,
  ledgerOf,
  post,
  subscriptionOf,
} from '../support/stack-subscriptions.ts';
import { insertOffering, insertPlan } from '../support/subscriptions.ts';
import { expectedBooks, legible, liveTheYear, YEAR } from '../support/year-of-billing.ts';

let stack: TestStack;
let pool: Pool;

beforeAll(async () => {
  stack = await startStack();
  pool = await openPool({ url: stack.databaseUrl, maxConnections: 2 });
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await stack?.stop();
});

const BILLING_EVENTS = /^(subscription|invoice|payment|payment_method)\./;

test('a merchant tests a year of renewals in seconds, and the books are exact', async () => {
  const merchantId = stack.merchant.id;
  const [offering, other] = [await insertOffering(pool, merchantId), await insertOffering(pool, merchantId)];
  const plan = (offeringId: string, values: object) =>
    insertPlan(pool, merchantId, offeringId, { ...RECURRING, ...values });
  const basic = await plan(offering, { trialPeriodDays: YEAR.trialDays });
  const plus = await plan(offering, { amount: YEAR.plus });
  const elsewhere = await plan(other, { amount: YEAR.elsewhere });

  const bought = await buySubscription(stack, { productId: basic, card: YEAR.firstCard });
  const { id, externalCustomerId } = bought;
  const { trial_start: begunAt } = await subscriptionOf(stack, id);
  const chargedBefore = (await ledgerOf(stack)).filter(
    ({ operation }) => operation === 'chargeStored',
  ).length;
  const startedAt = performance.now();

  await liveTheYear({
    begunAt,
    advanceTo: (instant) => advanceTo(stack, id, instant),
    changePlan: async () => {
      const { status, body } = await post(stack, `/v1/subscriptions/${id}/plan-change`, {
        target_plan_id: plus,
      });
      expect([status, body.change?.status]).toEqual([202, 'scheduled']);
    },
    changeOffering: async () => {
      const target = { target_plan_id: elsewhere, target_offering_id: other };
      const { status, body } = await post(stack, `/v1/subscriptions/${id}/offering-change`, target);
      expect([status, body.change?.type]).toEqual([202, 'offering_change']);
    },
    changeCard: async (card) => {
      const { body } = await post(stack, '/v1/payment-methods/change', {
        subscriptionId: id,
        externalCustomerId,
        customer: { email: `${externalCustomerId}@example.com` },
        successUrl: 'https://shop.example/account',
        failUrl: 'https://shop.example/account',
      });
      const { report } = await payAsBuyer({
        hostedUrl: body.hostedUrl,
        card,
        email: `${externalCustomerId}@example.com`,
        challenge: 'approve',
        timeoutSeconds: 30,
      });
      expect(report.state).toBe('succeeded');
      await eventually(async () => expect((await subscriptionOf(stack, id)).status).toBe('active'));
    },
    cancelAtPeriodEnd: async () => {
      const { status, body } = await post(stack, `/v1/subscriptions/${id}/cancel`, { at_period_end: true });
      expect([status, body.cancel_at_period_end]).toEqual([200, true]);
    },
  });
  expect(performance.now() - startedAt).toBeLessThan(90_000);

  const expected = expectedBooks(begunAt);
  const readBooks = async () => {
    const { status, cancelled_at: cancelledAt } = await subscriptionOf(stack, id);
    const invoices = (await invoicesOfStack(stack, id)).map((invoice) => ({
      issuedAt: invoice.issued_at,
      status: invoice.status,
      amountDue: invoice.amount_due,
      amount: invoice.line_items[0].amount,
      taxAmount: invoice.line_items[0].tax_amount,
      number: invoice.number,
    }));
    const ledger = (await ledgerOf(stack)).filter(({ operation }) => operation === 'chargeStored');
    const charges = ledger.slice(chargedBefore).map(({ amount }) => amount);
    const received = await eventsOf(stack, externalCustomerId);
    expect(received.every(({ verified }) => verified)).toBe(true);
    // Delivery is at least once: drop repeats.
    const events = [...new Map(received.map((each) => [each.event.id, each])).values()]
      .filter(({ event }) => BILLING_EVENTS.test(event.type))
      .map(({ event }) => ({ type: event.type as string, occurredAt: event.occurred_at as string }));
    return { invoices, charges, events, status, cancelledAt };
  };
  await eventually(async () => expect(legible(await readBooks(), begunAt)).toEqual(expected), 30_000);
  const numbers = (await readBooks()).invoices.map(({ number }) => number);
  expect(numbers.toSorted(new Intl.Collator('en', { numeric: true }).compare)).toEqual(numbers);
}, 240_000);
