import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import type { Party } from '../../../db/session/core/buyer-details.ts';
import { createMethodChange } from '../../../db/session/method-changes.ts';
import { findSession } from '../../../db/session/read/find-session.ts';
import { createPageToken, openPageToken } from '../../../platform/secrets/page-token.ts';
import { mandateOf } from '../../../platform/secrets/places.ts';
import { APPROVED, answer, clickAccepted } from '../../support/db/attempts.ts';
import { insertShop, type Shop, testSecretBox } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { customerOf, eventTypesOf, insertSubscription } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

async function create(subscriptionId: string, party: Party | null = null) {
  const change = await createMethodChange(pool, {
    scope: shop,
    operationId: null,
    subscriptionId,
    externalCustomerId: null,
    buyer: { email: null, party },
    successUrl: 'https://shop.example/account',
    failUrl: 'https://shop.example/account',
    maxAttempts: 3,
    pageToken: createPageToken(testSecretBox, 'ap_pmc_'),
    railNames: ['sandbox'],
  });
  if (change.refusal !== null) throw new Error(`refused: ${change.refusal}`);
  return { id: change.id, pageToken: openPageToken(testSecretBox, change) };
}

const setClockOfIds = (ahead: string) =>
  pool.query(sql.unsafe`
    create or replace function new_id(prefix text) returns text language sql volatile parallel safe as
      ${sql.literalValue(`select prefix || replace(uuidv7(interval '${ahead}')::text, '-', '')`)}`);

async function approve(methodChangeId: string, paymentId: string, last4: string): Promise<void> {
  const details = {
    railReference: `rail-${paymentId}`,
    method: { type: 'card', brand: 'visa', last4 },
    mandate: testSecretBox.seal(last4, mandateOf(await customerOf(pool, paymentId))),
    challengeUrl: null,
    challengeSeconds: 600,
  };
  await answer(pool, methodChangeId, paymentId, APPROVED, { details });
}

test('the method change created last wins, even if the clock in the ids was set back in between', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  await setClockOfIds('1 day');
  const older = await create(subscriptionId);
  await setClockOfIds('0');
  const olderPayment = await clickAccepted(pool, older.id);
  const newer = await create(subscriptionId);
  const isOver = async ({ pageToken }: typeof older) =>
    (await findSession(pool, pageToken))?.method_change?.over;
  expect([await isOver(older), await isOver(newer)]).toEqual([true, false]);

  await approve(newer.id, await clickAccepted(pool, newer.id), '4444');
  await approve(older.id, olderPayment, '1111');
  const last4 = await pool.oneFirst(sql.type(z.object({ last4: z.string() }))`
    select payment_method ->> 'last4' as last4 from subscriptions where id = ${subscriptionId}`);
  expect(last4).toBe('4444');
  const told = (await eventTypesOf(pool, subscriptionId)).filter((type) =>
    type.startsWith('payment_method.'),
  );
  expect(told).toEqual(['payment_method.updated']);
});

test('a method change’s customer data is stored on the customer once the change succeeds', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const nameOfCustomer = () =>
    pool.oneFirst(sql.type(z.object({ name: z.string().nullable() }))`
      select u.name from customers u join subscriptions s on s.customer_id = u.id where s.id = ${subscriptionId}`);
  const change = await create(subscriptionId, { name: 'Ada King' });
  const paymentId = await clickAccepted(pool, change.id);
  expect(await nameOfCustomer()).toBeNull();
  await approve(change.id, paymentId, '4444');
  expect(await nameOfCustomer()).toBe('Ada King');
});
