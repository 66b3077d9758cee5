/** Subscriptions with the Stripe adapter: the card stored with the first payment is charged off-session. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { eventTypesOf } from '../../support/db/subscriptions.ts';
import { advance, afterFirstPeriod, startIt, viewOf } from '../../support/world/subscription-world.ts';
import type { CardBehaviour } from '../contract/driver.ts';
import { type StripeService, startStripeService } from './service.ts';

const PATIENCE_MS = 120_000;

let service: StripeService;
beforeAll(async () => {
  service = await startStripeService();
  await service.useAccount();
}, 300_000);
afterAll(() => service?.close());

/** @returns the subscription's id, with its workflow running */
async function subscribe(
  product: 'recurring' | 'trial',
  behaviour: CardBehaviour = 'approved',
): Promise<string> {
  const { world } = service;
  const checkoutId = await world.session(world.shop.products[product], { railNames: ['stripe'] });
  await service.click(checkoutId, behaviour);
  await world.until(checkoutId, 'succeeded');
  const id = await world.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from subscriptions where checkout_id = ${checkoutId}
  `);
  await startIt(world, id);
  return id;
}

async function renew(id: string) {
  const later = await afterFirstPeriod(service.world, id);
  return advance(service.world, id, later(1));
}

const chargeRow = z.object({
  id: z.string(),
  status: z.string(),
  rail_order_id: z.string().nullable(),
  rail_customer_id: z.string().nullable(),
});
/** Off-session charges, oldest first. */
function chargesWithoutBuyer(id: string) {
  return service.world.pool.any(sql.type(chargeRow)`
    select p.id, p.status, p.rail_order_id, p.rail_customer_id
    from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${id} and p.checkout_id is null order by p.created_at, p.attempt_no
  `);
}

async function taken(id: string): Promise<readonly number[]> {
  const ids = (await chargesWithoutBuyer(id)).map((payment) => payment.id);
  return (await Promise.all(ids.map((each) => service.stripe.charges(each)))).flat();
}

test.each(['recurring', 'trial'] as const)(
  'a %s product is charged again off session, for the customer whose card was stored',
  async (product) => {
    const id = await subscribe(product);
    expect(await renew(id)).toMatchObject({ status: 'active', openPayment: null });
    expect(await taken(id)).toEqual([900]);
    const [charge] = await chargesWithoutBuyer(id);
    const intent = service.stripe.theirs.intents.get(charge?.rail_order_id ?? '');
    expect(intent?.customer).toBe(charge?.rail_customer_id);
    const stored = service.stripe.theirs.methods.get(intent?.method ?? '');
    expect(stored?.customer).toBe(charge?.rail_customer_id);
  },
  PATIENCE_MS,
);

test(
  'a renewal whose answer was lost is found, and charged once',
  async () => {
    const id = await subscribe('recurring');
    await service.stripe.fault('chargeStored', 'dropAfter');
    expect(await renew(id)).toMatchObject({ status: 'active' });
    expect(await taken(id)).toEqual([900]);
  },
  PATIENCE_MS,
);

test(
  'a renewal whose intent was made and lost is found by its customer, ended, and charged once',
  async () => {
    const id = await subscribe('recurring');
    service.stripe.proxy.strike({ method: 'POST', path: /^\/v1\/payment_intents$/, trouble: 'dropAfter' });
    await renew(id);
    const [first] = await chargesWithoutBuyer(id);
    const made = [...service.stripe.theirs.intents.values()].find(
      ({ metadata }) => metadata.reference === first?.id,
    );
    expect(first?.rail_customer_id).toBe(made?.customer);
    expect(made?.status).toBe('canceled');
    const payments = await chargesWithoutBuyer(id);
    expect(payments.map(({ status }) => status)).toEqual(['cancelled', 'succeeded']);
    expect(await taken(id)).toEqual([900]);
  },
  PATIENCE_MS,
);

test(
  'a renewal for which the bank wants the buyer asks the merchant for another method',
  async () => {
    const id = await subscribe('recurring', 'laterNeedsBuyer');
    await renew(id);
    expect((await viewOf(service.world, id)).status).toBe('past_due');
    expect(await eventTypesOf(service.world.pool, id)).toContain('payment_method.updated_required');
    expect(await taken(id)).toEqual([]);
  },
  PATIENCE_MS,
);
