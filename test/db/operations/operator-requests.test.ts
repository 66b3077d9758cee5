import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import {
  closeRequest,
  confirmRequest,
  reopenRequest,
  storeRequestToConfirm,
} from '../../../db/operations/operator-requests.ts';
import { insertResolveRequest, mustNotResolve } from '../../../db/payment/resolve-requests.ts';
import { insertPurchase, insertShop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let paymentId: string;
let merchantId: string;
let requests: Readonly<
  Record<
    | 'confirmed'
    | 'confirmedAnotherCharge'
    | 'confirmedNoCharge'
    | 'alone'
    | 'aloneNoCharge'
    | 'ofAnother'
    | 'aloneOfAnotherCharge',
    string
  >
>;
let refundId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  const shop = await insertShop(database.pool);
  ({ merchantId } = shop);
  const { pool } = database;
  const purchase = await insertPurchase(pool, shop, shop.products.oneTime, { paymentStatus: 'failed' });
  const another = await insertPurchase(pool, shop, shop.products.oneTime, { paymentStatus: 'processing' });
  ({ paymentId } = purchase);
  const ask = (subjectId: string, charge: string | null, confirmedAs: string) =>
    insertResolveRequest(pool, subjectId, typed, {
      person: 'person:ben',
      requestId: confirmedAs,
      paymentId: charge,
    });
  const aloneNoCharge = await insertResolveRequest(pool, purchase.checkoutId, typed);
  await pool.query(sql.unsafe`update payments set status = 'processing' where id = ${paymentId}`);
  requests = {
    confirmed: await ask(purchase.checkoutId, paymentId, 'ap_opr_1'),
    confirmedAnotherCharge: await ask(purchase.checkoutId, another.paymentId, 'ap_opr_2'),
    confirmedNoCharge: await ask(purchase.checkoutId, null, 'ap_opr_4'),
    alone: await insertResolveRequest(pool, purchase.checkoutId, typed),
    aloneNoCharge,
    ofAnother: await ask(another.checkoutId, paymentId, 'ap_opr_3'),
    aloneOfAnotherCharge: await insertResolveRequest(pool, another.checkoutId, typed),
  };
  refundId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    insert into refunds (merchant_id, environment, payment_id, rail_account_id, operation_id, amount, currency)
    select merchant_id, environment, id, rail_account_id, 'refund-1', 900, currency
    from payments where id = ${paymentId} returning id`);
});
afterAll(() => database?.close());

const typed = { outcome: 'failed', operator: 'Ada', reason: 'r', evidence: 'e' } as const;

test.each([
  ['typed in Temporal UI, about more than the limit', typed, 1_899, true],
  ['typed in Temporal UI, about the limit', typed, 1_900, false],
  ['typed in Temporal UI, without a limit', typed, null, false],
])('a request %s is refused only above the limit', async (_what, asked, above, refused) => {
  expect(await mustNotResolve(database.pool, asked, paymentId, above)).toBe(refused);
});

test.each([
  ['confirmed', 0, false],
  ['alone', 0, true],
  ['alone', 1_900, false],
  ['ofAnother', 0, true],
  ['confirmedAnotherCharge', 0, true],
  ['confirmedAnotherCharge', null, true],
  ['aloneOfAnotherCharge', null, true],
  ['aloneNoCharge', null, true],
  ['confirmedNoCharge', 0, true],
] as const)(
  'a stored request about a payment (%s) with a limit of %s: refused = %s',
  async (which, above, refused) => {
    const asked = { outcome: 'failed', requestId: requests[which] } as const;
    expect(await mustNotResolve(database.pool, asked, paymentId, above)).toBe(refused);
  },
);

test.each([
  ['alone', null, false],
  ['alone', 0, true],
  ['confirmed', 0, false],
] as const)(
  'a stored request about a refund (%s) with a limit of %s: refused = %s',
  async (which, above, refused) => {
    const { pool } = database;
    const confirmation =
      which === 'confirmed' ? { person: 'person:ben', requestId: 'ap_opr_5', paymentId: null } : undefined;
    const requestId = await insertResolveRequest(pool, refundId, typed, confirmation);
    expect(await mustNotResolve(pool, { outcome: 'failed', requestId }, refundId, above)).toBe(refused);
  },
);

test('a request that one person reopens while another executes it ends up closed', async () => {
  const { pool } = database;
  const { id } = await storeRequestToConfirm(pool, {
    subjectId: paymentId,
    merchantId,
    environment: 'sandbox',
    amount: 1_900,
    paymentId,
    currency: 'EUR',
    command: { command: 'returned', reason: 'r', evidence: 'e' },
    asker: { actor: 'person:ada' },
  });
  for (const person of ['person:ben', 'person:cleo'])
    expect(await confirmRequest(pool, id, person)).toMatchObject({ confirmed_by: 'person:ben' });
  await reopenRequest(pool, id);
  await closeRequest(pool, id, 'person:ben');
  const closed = z.object({ confirmed_by: z.string(), is_carried_out: z.boolean() });
  expect(
    await pool.one(sql.type(closed)`
      select confirmed_by, carried_out_at is not null as is_carried_out from operator_requests where id = ${id}`),
  ).toEqual({ confirmed_by: 'person:ben', is_carried_out: true });
});
