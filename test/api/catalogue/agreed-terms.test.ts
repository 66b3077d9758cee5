/** Catalogue changes do not affect existing sessions and subscriptions. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { scheduleChange } from '../../../db/subscription/subscription-changes.ts';
import { type AdminApi, startAdminApi } from '../../support/api/admin-api.ts';
import { APPROVED, answer, clickAccepted } from '../../support/db/attempts.ts';
import { insertProduct, insertSession, RECURRING } from '../../support/db/fixtures.ts';
import { beginAt, driverOf, insertSubscription, invoicesOf } from '../../support/db/subscriptions.ts';

let api: AdminApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

const START = `${new Date().getUTCFullYear() + 1}-01-31T09:00:00.000Z`;
const later = (months: number) => new Date(Date.parse(START) + months * 31 * 86_400_000).toISOString();
const YEARLY = {
  amount: 99_900,
  tax_rate: 7,
  billing_mode: 'recurring',
  recurring: { interval: 'year', trial_period_days: 30 },
};

async function newPlan(amount = 900): Promise<string> {
  const { merchantId } = api.shop;
  const { productId } = await insertProduct(api.server.pool, { merchantId, price: { ...RECURRING, amount } });
  return productId;
}

/** Changes everything about a product that the catalogue allows. */
async function changeEverything(productId: string): Promise<void> {
  const changes: readonly [string, string, object][] = [
    ['POST', `/products/${productId}/prices`, YEARLY],
    ['PATCH', `/products/${productId}`, { name: 'Ganz anders', description: 'x', status: 'inactive' }],
    ['POST', '/offerings', { name: `Neu ${productId}`, plan_ids: [productId] }],
  ];
  for (const [method, path, body] of changes)
    expect((await api.admin(method, path, body)).status).toBeLessThan(300);
}

test('an open session keeps the price, name and description from its creation', async () => {
  const productId = await newPlan();
  const { id } = await insertSession(api.server.pool, api.shop, productId);
  await changeEverything(productId);
  const paymentId = await clickAccepted(api.server.pool, id);
  await answer(api.server.pool, id, paymentId, APPROVED);
  const bought = await api.server.pool.one(
    sql.type(
      z.object({ amount: z.number(), line_items: z.array(z.looseObject({ description: z.string() })) }),
    )`select amount, line_items from orders where checkout_id = ${id}`,
  );
  expect(bought.amount).toBe(900);
  expect(bought.line_items).toMatchObject([{ description: 'Filterkaffee, 1 kg', amount: 900, tax_rate: 19 }]);
});

test('a subscription renews at its agreed price, tax and interval, in its agreed offering', async () => {
  const productId = await newPlan();
  const subscriptionId = await insertSubscription(api.server.pool, api.shop, productId);
  await beginAt(api.server.pool, subscriptionId, START);
  await changeEverything(productId);
  await driverOf(api.server.pool, subscriptionId, () => APPROVED).advance(later(2));
  const lines = await api.server.pool.any(sql.type(z.object({ amount: z.number(), tax_rate: z.number() }))`
    select amount, (line_items #>> '{0,tax_rate}')::numeric as tax_rate from invoices
    where subscription_id = ${subscriptionId} order by period_start`);
  expect((await invoicesOf(api.server.pool, subscriptionId)).length).toBe(3);
  expect(lines).toEqual(Array(3).fill({ amount: 900, tax_rate: 19 }));
  const shown = await api.withKey(api.shop.apiKey, 'GET', '/subscriptions');
  expect(shown.body.data.find(({ id }: { id: string }) => id === subscriptionId)).toMatchObject({
    amount: 900,
    offering: null,
    status: 'active',
  });
});

test('a scheduled change applies at the price agreed when it was scheduled', async () => {
  const [from, to] = [await newPlan(900), await newPlan(1_500)];
  const offering = await api.admin('POST', '/offerings', { name: 'Abos', plan_ids: [from, to] });
  const subscriptionId = await insertSubscription(api.server.pool, api.shop, from);
  await beginAt(api.server.pool, subscriptionId, START);
  const scheduled = await scheduleChange(api.server.pool, {
    subscriptionId,
    operationKey: 'change',
    type: 'plan_change',
    targetPlanId: to,
    targetOfferingId: null,
    calculatedAt: null,
  });
  expect(scheduled.kind).toBe('done');
  await api.admin('PATCH', `/offerings/${offering.body.id}`, { plan_ids: [], status: 'inactive' });
  await changeEverything(to);
  await driverOf(api.server.pool, subscriptionId, () => APPROVED).advance(later(1));
  const shown = await api.withKey(api.shop.apiKey, 'GET', '/subscriptions');
  expect(shown.body.data.find(({ id }: { id: string }) => id === subscriptionId)).toMatchObject({
    product_id: to,
    amount: 1_500,
  });
});
