import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { restartCheckout } from '../../../temporal/start-workflows.ts';
import { findStartableCheckout } from '../../../db/session/session-sweep.ts';
import { clickAccepted } from '../../support/attempts.ts';
import { type CheckoutWorld, createCheckoutWorld } from '../../support/checkout-world.ts';
import { insertCheckout } from '../../support/fixtures.ts';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await createCheckoutWorld();
  await world.startWorker();
});
afterAll(() => world.close());

it('a session whose run was lost over an open attempt goes on with it at once, not at its expiry', async () => {
  const { pool, client, timings, shop } = world;
  const { id } = await insertCheckout(pool, shop, shop.products.oneTime);
  // With a token that the rail does not know: it will be declined.
  await clickAccepted(pool, id);
  const row = await findStartableCheckout(pool, id);
  if (!row) throw new Error(`${id} is not startable`);
  expect(row.msToExpiry).toBeGreaterThan(60_000);
  await restartCheckout({ pool, client, checkout: { timings } }, row);
  await world.until(id, 'created');
  expect((await world.payments(id)).map(({ status }) => status)).toEqual(['failed']);
});
