/** Subscriptions with the Stripe adapter: the card stored with the first payment is charged off-session. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { fenceIfRestored } from '../../../db/restore/fence.ts';
import { startRestore } from '../../../platform/temporal/restored.ts';
import { wakeSignal } from '../../../workflows/core/messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { type Backup, backUp } from '../../support/db/postgres.ts';
import { eventTypesOf } from '../../support/db/subscriptions.ts';
import { advance, afterFirstPeriod, startIt, viewOf } from '../../support/world/subscription-world.ts';
import type { CardBehaviour } from '../contract/driver.ts';
import { type StripeService, startStripeService } from './service.ts';

const TIMEOUT_MS = 120_000;

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
  const id = await subscriptionOf(checkoutId);
  await startIt(world, id);
  return id;
}

const subscriptionOf = (checkoutId: string) =>
  service.world.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from subscriptions where checkout_id = ${checkoutId}`);

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
/** The subscription's off-session charges, oldest first. */
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
  'a %s product is charged off-session at renewal, for the customer whose card was stored',
  async (product) => {
    const id = await subscribe(product);
    expect(await renew(id)).toMatchObject({ status: 'active', openAttempt: null });
    expect(await taken(id)).toEqual([900]);
    const [charge] = await chargesWithoutBuyer(id);
    const intent = service.stripe.theirs.intents.get(charge?.rail_order_id ?? '');
    expect(intent?.customer).toBe(charge?.rail_customer_id);
    const stored = service.stripe.theirs.methods.get(intent?.method ?? '');
    expect(stored?.customer).toBe(charge?.rail_customer_id);
  },
  TIMEOUT_MS,
);

test(
  'a renewal whose answer is lost is found, and charged once',
  async () => {
    const id = await subscribe('recurring');
    await service.stripe.fault('chargeStored', 'dropAfter');
    expect(await renew(id)).toMatchObject({ status: 'active' });
    expect(await taken(id)).toEqual([900]);
  },
  TIMEOUT_MS,
);

test(
  'a renewal whose intent id was lost is found by the customer, ended, and charged once',
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
  TIMEOUT_MS,
);

test(
  'a renewal that requires authentication makes the subscription past due and sends payment_method.updated_required',
  async () => {
    const id = await subscribe('recurring', 'laterNeedsBuyer');
    await renew(id);
    expect((await viewOf(service.world, id)).status).toBe('past_due');
    expect(await eventTypesOf(service.world.pool, id)).toContain('payment_method.updated_required');
    expect(await taken(id)).toEqual([]);
  },
  TIMEOUT_MS,
);

describe('a database restored to before a purchase and a renewal', () => {
  let backup: Backup | undefined;
  afterEach(() => backup?.drop());

  test(
    'adopts Stripe’s charges, lists a charge without a session, and charges nothing twice',
    async () => {
      const { stripe, world } = service;
      const { pool, client, shop } = world;
      const subscriptionId = await subscribe('recurring');
      const bought = await world.session(shop.products.recurring, { railNames: ['stripe'] });
      await world.stopWorker();
      await pool.query(sql.unsafe`
        update subscriptions set current_period_end = at, next_action_at = at
        from date_trunc('milliseconds', service_clock()) at where id = ${subscriptionId}`);
      backup = await backUp({ url: world.databaseUrl });
      await eventually(() => pool.query(sql.unsafe`select 1`));
      await world.startWorker();

      await client.workflow.getHandle(subscriptionId).signal(wakeSignal);
      const unknown = await service.session();
      for (const id of [bought, unknown]) {
        await service.click(id, 'approved');
        await world.until(id, 'succeeded');
      }
      const statuses = async () => (await chargesWithoutBuyer(subscriptionId)).map(({ status }) => status);
      await eventually(async () => expect(await statuses()).toEqual(['succeeded']));
      const [lost] = await service.payments(unknown);
      const atStripe = async () =>
        [...(await service.payments(bought)), ...(await chargesWithoutBuyer(subscriptionId))].map(
          ({ id, status, rail_order_id: intent }) => ({ id, status, intent }),
        );
      const before = await atStripe();
      const ledger = [...stripe.theirs.ledger];
      const intents = stripe.theirs.intents.size;
      await world.stopWorker();
      await backup.restore();
      await eventually(() => pool.query(sql.unsafe`select 1`));
      expect(await service.payments(bought)).toEqual([]);

      // Same as `npm run ops -- restored --yes`.
      const epoch = await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
      // Skips the wait until Stripe's lists show calls started before the fence: there were none.
      await pool.query(sql.unsafe`update ledger_copy set fenced_at = fenced_at - interval '1 minute'`);
      await startRestore(pool, client);
      await world.startWorker();
      const compared = await client.workflow.getHandle(`restore-${epoch}`).result();
      expect(compared).toMatchObject({ step: 'lifted', compared: 1, open: 0, adopted: 2, forAPerson: 1 });
      expect(await atStripe()).toEqual(before);
      expect((await world.view(bought)).state).toBe('succeeded');
      const listed = await listIncidents(pool, { kinds: ['not_in_database'] });
      expect(listed).toMatchObject([{ id: lost?.id, amount: 1_900 }]);
      expect(stripe.theirs.ledger).toEqual(ledger);
      expect(stripe.theirs.intents.size).toBe(intents);

      const begun = await subscriptionOf(bought);
      await startIt(world, begun);
      expect(await renew(begun)).toMatchObject({ status: 'active', openAttempt: null });
      expect(await taken(begun)).toEqual([900]);
    },
    TIMEOUT_MS,
  );
});
