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

test('a renewal after the notice period is charged once, at the new price', async () => {
  const id = await api.subscribe();
  const { pool, shop } = api.world;
  const { basic } = api.plans;
  const asOwner = async (method: string, path: string, body?: object) =>
    (
      await api.api.request(method, `/v1/merchants/${shop.merchantId}/${path}`, {
        headers: asPerson(shop.merchantId),
        ...(body && { body }),
      })
    ).body;
  const before = await asOwner('GET', `subscriptions/${id}`);
  const price = await asOwner('POST', `products/${basic}/prices`, {
    amount: 1_100,
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
  const advanced = await api.post(`/v1/subscriptions/${id}/advance`, {
    to: addDays(new Date().toISOString(), 70),
  });
  expect(advanced.status).toBe(202);
  await untilArrived(api.world, id, 60_000);
  expect((await invoicesOf(pool, id)).map(({ amount }) => amount)).toEqual([900, 900, 1_100]);
  expect(await chargesOf(api.world, id)).toEqual([900, 1_100]);
  expect((await asOwner('GET', `price-moves/${move.id}`)).counts).toMatchObject({ moved: 1, announced: 0 });
});
