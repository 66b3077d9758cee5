import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import type { AnswerDetails } from '../../../db/payment/rail-calls.ts';
import { storeLateApproval } from '../../../db/subscription/late-approval.ts';
import { replaceMethod } from '../../../db/subscription/replace-method.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { APPROVED, answer, clickAccepted, DECLINED } from '../../support/db/attempts.ts';
import { insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, eventTypesOf, invoicesOf, testLink } from '../../support/db/subscriptions.ts';

const NO_MANDATE: AttemptOutcome = { kind: 'declined', code: 'authentication_required', retryable: false };

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

const details = (mandate: string | null): AnswerDetails => ({
  railReference: 'ch_1',
  method: { type: 'card', brand: 'visa', last4: '4242' },
  mandate: mandate === null ? null : Buffer.from(mandate),
  challengeUrl: null,
  challengeSeconds: 600,
});

/** A subscription whose purchase was settled without the rail's answer. */
async function begun() {
  const checkout = await insertSession(pool, shop, shop.products.recurring);
  const paymentId = await clickAccepted(pool, checkout.id);
  await answer(pool, checkout.id, paymentId, APPROVED);
  const subscriptionId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from subscriptions where checkout_id = ${checkout.id}`);
  return { paymentId, subscriptionId };
}

const mandateOf = (table: 'payments' | 'subscriptions', id: string) =>
  pool.oneFirst(sql.type(z.object({ mandate: z.string().nullable() }))`
    select convert_from(credential_secret_ref, 'UTF8') as mandate from ${sql.identifier([table])} where id = ${id}`);

test('an invoice that fell due without a mandate is charged as soon as the rail reports the mandate', async () => {
  const { subscriptionId, paymentId } = await begun();
  const answers = [NO_MANDATE];
  const driver = driverOf(pool, subscriptionId, () => answers.shift() ?? APPROVED);
  const { currentPeriodEnd } = await driver.view();
  expect(await driver.advance(currentPeriodEnd ?? '')).toMatchObject({ status: 'past_due' });
  await storeLateApproval(pool, paymentId, details('told late'));
  expect(await driver.run()).toMatchObject({ status: 'active' });
  expect((await invoicesOf(pool, subscriptionId)).map(({ amount_due }) => amount_due)).toEqual([0, 0]);
});

test('a second late approval replaces neither the subscription’s mandate nor the payment’s', async () => {
  const { subscriptionId, paymentId } = await begun();
  await storeLateApproval(pool, paymentId, details('first'));
  await storeLateApproval(pool, paymentId, details('again'));
  expect(await mandateOf('payments', paymentId)).toBe('first');
  await pool.query(sql.unsafe`
    update subscriptions set credential_secret_ref = 'a newer card' where id = ${subscriptionId}`);
  await pool.query(sql.unsafe`update payments set credential_secret_ref = null where id = ${paymentId}`);
  await storeLateApproval(pool, paymentId, details('told late'));
  expect(await mandateOf('payments', paymentId)).toBe('told late');
  expect(await mandateOf('subscriptions', subscriptionId)).toBe('a newer card');
});

test.each(['expired', 'cancelled'])('a %s subscription gets no mandate', async (status) => {
  const { paymentId, subscriptionId } = await begun();
  await pool.query(sql.unsafe`
    update subscriptions set status = ${status}, next_action_at = null where id = ${subscriptionId}`);
  await storeLateApproval(pool, paymentId, details('told late'));
  expect(await mandateOf('subscriptions', subscriptionId)).toBeNull();
});

test('a charge reported late for an ended attempt is returned', async () => {
  const checkout = await insertSession(pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(pool, checkout.id);
  await answer(pool, checkout.id, paymentId, { kind: 'cancelled' });
  await storeLateApproval(pool, paymentId, details('told late'));
  expect(await mandateOf('payments', paymentId)).toBeNull();
});

describe('the method of a payment link that was settled without its mandate', () => {
  /** A subscription whose renewal was declined and then, according to an operator, paid through a link. */
  async function paidByLink(keepsMethod: boolean) {
    const { paymentId: purchase, subscriptionId } = await begun();
    await storeLateApproval(pool, purchase, details('first'));
    const driver = driverOf(pool, subscriptionId, () => DECLINED);
    const { currentPeriodEnd } = await driver.view();
    await driver.advance(currentPeriodEnd ?? '');
    const invoice = (await invoicesOf(pool, subscriptionId)).at(-1);
    await pool.transaction((tx) =>
      testLink(tx, { scope: shop, subscriptionId, invoiceId: invoice?.id ?? '' }),
    );
    const link = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      select id from checkouts where subscription_id = ${subscriptionId} and invoice_id is not null`);
    const paymentId = await clickAccepted(pool, link);
    await pool.query(sql.unsafe`
      update clicks set keeps_method = ${keepsMethod} where checkout_id = ${link}`);
    await answer(pool, link, paymentId, APPROVED);
    expect(await mandateOf('subscriptions', subscriptionId)).toBe('first');
    return { subscriptionId, paymentId };
  }

  test('becomes the subscription’s once the rail reports it, if the buyer agreed', async () => {
    const { subscriptionId, paymentId } = await paidByLink(true);
    for (const mandate of ['told late', 'again']) await storeLateApproval(pool, paymentId, details(mandate));
    expect(await mandateOf('subscriptions', subscriptionId)).toBe('told late');
    const told = await eventTypesOf(pool, subscriptionId);
    expect(told.filter((type) => type === 'payment_method.updated')).toHaveLength(1);
  });

  test('does not become the subscription’s if the buyer did not agree', async () => {
    const { subscriptionId, paymentId } = await paidByLink(false);
    await storeLateApproval(pool, paymentId, details('told late'));
    expect(await mandateOf('subscriptions', subscriptionId)).toBe('first');
    expect(await mandateOf('payments', paymentId)).toBe('told late');
  });

  test('gives way to the method of a later paid click whose buyer also agreed', async () => {
    const { subscriptionId, paymentId } = await paidByLink(true);
    await pool.query(sql.unsafe`
      insert into clicks (claim_id, merchant_id, environment, checkout_id, method_type, not_after, keeps_method)
      select 'later', merchant_id, environment, checkout_id, method_type, not_after, true
      from clicks where claim_id = (select claim_id from payments where id = ${paymentId})`);
    await storeLateApproval(pool, paymentId, details('told late'));
    const keeping = await pool.anyFirst(sql.type(z.object({ claim_id: z.string() }))`
      select r.claim_id from clicks r join checkouts c on c.id = r.checkout_id
      where c.subscription_id = ${subscriptionId} and r.keeps_method`);
    expect(keeping).toEqual(['later']);
  });

  test('does not become the subscription’s if the method has since been replaced', async () => {
    const { subscriptionId, paymentId } = await paidByLink(true);
    const newer = await begun();
    await storeLateApproval(pool, newer.paymentId, details('newer'));
    await inTransaction(pool, (tx) =>
      replaceMethod(tx, subscriptionId, { checkoutId: 'ap_pmc_none', paymentId: newer.paymentId }),
    );
    await storeLateApproval(pool, paymentId, details('told late'));
    expect(await mandateOf('subscriptions', subscriptionId)).toBe('newer');
  });
});
