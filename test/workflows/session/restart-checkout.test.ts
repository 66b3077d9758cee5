import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findSessionToStart } from '../../../db/session/session-sweep.ts';
import { startAgain } from '../../../platform/temporal/start-workflows.ts';
import { clickAccepted } from '../../support/db/attempts.ts';
import { insertSession } from '../../support/db/fixtures.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

let world: SessionWorld;
beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world.close());

test('a session whose run was lost during an attempt resumes the attempt immediately, not at its expiry', async () => {
  const { pool, client, timings, shop } = world;
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  // The rail does not know the token, so it declines.
  await clickAccepted(pool, id);
  expect((await findSessionToStart(pool, id))?.msToExpiry).toBeGreaterThan(60_000);
  await startAgain({ pool, client, session: { timings } }, id);
  await world.until(id, 'created');
  expect((await world.payments(id)).map(({ status }) => status)).toEqual(['failed']);
});
