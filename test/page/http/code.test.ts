/** Coupon codes on the hosted page: one response for every refusal, and no click is charged on terms not shown. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { stopCoupon } from '../../../db/catalogue/coupons.ts';
import { sql } from '../../../db/core/pool.ts';
import { fenceIfRestored, readLedgerCopy } from '../../../db/restore/fence.ts';
import type { NewSession } from '../../../db/session/create-session.ts';
import { MOST_REFUSED_CODES } from '../../../db/session/enter-code.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { openPageToken } from '../../../platform/secrets/page-token.ts';
import { answer, click, clickAccepted, DECLINED } from '../../support/db/attempts.ts';
import { giveCoupon, insertCoupon } from '../../support/db/coupons.ts';
import { insertProduct, insertSession, RECURRING, testSecretBox } from '../../support/db/fixtures.ts';
import { liftFence } from '../../support/db/lift-fence.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { age, createSession, insertSeller, moveTo, type TestSession } from '../core/fixtures.ts';
import { type ServedPage, servePage } from '../core/serve.ts';

let database: TestDatabase;
let served: ServedPage;

beforeAll(async () => {
  database = await createTestDatabase();
  served = await servePage({ databaseUrl: database.url });
});
afterAll(async () => {
  await served?.close();
  await database?.drop();
});

const HALF = { code: 'Spring', percent: 50 };

async function enter(session: Pick<TestSession, 'pageToken'>, code: unknown) {
  const response = await fetch(`${served.url}/pay/${session.pageToken}/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the body's shape.
  return { status: response.status, body: (await response.json()) as any };
}

async function viewOf({ pageToken }: Pick<TestSession, 'pageToken'>) {
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the body's shape.
  return (await (await fetch(`${served.url}/pay/${pageToken}/state`)).json()) as any;
}

async function newSession(
  scope: Scope,
  productId: string,
  values: Partial<NewSession> = {},
): Promise<TestSession> {
  const created = await insertSession(served.pool, scope, productId, values);
  return { id: created.id, pageToken: openPageToken(testSecretBox, created) };
}

const refusedCodes = ({ id }: TestSession) =>
  served.pool.oneFirst(sql.type(z.object({ refused_codes: z.number() }))`
    select refused_codes from checkouts where id = ${id}`);

test('a code is accepted in any letter case and with surrounding spaces, and can be removed again', async () => {
  const session = await createSession(served.pool, { coupons: [HALF] });
  expect(await viewOf(session)).toMatchObject({ takesCodes: true, coupon: null, amount: 1_900 });
  const applied = await enter(session, '  sPRING ');
  expect(applied).toMatchObject({
    status: 200,
    body: { amount: 950, coupon: { code: 'Spring', charges: 1 } },
  });
  expect(await viewOf(session)).toMatchObject({ amount: 950, takesCodes: true });
  expect(await enter(session, null)).toMatchObject({ status: 200, body: { amount: 1_900, coupon: null } });
  expect(await enter(session, null)).toMatchObject({ status: 200, body: { amount: 1_900, coupon: null } });
  expect(await refusedCodes(session)).toBe(0);
});

test('another code replaces the coupon', async () => {
  const session = await createSession(served.pool, { coupons: [HALF, { code: 'TENTH', percent: 10 }] });
  await enter(session, 'spring');
  expect(await enter(session, 'tenth')).toMatchObject({ body: { amount: 1_710, coupon: { code: 'TENTH' } } });
});

test('a trial stays free, and the code reduces its later price', async () => {
  const price = { ...RECURRING, trialPeriodDays: 14 };
  const session = await createSession(served.pool, { price, coupons: [HALF] });
  const { body } = await enter(session, 'SPRING');
  expect(body).toMatchObject({ amount: 0, coupon: { deduction: { percent: 50 } } });
  expect(await enter(session, null)).toMatchObject({ body: { amount: 0, coupon: null } });
});

test('a refused code gets the same error, whatever the reason', async () => {
  const [yesterday, tomorrow] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  const seller = await insertSeller(served.pool);
  const elsewhere = await insertSeller(served.pool);
  const { productId } = await insertProduct(served.pool, { merchantId: seller.merchantId });
  const { productId: other } = await insertProduct(served.pool, { merchantId: seller.merchantId });
  const coupon = async (fields: object = {}, scope: Parameters<typeof insertCoupon>[1] = seller) =>
    (await insertCoupon(served.pool, scope, fields)).code;
  const usable = await coupon();
  const ours = { externalCustomerId: 'customer-of-codes' };
  const usedUp = await coupon({ max_redemptions: 1 });
  const buying = await newSession(seller, productId, ours);
  await enter(buying, usedUp);
  await clickAccepted(served.pool, buying.id);
  const stopped = await insertCoupon(served.pool, seller);
  await stopCoupon(served.pool, seller.merchantId, stopped.id, { actor: 'test' });
  const refused = {
    unknown: 'no-such-code',
    blank: '   ',
    stopped: stopped.code,
    expired: await coupon({ valid_until: yesterday }),
    'not yet valid': await coupon({ valid_from: tomorrow }),
    'used up': usedUp,
    'of another product': await coupon({ product_ids: [other] }),
    'for a first purchase': await coupon({ first_purchase_only: true }),
    'for the whole of a one-off price': await coupon({ percent: 100 }),
    'of another merchant': await coupon({}, elsewhere),
    'of another environment': await coupon({}, { ...seller, environment: 'production' }),
  };
  for (const [why, code] of Object.entries(refused)) {
    const session = await newSession(seller, productId, ours);
    const { status, body } = await enter(session, code);
    const { request_id: _, ...rest } = body;
    expect([why, status, rest]).toEqual([
      why,
      400,
      { code: 'code_refused', message: 'This code cannot be used for this purchase.' },
    ]);
    expect(await viewOf(session)).toMatchObject({ amount: 1_900, coupon: null });
    expect(await enter(session, usable)).toMatchObject({ status: 200 });
  }
});

test('after ten refused codes the session accepts no code, not even a valid one, in any process', async () => {
  const session = await createSession(served.pool, { coupons: [HALF] });
  const answers = await Promise.all(
    Array.from({ length: MOST_REFUSED_CODES + 2 }, (_, n) => enter(session, `guess-${n}`)),
  );
  const counted = (code: string) => answers.filter(({ body }) => body.code === code).length;
  expect([counted('code_refused'), counted('too_many_codes')]).toEqual([10, 2]);
  expect(await enter(session, 'spring')).toMatchObject({ status: 429, body: { code: 'too_many_codes' } });
  expect(await viewOf(session)).toMatchObject({ amount: 1_900, coupon: null });
});

test('a coupon stays removable after the last code was refused', async () => {
  const session = await createSession(served.pool, { coupons: [HALF] });
  await enter(session, 'spring');
  await served.pool.query(sql.unsafe`update checkouts set refused_codes = 10 where id = ${session.id}`);
  expect(await enter(session, null)).toMatchObject({ status: 200, body: { amount: 1_900 } });
});

test.each([[''], ['a\u0000b'], ['\ud800'], ['x'.repeat(61)], [7], [undefined]])(
  'the malformed code %j is refused and not counted',
  async (code) => {
    const session = await createSession(served.pool, { coupons: [HALF] });
    expect(await enter(session, code)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await refusedCodes(session)).toBe(0);
  },
);

test('the page asks for a code only if one of the merchant’s coupons may apply', async () => {
  const past = new Date(Date.now() - 1_000).toISOString();
  const takes = async (options: Parameters<typeof createSession>[1]) =>
    (await viewOf(await createSession(served.pool, options))).takesCodes;
  expect(await takes({ coupons: [HALF] })).toBe(true);
  expect(await takes({})).toBe(false);
  expect(await takes({ coupons: [{ ...HALF, valid_until: past }] })).toBe(false);
  expect(await takes({ coupons: [{ ...HALF, environment: 'production' }] })).toBe(false);
  // The merchant's own amount, which coupons do not reduce.
  expect(await takes({ coupons: [HALF], amount: 1_500 })).toBe(false);
});

test('a coupon of another product does not make the page ask for codes', async () => {
  const seller = await insertSeller(served.pool);
  const { productId } = await insertProduct(served.pool, seller);
  const { productId: other } = await insertProduct(served.pool, seller);
  await insertCoupon(served.pool, seller, { product_ids: [other] });
  expect(await viewOf(await newSession(seller, productId))).toMatchObject({ takesCodes: false });
  expect(await viewOf(await newSession(seller, other))).toMatchObject({ takesCodes: true });
});

test('a session whose page does not ask for a code refuses one', async () => {
  const session = await createSession(served.pool, { coupons: [HALF], amount: 1_500 });
  expect(await enter(session, 'spring')).toMatchObject({ status: 400, body: { code: 'code_refused' } });
  expect(await enter(session, null)).toMatchObject({ status: 400, body: { code: 'code_refused' } });
  expect(await viewOf(session)).toMatchObject({ amount: 1_500 });
});

test('the buyer cannot remove or replace the coupon that the shop gave', async () => {
  const session = await createSession(served.pool, { coupons: [HALF], hasCoupon: true });
  await giveCoupon(served.pool, session.id, 'spring');
  expect(await viewOf(session)).toMatchObject({ takesCodes: false, coupon: { code: 'Spring' }, amount: 950 });
  expect(await enter(session, null)).toMatchObject({ status: 400, body: { code: 'code_refused' } });
  expect(await viewOf(session)).toMatchObject({ amount: 950 });
});

test('a session that is being paid or has ended keeps its terms', async () => {
  const paying = await createSession(served.pool, { coupons: [HALF] });
  const paymentId = await clickAccepted(served.pool, paying.id);
  const expired = await createSession(served.pool, { coupons: [HALF] });
  await age(served.pool, expired, 1_801);
  const paid = await createSession(served.pool, { coupons: [HALF] });
  await moveTo(served.pool, paid, 'succeeded');
  for (const session of [paying, expired, paid])
    for (const code of ['spring', null])
      expect(await enter(session, code)).toMatchObject({
        status: 409,
        body: { code: 'session_not_payable' },
      });
  await answer(served.pool, paying.id, paymentId, DECLINED);
  expect(await enter(paying, 'spring')).toMatchObject({ status: 200, body: { amount: 950 } });
});

test('entering a coupon code during a click never changes the terms that the click charges', async () => {
  for (let round = 0; round < 8; round++) {
    const session = await createSession(served.pool, { coupons: [HALF] });
    const [code, paid] = await Promise.all([
      enter(session, 'spring'),
      click(served.pool, session.id, { amount: 1_900 }),
    ]);
    const outcome = [code.status, paid.kind === 'refused' ? paid.reason : paid.kind];
    expect([
      [200, 'terms_changed'],
      [409, 'claimed'],
    ]).toContainEqual(outcome);
  }
});

test('a tab that still shows a coupon cannot pay without it, or with another, even if both prices are zero', async () => {
  const price = { ...RECURRING, trialPeriodDays: 14 };
  const coupons = [HALF, { ...HALF, code: 'FOREVER', duration: 'forever' }];
  const session = await createSession(served.pool, { price, coupons });
  const shown = (await enter(session, 'forever')).body.coupon.id;
  await enter(session, null);
  const stale = { amount: 0, couponId: shown };
  expect(await click(served.pool, session.id, stale)).toMatchObject({ reason: 'terms_changed' });
  await enter(session, 'spring');
  expect(await click(served.pool, session.id, stale)).toMatchObject({ reason: 'terms_changed' });
  await enter(session, 'forever');
  expect(await click(served.pool, session.id, stale)).toMatchObject({ kind: 'claimed' });
});

test('a tab that shows no coupon redeems none, even if both prices are zero', async () => {
  const price = { ...RECURRING, trialPeriodDays: 14 };
  const session = await createSession(served.pool, { price, coupons: [HALF] });
  await enter(session, 'spring');
  const stale = { amount: 0, couponId: null };
  expect(await click(served.pool, session.id, stale)).toMatchObject({ reason: 'terms_changed' });
  await enter(session, null);
  expect(await click(served.pool, session.id, stale)).toMatchObject({ kind: 'claimed' });
});

test('a click stores the coupon that the page showed', async () => {
  const session = await createSession(served.pool, { coupons: [HALF] });
  const { id: couponId } = (await enter(session, 'spring')).body.coupon;
  await fetch(`${served.url}/pay/${session.pageToken}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      claimId: randomUUID(),
      methodType: 'card',
      methodToken: 'tok',
      email: 'ada@example.com',
      amount: 950,
      couponId,
    }),
  });
  const stored = await served.pool.oneFirst(sql.type(z.object({ coupon_id: z.string().nullable() }))`
    select coupon_id from clicks where checkout_id = ${session.id}`);
  expect(stored).toBe(couponId);
});

test('while a restored database is compared, a code is refused for some minutes', async () => {
  const session = await createSession(served.pool, { coupons: [HALF] });
  await fenceIfRestored(served.pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
  try {
    expect(await enter(session, 'spring')).toMatchObject({
      status: 503,
      body: { code: 'payment_rail_unavailable' },
    });
  } finally {
    await liftFence(served.pool, (await readLedgerCopy(served.pool)).epoch);
  }
  expect(await enter(session, 'spring')).toMatchObject({ status: 200 });
});
