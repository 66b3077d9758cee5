/** Sessions in any state, written as rows: the page only shows the database. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Db, type Pool, sql } from '../../../db/core/pool.ts';
import type { NewSession } from '../../../db/session/create-session.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import type { PaymentStatus } from '../../../domain/payment/payment.ts';
import type { SessionFailureReason, SessionState } from '../../../domain/session/session.ts';
import { openPageToken } from '../../../platform/secrets/page-token.ts';
import { insertCoupon } from '../../support/db/coupons.ts';
import {
  insertMerchant,
  insertProduct,
  insertRailAccount,
  insertSession,
  type MerchantValues,
  type PriceValues,
  testSecretBox,
} from '../../support/db/fixtures.ts';

/** The sandbox rail account of every session in these tests. */
export const RAIL_ACCOUNT = {
  id: 'acct_page',
  secret: 'page-tests-account-secret',
  webhookSecret: 'page-tests-webhook-secret',
  merchantName: 'Lighthouse Books',
};

export interface SessionOptions extends Partial<Omit<NewSession, 'buyer'>> {
  readonly merchant?: MerchantValues;
  readonly name?: string;
  readonly description?: string | null;
  readonly price?: PriceValues;
  /** The quantities that the product allows. */
  readonly range?: { readonly min: number; readonly max: number };
  readonly email?: string;
  readonly buyerName?: string;
  readonly emailConfirmed?: boolean;
  readonly wallets?: readonly ('apple_pay' | 'google_pay')[];
  readonly rail?: string;
  /** Coupons of the merchant. */
  readonly coupons?: readonly object[];
}

export interface TestSession {
  readonly id: string;
  readonly pageToken: string;
}

export async function createSession(db: Pool, options: SessionOptions = {}): Promise<TestSession> {
  const {
    merchant,
    name,
    description,
    price = {},
    range = null,
    email = null,
    buyerName = null,
    emailConfirmed,
    wallets = [],
    rail,
    coupons = [],
    ...checkout
  } = options;
  const scope = await insertSeller(db, merchant, wallets);
  const { merchantId } = scope;
  for (const coupon of coupons) await insertCoupon(db, scope, coupon);
  const { productId } = await insertProduct(db, {
    merchantId,
    name: name ?? 'The Tide Tables, hardcover',
    description:
      description === undefined ? 'A year of tides, printed on paper that likes the sea.' : description,
    price,
    quantity: range,
  });
  const created = await insertSession(db, scope, productId, {
    buyer: {
      email,
      party:
        buyerName === null
          ? null
          : { name: buyerName, billing_details: null, tax_value: null, tax_type: null },
    },
    successUrl: 'http://localhost:3000/thanks',
    failUrl: 'http://localhost:3000/cart',
    ...checkout,
  });
  if (emailConfirmed) {
    await db.query(sql.unsafe`
      update customers set email_confirmed_at = service_clock()
      where id = (select customer_id from checkouts where id = ${created.id})`);
  }
  if (rail) {
    await db.query(sql.unsafe`update rail_accounts set rail = ${rail} where merchant_id = ${merchantId}`);
  }
  return { id: created.id, pageToken: openPageToken(testSecretBox, created) };
}

/** A merchant whose sessions are paid at `RAIL_ACCOUNT`. */
export async function insertSeller(
  db: Db,
  merchant: MerchantValues = {},
  wallets: SessionOptions['wallets'] = [],
): Promise<Scope> {
  const merchantId = await insertMerchant(db, {
    name: 'Lighthouse Books',
    branding: { color: '#0f5c8c' },
    ...merchant,
  });
  const scope = { merchantId, environment: 'sandbox' } as const;
  const { id: account, secret, webhookSecret } = RAIL_ACCOUNT;
  await insertRailAccount(db, {
    ...scope,
    rail: 'sandbox',
    capabilities: { wallets },
    credential: { account, secret, webhookSecret },
  });
  return scope;
}

/** Sets any state, even one that the activities would refuse, because the page must show each. */
export async function moveTo(
  db: Db,
  session: TestSession,
  state: SessionState,
  failureReason: SessionFailureReason | null = null,
): Promise<void> {
  await db.query(sql.unsafe`
    update checkouts set state = ${state}, failure_reason = ${failureReason}, version = version + 1,
      finished_at = case when ${state === 'succeeded' || state === 'failed'} then service_clock() end
    where id = ${session.id}`);
  await db.query(sql.unsafe`select pg_notify('checkout_changed', ${session.id})`);
}

export interface AttemptOptions {
  readonly status: PaymentStatus;
  readonly claimId?: string;
  readonly failureCode?: string | null;
  readonly challengeUrl?: string;
  /** Whether the rail was called; true by default. */
  readonly called?: boolean;
}

/** @returns the payment's id */
export async function addAttempt(db: Db, session: TestSession, options: AttemptOptions): Promise<string> {
  const { status, claimId = randomUUID(), failureCode = null, challengeUrl = null, called = true } = options;
  return db.oneFirst(sql.type(z.object({ id: z.string() }))`
    insert into payments (merchant_id, environment, checkout_id, attempt_no, claim_id, rail, status, amount, currency,
      call_started_at, failure_code, challenge_url, challenge_expires_at)
    select merchant_id, environment, id, 1 + (select count(*) from payments where checkout_id = c.id), ${claimId},
      'sandbox', ${status}, amount, currency, case when ${called} then service_clock() end, ${failureCode}, ${challengeUrl},
      case when ${challengeUrl}::text is not null then service_clock() + interval '10 minutes' end
    from checkouts c where id = ${session.id} returning id`);
}

/** Shifts the session's expiry, as if it had been created this long ago. */
export async function age(db: Db, session: TestSession, seconds: number): Promise<void> {
  await db.query(sql.unsafe`
    update checkouts set expires_at = expires_at - ${seconds}::float8 * interval '1 second' where id = ${session.id}`);
}
