import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findSessionToStart } from '../../../db/session/session-sweep.ts';
import { restartSession } from '../../../temporal/start-workflows.ts';
import { clickAccepted } from '../../support/attempts.ts';
import { createSessionWorld, type SessionWorld } from '../../support/checkout-world.ts';
import { insertSession } from '../../support/fixtures.ts';

let world: SessionWorld;
beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world.close());

it('a session whose run was lost over an open attempt goes on with it at once, not at its expiry', async () => {
  const { pool, client, timings, shop } = world;
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  // With a token that the rail does not know: it will be declined.
  await clickAccepted(pool, id);
  const row = await findSessionToStart(pool, id);
  if (!row) throw new Error(`${id} is not startable`);
  expect(row.msToExpiry).toBeGreaterThan(60_000);
  await restartSession({ pool, client, checkout: { timings } }, row);
  await world.until(id, 'created');
  expect((await world.payments(id)).map(({ status }) => status)).toEqual(['failed']);
});
