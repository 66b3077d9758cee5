/** A price move end to end: the sandbox clock crosses the renewal that charges the new price. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { announceMove, movesToAnnounce } from '../../../db/subscription/announce-price-move.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import { asPerson } from '../../support/api/people.ts';
import { invoicesOf } from '../../support/db/subscriptions.ts';
import { type SubscriptionApi, startSubscriptionApi } from '../../support/world/subscription-api.ts';
import { chargesOf, untilArrived } from '../../support/world/subscription-world.ts';

let api: SubscriptionApi;
beforeAll(async () => {
  api = await startSubscriptionApi();
});
afterAll(() => api?.stop());

const asOwner = async (method: string, path: string, body?: object) => {
  const { merchantId } = api.world.shop;
  const headers = asPerson(merchantId);
  const request = { headers, ...(body && { body }) };
  return (await api.api.request(method, `/v1/merchants/${merchantId}/${path}`, request)).body;
};

/** Moves the subscribers of the subscription's price to a new one, and announces it. */
async function movePrice(id: string, amount: number) {
  const { pool } = api.world;
  const before = await asOwner('GET', `subscriptions/${id}`);
  const price = await asOwner('POST', `products/${api.plans.basic}/prices`, {
    amount,
    tax_rate: 19,
    billing_mode: 'recurring',
    recurring: { interval: 'month' },
  });
  const move = await asOwner('POST', 'price-moves', {
    environment: 'sandbox',
    old_price_id: before.price_id,
    new_price_id: price.id,
    from: addDays(new Date().toISOString(), 45),
  });
  for (const { subscriptionId } of await movesToAnnounce(pool, 500)) await announceMove(pool, subscriptionId);
  return move;
}

async function advanceDays(id: string, days: number): Promise<void> {
  const to = addDays(new Date().toISOString(), days);
  expect((await api.post(`/v1/subscriptions/${id}/advance`, { to })).status).toBe(202);
  await untilArrived(api.world, id, 60_000);
}

test('a renewal after the notice period is charged once, at the new price', async () => {
  const id = await api.subscribe();
  const move = await movePrice(id, 1_100);
  await advanceDays(id, 70);
  expect((await invoicesOf(api.world.pool, id)).map(({ amount }) => amount)).toEqual([900, 900, 1_100]);
  expect(await chargesOf(api.world, id)).toEqual([900, 1_100]);
  expect((await asOwner('GET', `price-moves/${move.id}`)).counts).toMatchObject({ moved: 1, announced: 0 });
});

test('a change previewed before its price move was cancelled is refused on a moved clock', async () => {
  const id = await api.subscribe();
  const move = await movePrice(id, 1_300);
  await advanceDays(id, 40);
  const wanted = { quantity: 2, effective: 'period_end' };
  const path = `/v1/subscriptions/${id}/quantity`;
  const preview = async () => (await api.post(`${path}/preview`, wanted)).body;
  const shown = await preview();
  expect(shown.next_renewal.total).toBe(2_600);
  await asOwner('PATCH', `price-moves/${move.id}`, { status: 'cancelled' });
  const change = async ({ calculated_at }: { calculated_at: string }) =>
    (await api.post(path, { ...wanted, calculated_at })).body;
  expect((await change(shown)).code).toBe('preview_outdated');
  const again = await preview();
  expect(again.next_renewal.total).toBe(2_200);
  expect((await change(again)).change.status).toBe('scheduled');
});
