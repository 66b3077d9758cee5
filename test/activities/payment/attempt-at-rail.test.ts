import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attemptAtRail } from '../../../activities/payment/attempt-at-rail.ts';
import { sql } from '../../../db/core/pool.ts';
import { beginAuthorize } from '../../../db/payment/rail-calls.ts';
import type { Rail } from '../../../rail/rail.ts';
import { createSandboxRail } from '../../../rail/sandbox/index.ts';
import { clickAccepted } from '../../support/db/attempts.ts';
import { insertSession, insertShop, type Shop, testSecretBox } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

const sandbox = createSandboxRail({ baseUrl: 'http://127.0.0.1:1' });
const LAGGING: Rail = {
  ...sandbox,
  trust: { ...sandbox.trust, lookupLagMs: 10_000, searchLagMs: 3_600_000 },
};

let db: OpenTestDatabase;
let shop: Shop;

beforeAll(async () => {
  db = await openTestDatabase();
  shop = await insertShop(db.pool);
});
afterAll(() => db.close());

test('a look-up that finds nothing is final once the rail’s lag has passed', async () => {
  const session = await insertSession(db.pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(db.pool, session.id);
  await beginAuthorize(db.pool, paymentId, 20);
  const deps = { pool: db.pool, rails: new Map([['sandbox', LAGGING]]), secretBox: testSecretBox };
  const isFinal = async (seconds: number) => {
    await db.pool.query(sql.unsafe`
      update payments set call_deadline = service_clock() - ${seconds} * interval '1 second' where id = ${paymentId}`);
    return (await attemptAtRail(deps, paymentId))?.pastDeadline;
  };
  expect({
    justNow: await isFinal(0),
    afterSeconds: await isFinal(11),
    afterAnHour: await isFinal(3_601),
  }).toEqual({ justNow: false, afterSeconds: true, afterAnHour: true });
});
