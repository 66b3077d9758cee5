/** The sweep signals each rail webhook once, and waits for the rail before it resends a failed return. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { z } from 'zod';
import type { ActivityDeps } from '../../../activities/core/deps.ts';
import { presentWebhooks } from '../../../activities/sweep/present-webhooks.ts';
import { lookUpReturnsInDoubt } from '../../../activities/sweep/return-orphans.ts';
import { sql } from '../../../db/core/pool.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { createSandboxRail } from '../../../rail/sandbox/index.ts';
import { clickAccepted } from '../../support/db/attempts.ts';
import {
  insertPurchase,
  insertSession,
  insertShop,
  type Shop,
  testSecretBox,
} from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

const sandbox = createSandboxRail({ baseUrl: 'http://127.0.0.1:1' });
let db: OpenTestDatabase;
let shop: Shop;
const signals: unknown[] = [];

beforeAll(async () => {
  db = await openTestDatabase();
  shop = await insertShop(db.pool);
});
afterAll(() => db?.close());

function depsWith(pendingCents: number): ActivityDeps {
  const signal = async (...args: unknown[]) => void signals.push(args);
  return {
    pool: db.pool,
    logger: pino({ level: 'silent' }),
    secretBox: testSecretBox,
    session: { railCallTimeoutSeconds: 4 },
    rails: new Map([
      [
        'sandbox',
        { ...sandbox, refundedTotal: async () => ({ kind: 'total', refundedCents: 0, pendingCents }) },
      ],
    ]),
    client: {
      withDeadline: (_atMs: number, call: () => unknown) => call(),
      workflow: { getHandle: () => ({ signal }), start: signal },
    },
  } as unknown as ActivityDeps;
}

async function hear(reference: string, hint: string): Promise<void> {
  const { railAccountId } = shop;
  await storeRailWebhook(db.pool, { railAccountId, railEventId: randomUUID(), reference, hint });
  await db.pool.query(sql.unsafe`
    update rail_webhooks set received_at = service_clock() - interval '6 seconds' where reference = ${reference}`);
}

test('a webhook about an open attempt is signalled once, not again in each sweep', async () => {
  const { id } = await insertSession(db.pool, shop, shop.products.oneTime);
  await hear(await clickAccepted(db.pool, id), 'approved');
  await presentWebhooks(depsWith(0));
  expect(signals).toHaveLength(1);
  await presentWebhooks(depsWith(0));
  expect(signals).toHaveLength(1);
});

test('a return reported as failed is not sent again while part of it is still pending at the rail', async () => {
  const { paymentId } = await insertPurchase(db.pool, shop, shop.products.oneTime);
  await db.pool.query(sql.unsafe`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency, returned_at, returned_by)
    values (${paymentId}, ${shop.merchantId}, 'sandbox', 1900, 'EUR', service_clock(), 'refund')`);
  await hear(`${paymentId}-return`, 'refund_failed');
  const returned = sql.type(z.object({ returned: z.boolean() }))`
    select returned_at is not null as returned from orphaned_charges where payment_id = ${paymentId}`;
  await lookUpReturnsInDoubt(depsWith(1_900));
  expect(await db.pool.oneFirst(returned)).toBe(true);
  await lookUpReturnsInDoubt(depsWith(0));
  expect(await db.pool.oneFirst(returned)).toBe(false);
});
