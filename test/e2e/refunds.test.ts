/** Refunds on the whole service, over HTTP alone: with the rail account's capability off, and on. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, sql } from '../../db/pool.ts';
import { payAsBuyer } from '../../page/buyer.ts';
import { eventually } from '../support/eventually.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { call, eventsOf, ledgerOf, post } from '../support/stack-subscriptions.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startStack();
}, 120_000);
afterAll(() => stack?.stop());

async function declareRefunds(declared: boolean): Promise<void> {
  const pool = await openPool({ url: stack.databaseUrl, maxConnections: 1 });
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || jsonb_build_object('refunds', ${declared}::boolean)
    where id = ${stack.merchant.railAccountId}`);
  await pool.end();
}

/** A mug for 19.00, paid by a new customer. */
async function buyMug() {
  const externalCustomerId = `customer-${randomUUID()}`;
  const { hostedUrl } = await stack.createCheckout(stack.products.oneTime, { externalCustomerId });
  const { report, problem } = await payAsBuyer({
    ...{ hostedUrl, card: '4242424242424242', email: 'ada@example.com' },
    ...{ challenge: 'approve', timeoutSeconds: 60 },
  });
  if (report.state !== 'succeeded') throw new Error(`not bought: ${problem ?? report.state}`);
  const [order] = (await call(stack, 'GET', '/v1/orders')).body.data;
  return { externalCustomerId, orderId: order.id as string, paymentId: order.payment_id as string };
}

const railRequests = async (): Promise<readonly unknown[]> =>
  (await fetch(`${stack.railUrl}/requests`)).json() as Promise<unknown[]>;
const statesOf = async ({ orderId, paymentId }: { orderId: string; paymentId: string }) => {
  const find = async (list: string, id: string) =>
    (await call(stack, 'GET', list)).body.data.find((each: { id: string }) => each.id === id).status;
  return [await find('/v1/payments', paymentId), await find('/v1/orders', orderId)];
};
const settled = (id: string) =>
  eventually(async () => {
    expect((await call(stack, 'GET', `/v1/refunds/${id}`)).body.status).toBe('succeeded');
  }, 20_000);

test('while the account does not declare refunds the answer is 501, and the rail hears nothing', async () => {
  await declareRefunds(false);
  const { paymentId, orderId } = await buyMug();
  const before = await railRequests();
  for (const body of [{ paymentId }, { orderId }, { paymentId, amount: 1, currency: 'EUR', reason: 'x' }]) {
    const answer = await post(stack, '/v1/refunds', body);
    expect([answer.status, answer.body.code]).toEqual([501, 'refunds_not_supported']);
  }
  // The relay starts within a second what the API could not: there must be nothing to start.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await railRequests()).toEqual(before);
  expect(await statesOf({ paymentId, orderId })).toEqual(['succeeded', 'completed']);
});

test('once it declares them, parts go back, two at once, and never more than was paid', async () => {
  await declareRefunds(true);
  const bought = await buyMug();
  const { paymentId, orderId, externalCustomerId } = bought;
  const first = await post(stack, '/v1/refunds', { orderId, amount: 500, reason: 'a scratch' });
  expect([first.status, first.body.amount]).toEqual([201, 500]);
  await settled(first.body.id);
  expect(await statesOf(bought)).toEqual(['partially_refunded', 'partially_refunded']);

  const together = await Promise.all(
    [700, 700, 700].map((amount) => post(stack, '/v1/refunds', { paymentId, amount })),
  );
  const [second, third, ...more] = together.filter(({ status }) => status === 201);
  expect(more).toEqual([]);
  expect(together.filter(({ body }) => body.code === 'refund_amount_exceeds_payment')).toHaveLength(1);
  await Promise.all([second, third].map((refund) => settled(refund?.body.id)));
  expect(await statesOf(bought)).toEqual(['refunded', 'refunded']);

  const ids = [first, second, third].map((refund) => refund?.body.id);
  const atRail = (await ledgerOf(stack)).filter(({ reference }) => ids.includes(reference));
  expect(atRail.map(({ operation, amount }) => [operation, amount])).toEqual([
    ['refund', 500],
    ['refund', 700],
    ['refund', 700],
  ]);
  await eventually(async () => {
    const told = (await eventsOf(stack, externalCustomerId)).map(({ event }) => event);
    const refunds = told.filter(({ type }) => type === 'refund.created').map(({ refund }) => refund);
    expect(refunds.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(
      refunds.every(({ payment_id, status }) => payment_id === paymentId && status === 'succeeded'),
    ).toBe(true);
  });
});

test('a refund that was accepted is carried out, also when the account no longer declares them', async () => {
  await declareRefunds(true);
  const bought = await buyMug();
  await stack.kill('worker');
  const accepted = await post(stack, '/v1/refunds', { paymentId: bought.paymentId });
  expect([accepted.status, accepted.body.status]).toEqual([201, 'pending']);
  await declareRefunds(false);
  await stack.start('worker');
  await settled(accepted.body.id);
  expect(await statesOf(bought)).toEqual(['refunded', 'refunded']);
});
