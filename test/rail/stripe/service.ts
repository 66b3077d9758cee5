/**
 * The service's workflows with the Stripe adapter and its double: a shop with an account there, and clicks on
 * "Pay".
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { insertClick } from '../../../db/session/clicks.ts';
import { methodTokenOf, railCredentialOf } from '../../../platform/secrets/places.ts';
import { testSecretBox } from '../../support/db/fixtures.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import type { CardBehaviour } from '../contract/driver.ts';
import { STRIPE_CAPABILITIES, type StripeWorld, startStripeDriver } from './driver.ts';

const paymentRow = z.object({
  id: z.string(),
  status: z.string(),
  rail_order_id: z.string().nullable(),
  rail_customer_id: z.string().nullable(),
});

export interface StripeService {
  readonly stripe: StripeWorld;
  readonly world: SessionWorld;
  /** Gives the shop an active Stripe account with every capability. */
  useAccount(): Promise<void>;
  session(values?: { readonly amount?: number }): Promise<string>;
  click(checkoutId: string, behaviour: CardBehaviour): ReturnType<SessionWorld['sendPay']>;
  payments(checkoutId: string): Promise<readonly z.infer<typeof paymentRow>[]>;
  /** Amounts that Stripe charged for the session, in cents. */
  charges(checkoutId: string): Promise<readonly number[]>;
  close(): Promise<void>;
}

export async function startStripeService(): Promise<StripeService> {
  const stripe = await startStripeDriver();
  // An attempt takes four requests, which exceeded a deadline of two seconds on a busy machine.
  const world = await createSessionWorld({ wrapRail: () => stripe.rail, railCallTimeoutSeconds: 6 });
  await world.startWorker();

  const service: StripeService = {
    stripe,
    world,

    async useAccount() {
      stripe.theirs.enabled = true;
      await world.pool.query(sql.unsafe`
        update rail_accounts set rail = 'stripe', status = 'active',
          capabilities = ${sql.jsonb({ ...STRIPE_CAPABILITIES, wallets: [] })},
          credential = ${sql.binary(testSecretBox.seal(JSON.stringify(stripe.account.credential), railCredentialOf(world.shop.railAccountId)))}
        where id = ${world.shop.railAccountId}
      `);
    },

    session: (values = {}) =>
      world.session(world.shop.products.oneTime, { railNames: ['stripe'], ...values }),

    async click(checkoutId, behaviour) {
      const claimId = randomUUID();
      const methodToken = testSecretBox.seal(await stripe.token(behaviour), methodTokenOf(claimId));
      const email = 'buyer@example.eu';
      await insertClick(world.pool, { claimId, checkoutId, methodType: 'card', methodToken, email }, 30);
      return world.sendPay(checkoutId, claimId);
    },

    payments: (checkoutId) =>
      world.pool.any(sql.type(paymentRow)`
        select id, status, rail_order_id, rail_customer_id from payments
        where checkout_id = ${checkoutId} order by attempt_no
      `),

    async charges(checkoutId) {
      const all = await Promise.all((await service.payments(checkoutId)).map(({ id }) => stripe.charges(id)));
      return all.flat();
    },

    async close() {
      await world.close();
      await stripe.close();
    },
  };
  return service;
}
