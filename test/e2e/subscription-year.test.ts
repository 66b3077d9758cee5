/** The year of billing on real processes, over HTTP only, with the sandbox clock. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, type Pool } from '../../db/core/pool.ts';
import { payAsBuyer } from '../../sandbox/buyer/buyer.ts';
import { eventually } from '../support/core/eventually.ts';
import { RECURRING } from '../support/db/fixtures.ts';
import { insertOffering, insertPlan } from '../support/db/subscriptions.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import {
  advanceTo,
  type Bought,
  buySubscription,
  eventsOf,
  invoicesOfStack,
  ledgerOf,
  post,
  subscriptionOf,
} from '../support/stack/stack-subscriptions.ts';
import {
  type Books,
  expectedBooks,
  legible,
  liveTheYear,
  YEAR,
  type YearActor,
} from '../support/world/year-of-billing.ts';

let stack: TestStack;
let pool: Pool;

beforeAll(async () => {
  stack = await startStack();
  pool = await openPool({ url: stack.databaseUrl, maxConnections: 2 });
});
afterAll(async () => {
  await pool?.end();
  await stack?.stop();
});

const BILLING_EVENTS = /^(subscription|invoice|payment|payment_method)\./;

interface Plans {
  readonly plus: string;
  readonly elsewhere: string;
  readonly otherOffering: string;
}

/** The merchant's and the customer's actions during the year, over HTTP. */
function actorOf({ id, externalCustomerId }: Bought, begunAt: string, plans: Plans): YearActor {
  return {
    begunAt,
    advanceTo: (instant) => advanceTo(stack, id, instant),
    changePlan: async () => {
      const { status, body } = await post(stack, `/v1/subscriptions/${id}/plan-change`, {
        target_plan_id: plans.plus,
      });
      expect([status, body.change?.status]).toEqual([202, 'scheduled']);
    },
    changeOffering: async () => {
      const target = { target_plan_id: plans.elsewhere, target_offering_id: plans.otherOffering };
      const { status, body } = await post(stack, `/v1/subscriptions/${id}/offering-change`, target);
      expect([status, body.change?.type]).toEqual([202, 'offering_change']);
    },
    changeCard: async (card) => {
      const email = `${externalCustomerId}@example.com`;
      const { body } = await post(stack, '/v1/payment-methods/change', {
        subscriptionId: id,
        externalCustomerId,
        customer: { email },
        successUrl: 'https://shop.example/account',
        failUrl: 'https://shop.example/account',
      });
      const { hostedUrl } = body;
      const { report } = await payAsBuyer({ hostedUrl, card, email });
      expect(report.state).toBe('succeeded');
      await eventually(async () => expect((await subscriptionOf(stack, id)).status).toBe('active'));
    },
    cancelAtPeriodEnd: async () => {
      const { status, body } = await post(stack, `/v1/subscriptions/${id}/cancel`, { at_period_end: true });
      expect([status, body.cancel_at_period_end]).toEqual([200, true]);
    },
  };
}

async function storedCharges(): Promise<readonly number[]> {
  const ledger = await ledgerOf(stack);
  return ledger.filter(({ operation }) => operation === 'chargeStored').map(({ amount }) => amount);
}

/** @param chargesBefore charges at the rail that are not the subscription's */
async function readBooks({ id, externalCustomerId }: Bought, chargesBefore: number): Promise<Books> {
  const { status, cancelled_at: cancelledAt } = await subscriptionOf(stack, id);
  const invoices = (await invoicesOfStack(stack, id)).map((invoice) => ({
    issuedAt: invoice.issued_at,
    status: invoice.status,
    amountDue: invoice.amount_due,
    amount: invoice.line_items[0].amount,
    taxAmount: invoice.line_items[0].tax_amount,
    number: invoice.number,
  }));
  const charges = (await storedCharges()).slice(chargesBefore);
  const received = await eventsOf(stack, externalCustomerId);
  expect(received.every(({ verified }) => verified)).toBe(true);
  // Delivery is at least once: drop repeats.
  const events = [...new Map(received.map((each) => [each.event.id, each])).values()]
    .filter(({ event }) => BILLING_EVENTS.test(event.type))
    .map(({ event }) => ({ type: event.type as string, occurredAt: event.occurred_at as string }));
  return { invoices, charges, events, status, cancelledAt };
}

test('a merchant can run a year of renewals in seconds, with exact invoices, charges and events', async () => {
  const merchantId = stack.merchant.id;
  const [offering, other] = [await insertOffering(pool, merchantId), await insertOffering(pool, merchantId)];
  const plan = (offeringId: string, values: object) =>
    insertPlan(pool, merchantId, offeringId, { ...RECURRING, ...values });
  const basic = await plan(offering, { trialPeriodDays: YEAR.trialDays });
  const plus = await plan(offering, { amount: YEAR.plus });
  const elsewhere = await plan(other, { amount: YEAR.elsewhere });

  const bought = await buySubscription(stack, { productId: basic, card: YEAR.firstCard });
  const { trial_start: begunAt } = await subscriptionOf(stack, bought.id);
  const { length: chargesBefore } = await storedCharges();
  const startedAt = performance.now();
  await liveTheYear(actorOf(bought, begunAt, { plus, elsewhere, otherOffering: other }));
  expect(performance.now() - startedAt).toBeLessThan(90_000);

  const expected = expectedBooks(begunAt);
  const books = () => readBooks(bought, chargesBefore);
  await eventually(async () => expect(legible(await books(), begunAt)).toEqual(expected));
  const numbers = (await books()).invoices.map(({ number }) => number);
  expect(numbers.toSorted(new Intl.Collator('en', { numeric: true }).compare)).toEqual(numbers);
});
