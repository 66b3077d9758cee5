/** Payment method changes, written as rows. */
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { createMethodChange } from '../../../db/session/method-changes.ts';
import { createPageToken, openPageToken } from '../../../platform/secrets/page-token.ts';
import {
  insertProduct,
  type MerchantValues,
  type PriceValues,
  RECURRING,
  testSecretBox,
} from '../../support/db/fixtures.ts';
import { insertSubscription } from '../../support/db/subscriptions.ts';
import { insertSeller, type TestSession } from '../core/fixtures.ts';

export interface MethodChangeOptions {
  readonly merchant?: MerchantValues;
  readonly price?: PriceValues;
  /** Whether the last charge failed, so that its invoice is due. */
  readonly pastDue?: boolean;
  /** Whether the subscription ends with its period. */
  readonly ending?: boolean;
  /** The price of a plan change that is scheduled for the end of the period. */
  readonly scheduled?: PriceValues;
  /** Whether a newer method change supersedes this one. */
  readonly superseded?: boolean;
}

export async function createMethodChangeSession(
  pool: Pool,
  options: MethodChangeOptions = {},
): Promise<TestSession> {
  const { merchant, price, pastDue, ending, scheduled, superseded } = options;
  const scope = await insertSeller(pool, merchant);
  const { productId } = await insertProduct(pool, {
    merchantId: scope.merchantId,
    name: 'Reading Room',
    description: 'Every new book, on the day it comes out.',
    price: { ...RECURRING, ...price },
  });
  const subscriptionId = await insertSubscription(pool, scope, productId);
  if (pastDue) {
    await pool.query(sql.unsafe`update subscriptions set status = 'past_due' where id = ${subscriptionId}`);
    await pool.query(sql.unsafe`
      update invoices set status = 'payment_failed', amount_due = amount where subscription_id = ${subscriptionId}`);
  }
  if (ending) {
    await pool.query(
      sql.unsafe`update subscriptions set cancel_at_period_end = true where id = ${subscriptionId}`,
    );
  }
  if (scheduled) {
    const plan = await insertProduct(pool, {
      merchantId: scope.merchantId,
      name: 'Reading Room, by the year',
      price: { ...RECURRING, ...scheduled },
    });
    await pool.query(sql.unsafe`
      insert into subscription_changes (subscription_id, type, target_plan_id, target_price_id, amount, effective_at)
      select s.id, 'plan_change', ${plan.productId}, p.id, p.amount, s.current_period_end
      from subscriptions s, prices p where s.id = ${subscriptionId} and p.id = ${plan.priceId}`);
  }
  const externalCustomerId = await pool.oneFirst(sql.type(z.object({ external: z.string() }))`
    select u.external_customer_id as external
    from customers u join subscriptions s on s.customer_id = u.id where s.id = ${subscriptionId}`);
  const create = async () => {
    const change = await createMethodChange(pool, {
      scope,
      subscriptionId,
      externalCustomerId,
      operationId: null,
      maxAttempts: 5,
      pageToken: createPageToken(testSecretBox, 'ap_pmc_'),
      buyer: { email: 'ada@example.com', party: null },
      successUrl: 'http://localhost:3000/thanks',
      failUrl: 'http://localhost:3000/account',
      railNames: ['sandbox'],
    });
    if (change.refusal !== null) throw new Error(`refused: ${change.refusal}`);
    return { id: change.id, pageToken: openPageToken(testSecretBox, change) };
  };
  const session = await create();
  if (superseded) await create();
  return session;
}
