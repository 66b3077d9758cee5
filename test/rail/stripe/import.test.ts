/**
 * `npm run ops -- import stripe`: no period is charged twice or lost, wherever the import is interrupted
 * (rule 46).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { openTemporal } from '../../../platform/temporal/client.ts';
import {
  cancelSubscriptionUpdate,
  scheduleChangeUpdate,
} from '../../../workflows/subscription/subscription-messages.ts';
import { RECURRING } from '../../support/db/fixtures.ts';
import { eventTypesOf, insertOffering, insertPlan } from '../../support/db/subscriptions.ts';
import { advance, startIt, update } from '../../support/world/subscription-world.ts';
import { addPrice, later, passTime } from './double/billing.ts';
import { invoiceObject } from './double/billing-objects.ts';
import { type BilledPrice, type BilledSubscription, unixNow } from './double/state.ts';
import { addBilled, addCustomer, clearStripe, runImport } from './import-run.ts';
import { type StripeService, startStripeService } from './service.ts';

const TIMEOUT_MS = 120_000;
const DAY = 86_400;

let service: StripeService;
beforeAll(async () => {
  service = await startStripeService();
  await service.useAccount();
}, 300_000);
afterAll(() => service?.close());
beforeEach(() => clearStripe(service));

const subscription = (values: Partial<BilledSubscription> = {}) => addBilled(service, values);
const run = (...more: readonly string[]) => runImport(service, ...more);

const stored = z.object({
  id: z.string(),
  status: z.string(),
  billing_anchor: z.string(),
  current_period_end: z.string(),
  trial_end: z.string().nullable(),
  amount: z.number(),
  external_customer_id: z.string(),
  external_reference: z.string(),
  tax_rate: z.number(),
  imported_period: z.looseObject({ paid: z.number() }).nullable(),
});
/** The subscription as imported into this service, if it was. */
function here(id: string | null) {
  return service.world.pool.maybeOne(sql.type(stored)`
    select s.id, s.status, s.billing_anchor, s.current_period_end, s.trial_end, s.amount, u.external_customer_id,
      s.imported_period, product.external_reference, price.tax_rate
    from subscriptions s join customers u on u.id = s.customer_id join products product on product.id = s.product_id
    join prices price on price.id = s.price_id
    where s.id = ${id}
  `);
}

const instant = (unixSeconds: number) => new Date(unixSeconds * 1_000).toISOString();

/** Lets time pass on both sides. @returns each side's new charges for this subscription, in cents */
async function chargedUntil(there: BilledSubscription, id: string, until: number) {
  const { world, stripe } = service;
  const before = stripe.theirs.ledger.length;
  passTime(stripe.theirs, until);
  await startIt(world, id);
  await advance(world, id, instant(until));
  const since = stripe.theirs.ledger.slice(before);
  const ours = since.filter(({ reference }) => reference.startsWith('ap_pay_'));
  const theirs = since.filter(({ reference }) => reference === there.id);
  return { here: ours.map(({ amount }) => amount), there: theirs.map(({ amount }) => amount) };
}

test('a dry run reports what would move and changes nothing on either side', async () => {
  const there = subscription();
  const { code, rows, row } = await run();
  expect(code).toBe(0);
  expect(rows.map(({ kind, state }) => [kind, state])).toEqual([
    ['customer', 'moves'],
    ['plan', 'moves'],
    ['subscription', 'moves'],
    ['payment_method', 'moves'],
  ]);
  expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: false, metadata: {} });
  expect(await here(row(there.id).id)).toBeNull();
});

test(
  'a subscription keeps its anchor, its paid time and its card, and each period is charged once',
  async () => {
    const there = subscription();
    const { code, row } = await run('--yes');
    expect(code).toBe(0);
    const { id } = row(there.id);
    expect(await here(id)).toMatchObject({
      status: 'active',
      billing_anchor: instant(there.anchor),
      current_period_end: instant(there.periodEnd),
      amount: 900,
      external_customer_id: `shop-${there.customer}`,
      external_reference: there.price.id,
      tax_rate: 19,
      imported_period: {
        start: instant(there.periodStart),
        end: instant(there.periodEnd),
        paid: 900,
        tax_rate: 19,
      },
    });
    expect(there.status).toBe('canceled');
    expect(await eventTypesOf(service.world.pool, id ?? '')).toEqual(['subscription.updated']);
    const until = later(there.anchor, 'month', 2) + DAY;
    expect(await chargedUntil(there, id ?? '', until)).toEqual({ here: [900, 900], there: [] });
  },
  TIMEOUT_MS,
);

test('the amount paid for the current period is imported net of refunds, unless the invoice covers a different period', async () => {
  const refunded = subscription({ refunded: 400 });
  const changed = subscription();
  changed.with = {
    latest_invoice: invoiceObject({ ...changed, periodStart: changed.periodStart + DAY }, 'paid'),
  };
  const { row } = await run('--yes');
  expect(await here(row(refunded.id).id)).toMatchObject({ imported_period: { paid: 500 } });
  expect(await here(row(changed.id).id)).toMatchObject({ imported_period: null });
});

test('the amount paid is unknown if the charge differs from the invoice, or if a credit note was not refunded to the charge', async () => {
  function withInvoice(invoice: object, refunded = 0) {
    const there = subscription({ refunded });
    there.with = { latest_invoice: { ...invoiceObject(there, 'paid'), ...invoice } };
    return there;
  }
  const fromBalance = withInvoice({ total: 1_300, starting_balance: -400 });
  const withDebt = withInvoice({ total: 500, starting_balance: 400 });
  const creditedBefore = withInvoice({ pre_payment_credit_notes_amount: 100 });
  const refundedElsewhere = withInvoice({ post_payment_credit_notes_amount: 401 }, 400);
  const refundedHere = withInvoice({ post_payment_credit_notes_amount: 400 }, 400);
  const { row } = await run('--yes');
  for (const { id } of [fromBalance, withDebt, creditedBefore, refundedElsewhere]) {
    expect(await here(row(id).id)).toMatchObject({ imported_period: null });
  }
  expect(await here(row(refundedHere.id).id)).toMatchObject({ imported_period: { paid: 500 } });
});

test(
  'an imported trial runs to its end, when the first period is charged',
  async () => {
    const trialEnd = unixNow() + 3 * DAY;
    const there = subscription({ status: 'trialing', trialEnd, anchor: trialEnd, periodEnd: trialEnd });
    const { id } = (await run('--yes')).row(there.id);
    expect(await here(id)).toMatchObject({ status: 'trialing', trial_end: instant(trialEnd) });
    expect(await chargedUntil(there, id ?? '', trialEnd + DAY)).toEqual({ here: [900], there: [] });
  },
  TIMEOUT_MS,
);

describe('an import that is interrupted', () => {
  test(
    'after stopping the renewal at Stripe is completed by the next import, which charges once, even if the paid period has ended',
    async () => {
      const there = subscription({ periodEnd: unixNow() + 2 * 3_600, anchor: unixNow() - 28 * DAY });
      Object.assign(there, {
        anchor: there.periodEnd,
        price: addPrice(service.stripe.theirs, { interval: 'week' }),
      });
      service.stripe.proxy.strike({ method: 'POST', path: /^\/v1\/subscriptions/, trouble: 'dropAfter' });
      const broken = await run('--yes');
      expect(broken.code).toBe(1);
      expect(broken.row(there.id)).toMatchObject({ state: 'unknown', id: null });
      expect(there.cancelAtPeriodEnd).toBe(true);
      passTime(service.stripe.theirs, there.periodEnd);
      expect(there.status).toBe('canceled');

      const { id, state } = (await run('--yes')).row(there.id);
      expect(state).toBe('moved');
      expect(await here(id)).toMatchObject({ current_period_end: instant(there.periodEnd) });
      expect(await chargedUntil(there, id ?? '', there.periodEnd + DAY)).toEqual({ here: [900], there: [] });
    },
    TIMEOUT_MS,
  );

  test('before the end at Stripe is finished by the next import', async () => {
    const there = subscription();
    service.stripe.proxy.strike({ method: 'DELETE', path: /^\/v1\/subscriptions/, trouble: 'dropBefore' });
    const broken = await run('--yes');
    expect(broken.row(there.id)).toMatchObject({ state: 'unknown', id: expect.stringMatching(/^ap_sub_/) });
    // Stripe no longer renews the subscription, whether or not the import is repeated.
    expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    expect((await run('--yes')).row(there.id)).toMatchObject({ state: 'there', why: [] });
    expect(there.status).toBe('canceled');
  });

  test('finds the rows that it has written when repeated, and changes nothing', async () => {
    const there = subscription();
    const first = await run('--yes');
    const again = await run('--yes');
    expect(again.rows.map(({ state }) => state)).toEqual(['there', 'there', 'there', 'there']);
    expect(again.row(there.id).id).toBe(first.row(there.id).id);
  });

  test('leaves the customer unchanged when repeated with another external id', async () => {
    const there = subscription();
    const first = await run('--yes');
    const { id } = first.row(there.id);
    const before = await here(id);
    const customer = service.stripe.theirs.customers.get(there.customer);
    if (customer) customer.metadata.shop_id = 'another';
    const again = await run('--yes');
    expect(again.rows.map(({ state }) => state)).toEqual(['there', 'there', 'there', 'there']);
    expect(await here(id)).toEqual(before);
  });

  test('writes rows lost in a restore under the same ids, with the same period', async () => {
    const there = subscription();
    const { id } = (await run('--yes')).row(there.id);
    const before = await here(id);
    await lose(id);
    expect((await run('--yes')).row(there.id)).toMatchObject({ id, state: 'moved' });
    expect(await here(id)).toEqual(before);
  });
});

/** The effect of a restore on a subscription imported after the backup. */
async function lose(id: string | null): Promise<void> {
  const { pool } = service.world;
  await pool.query(sql.unsafe`delete from subscription_operations where subscription_id = ${id}`);
  await pool.query(sql.unsafe`delete from subscription_changes where subscription_id = ${id}`);
  await pool.query(sql.unsafe`delete from subscriptions where id = ${id}`);
}

describe('an import repeated after a restore', () => {
  async function moved() {
    const there = subscription();
    const { id } = (await run('--yes')).row(there.id);
    if (!id) throw new Error('the subscription was not moved');
    await startIt(service.world, id);
    return { there, id };
  }
  const cancel = (id: string, atPeriodEnd: boolean) =>
    update(service.world, id, cancelSubscriptionUpdate, { atPeriodEnd });
  const stays = (id: string, what: string) => ({
    state: 'stays',
    id: null,
    why: [expect.stringContaining(`lost ${id}, and Temporal has recorded that ${what}`)],
  });

  test('does not bill a subscription that ended in the service', async () => {
    const { there, id } = await moved();
    expect(await cancel(id, false)).toMatchObject({ kind: 'done' });
    await service.world.client.workflow.getHandle(id).result();
    await lose(id);
    expect((await run()).row(there.id)).toMatchObject(stays(id, 'it ended here'));
    const { code, row } = await run('--yes');
    expect(code).toBe(1);
    expect(row(there.id)).toMatchObject(stays(id, 'it ended here'));
    expect(await here(id)).toBeNull();
  });

  test('does not bill a subscription that was cancelled in the service at the end of its period', async () => {
    const { there, id } = await moved();
    expect(await cancel(id, true)).toMatchObject({ kind: 'done' });
    await lose(id);
    expect((await run('--yes')).row(there.id)).toMatchObject(
      stays(id, 'its cancellation was requested here'),
    );
    expect(await here(id)).toBeNull();
  });

  test('does not stop a subscription that ended in the service and was resumed at Stripe', async () => {
    const { there, id } = await moved();
    await cancel(id, false);
    await service.world.client.workflow.getHandle(id).result();
    await lose(id);
    Object.assign(there, { status: 'active', cancelAtPeriodEnd: false, endedAt: null, comment: null });
    expect((await run('--yes')).row(there.id)).toMatchObject(stays(id, 'it ended here'));
    expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  });

  test('moves no further subscription while Temporal is unreachable', async () => {
    const there = subscription();
    const client = openTemporal({ address: '127.0.0.1:1', namespace: 'default' });
    const broken = { ...service, world: { ...service.world, client } };
    expect(await runImport(broken, '--yes')).toMatchObject({ code: 1, rows: [] });
    expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: false, metadata: {} });
    await client.connection.close();
  });

  test('restores a subscription whose cancellation was refused', async () => {
    const { there, id } = await moved();
    const { pool, shop } = service.world;
    const offering = await insertOffering(pool, shop.merchantId);
    const targetPlanId = await insertPlan(pool, shop.merchantId, offering, RECURRING);
    await pool.query(sql.unsafe`update subscriptions set offering_id = ${offering} where id = ${id}`);
    const change = { type: 'plan_change', targetPlanId, targetOfferingId: null, calculatedAt: null } as const;
    expect(await update(service.world, id, scheduleChangeUpdate, change)).toMatchObject({ kind: 'done' });
    expect(await cancel(id, true)).toMatchObject({ kind: 'refused' });
    await lose(id);
    expect((await run('--yes')).row(there.id)).toMatchObject({ state: 'moved', id });
  });

  test(
    'restores a subscription whose run continues, which charges each period once',
    async () => {
      const { there, id } = await moved();
      await lose(id);
      expect((await run('--yes')).row(there.id)).toMatchObject({ state: 'moved', id });
      const until = later(there.anchor, 'month', 2) + DAY;
      expect(await chargedUntil(there, id, until)).toEqual({ here: [900, 900], there: [] });
    },
    TIMEOUT_MS,
  );
});

test(
  'Stripe bills a period that begins during the import, and the service bills from the next one on',
  async () => {
    const there = subscription();
    const renewsAt = there.periodEnd;
    service.stripe.proxy.strike({
      method: 'POST',
      path: /^\/v1\/subscriptions/,
      trouble: 'slow',
      delayMs: 500,
    });
    const running = run('--yes');
    for (; !service.stripe.proxy.seen.some(({ path }) => path === `/v1/subscriptions/${there.id}`); ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    passTime(service.stripe.theirs, renewsAt);
    const { id } = (await running).row(there.id);
    expect(await here(id)).toMatchObject({ current_period_end: instant(later(there.anchor, 'month', 2)) });
  },
  TIMEOUT_MS,
);

test('a subscription that is resumed at Stripe before it has ended there is ended by the next import', async () => {
  const there = subscription();
  service.stripe.proxy.strike({ method: 'DELETE', path: /^\/v1\/subscriptions/, trouble: 'dropBefore' });
  await run('--yes');
  there.cancelAtPeriodEnd = false;
  expect((await run('--yes')).row(there.id).state).toBe('there');
  expect(there.status).toBe('canceled');
});

/** Runs a callback after Stripe has listed the subscriptions and before the methods are read. */
function onceListed(onStruck: () => void): void {
  const until = Promise.resolve();
  service.stripe.proxy.strike({ method: 'GET', path: /payment_methods/, trouble: 'slow', until, onStruck });
}

describe('a price change by the customer at Stripe', () => {
  const dearer = () => addPrice(service.stripe.theirs, { amount: 1_500 });
  const changedTo = (there: BilledSubscription, price: BilledPrice) =>
    `Its price changed from ${there.price.id} to ${price.id}: run the import again.`;

  test('before the stop leaves the subscription at Stripe; the next import moves it with the new price', async () => {
    const [there, price] = [subscription(), dearer()];
    const why = [changedTo(there, price)];
    onceListed(() => {
      there.price = price;
    });
    expect((await run('--yes')).row(there.id)).toEqual(
      expect.objectContaining({ state: 'stays', id: null, why }),
    );
    expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: false, metadata: {} });

    const { id, state } = (await run('--yes')).row(there.id);
    expect(state).toBe('moved');
    expect(await here(id)).toMatchObject({ amount: 1_500, external_reference: price.id });
  });

  test('just before the stop keeps the subscription from being written; the next import writes it with the new price', async () => {
    const [there, price] = [subscription(), dearer()];
    const changed = changedTo(there, price);
    service.stripe.proxy.strike({
      method: 'POST',
      path: /^\/v1\/subscriptions/,
      trouble: 'slow',
      until: Promise.resolve(),
      onStruck: () => {
        there.price = price;
      },
    });
    const { state, id, why } = (await run('--yes')).row(there.id);
    expect({ state, id, why }).toEqual({
      state: 'stays',
      id: null,
      why: [changed, expect.stringContaining(instant(there.periodEnd))],
    });
    expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    expect(await here(there.metadata.moved_to ?? '')).toBeNull();

    const again = (await run('--yes')).row(there.id);
    expect(again).toMatchObject({ state: 'moved', id: there.metadata.moved_to });
    expect(await here(again.id)).toMatchObject({ amount: 1_500, external_reference: price.id });
    expect(there.status).toBe('canceled');
  });
});

test('invoice items added during the import keep the subscription at Stripe', async () => {
  const [there, other] = [subscription(), subscription()];
  onceListed(() => service.stripe.theirs.pendingItems.push({ id: 'ii_1', customer: there.customer }));
  const { row } = await run('--yes');
  expect(row(there.id)).toMatchObject({
    state: 'stays',
    why: ['Its customer has invoice items that wait for the next invoice.'],
  });
  expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: false, metadata: {} });
  expect(row(other.id).state).toBe('moved');
});

test('a subscription that its customer cancels at Stripe during the import stays cancelled', async () => {
  const there = subscription();
  onceListed(() => {
    there.cancelAtPeriodEnd = true;
  });
  const { row } = await run('--yes');
  expect(row(there.id)).toMatchObject({ state: 'stays', why: ['It ends with its period.'] });
  expect(there).toMatchObject({ status: 'active', metadata: {} });
});

test('a subscription cancelled at Stripe between the stop and the next import stays cancelled', async () => {
  const there = subscription();
  service.stripe.proxy.strike({ method: 'POST', path: /^\/v1\/subscriptions/, trouble: 'dropAfter' });
  await run('--yes');
  Object.assign(there, { status: 'canceled', endedAt: unixNow() });
  expect((await run('--yes')).row(there.id)).toMatchObject({ state: 'stays', why: ['It is canceled.'] });
});

describe('a subscription left at Stripe with "Don’t cancel" after the stop, and cancelled there later', () => {
  async function cancelledLater(): Promise<BilledSubscription> {
    const there = subscription();
    service.stripe.proxy.strike({ method: 'POST', path: /^\/v1\/subscriptions/, trouble: 'dropAfter' });
    await run('--yes');
    expect(there.cancelAtPeriodEnd).toBe(true);
    Object.assign(there, { cancelAtPeriodEnd: false, comment: null });
    expect((await run()).row(there.id)).toMatchObject({ state: 'moves' });
    there.cancelAtPeriodEnd = true;
    return there;
  }

  test('stays there until it ends', async () => {
    const there = await cancelledLater();
    expect((await run('--yes')).row(there.id)).toMatchObject({
      state: 'stays',
      why: ['It ends with its period.'],
    });
    expect(await here(there.metadata.moved_to ?? '')).toBeNull();
  });

  test('is not billed by the service once it has ended', async () => {
    const there = await cancelledLater();
    passTime(service.stripe.theirs, there.periodEnd);
    expect((await run('--yes')).row(there.id)).toMatchObject({ state: 'stays', why: ['It is canceled.'] });
    expect(await here(there.metadata.moved_to ?? '')).toBeNull();
  });
});

describe('a subscription cancelled at Stripe before the import has ended it there', () => {
  const cancelThere = (there: BilledSubscription, comment: string | null = null) =>
    Object.assign(there, { status: 'canceled', endedAt: unixNow(), comment });
  const atTheEnd = { method: 'DELETE', path: /^\/v1\/subscriptions/ };
  const toDecide = (id: string | null) => [
    expect.stringContaining(`have its merchant cancel it here (POST /v1/subscriptions/${id}/cancel)`),
  ];

  test('is listed until it is cancelled in the service too, if the service already has it', async () => {
    const there = subscription();
    service.stripe.proxy.strike({ ...atTheEnd, trouble: 'dropBefore' });
    const id = (await run('--yes')).row(there.id).id ?? '';
    cancelThere(there);
    for (const more of [[], ['--yes']]) {
      const { code, row } = await run(...more);
      expect(code).toBe(1);
      expect(row(there.id)).toMatchObject({ state: 'there', id, why: toDecide(id) });
      expect(row(there.method ?? '')).toMatchObject({ state: 'there', id, why: [] });
    }
    await startIt(service.world, id);
    await update(service.world, id, cancelSubscriptionUpdate, { atPeriodEnd: true });
    const { code, row } = await run('--yes');
    expect(code).toBe(0);
    expect(row(there.id)).toMatchObject({ state: 'there', id, why: [] });
  });

  test('with the end of its period, after "Don’t cancel", is ended at Stripe and listed until it is cancelled in the service', async () => {
    const there = subscription();
    service.stripe.proxy.strike({ ...atTheEnd, trouble: 'dropBefore' });
    const id = (await run('--yes')).row(there.id).id ?? '';
    Object.assign(there, { cancelAtPeriodEnd: true, comment: null });
    for (const [more, status] of [
      [[], 'active'],
      [['--yes'], 'canceled'],
      [['--yes'], 'canceled'],
    ] as const) {
      const { code, row } = await run(...more);
      expect(code).toBe(1);
      expect(row(there.id)).toMatchObject({ state: 'there', id, why: toDecide(id) });
      expect(there.status).toBe(status);
    }
    await startIt(service.world, id);
    await update(service.world, id, cancelSubscriptionUpdate, { atPeriodEnd: true });
    expect((await run('--yes')).row(there.id)).toMatchObject({ state: 'there', id, why: [] });
  });

  test('is listed if it is cancelled during the import that writes it', async () => {
    const there = subscription();
    const until = Promise.resolve();
    service.stripe.proxy.strike({ ...atTheEnd, trouble: 'slow', until, onStruck: () => cancelThere(there) });
    const { code, row } = await run('--yes');
    const { id, state, why } = row(there.id);
    expect({ code, state, why }).toEqual({ code: 1, state: 'moved', why: toDecide(id) });
    expect(await here(id)).toMatchObject({ status: 'active' });
  });

  test('is listed if cancelled during the import that repeats the end, but not if another import ended it', async () => {
    const [there, other] = [subscription(), subscription()];
    service.stripe.proxy.strike({ ...atTheEnd, trouble: 'dropBefore', count: 2 });
    const { row } = await run('--yes');
    onceListed(() => {
      cancelThere(there);
      cancelThere(other, `moved to ${row(other.id).id}`);
    });
    const again = await run('--yes');
    expect(again.row(there.id)).toMatchObject({ state: 'there', why: toDecide(row(there.id).id) });
    expect(again.row(other.id)).toMatchObject({ state: 'there', why: [] });
  });

  test('is not listed if it ended there with its period', async () => {
    const there = subscription();
    service.stripe.proxy.strike({ ...atTheEnd, trouble: 'dropBefore' });
    await run('--yes');
    passTime(service.stripe.theirs, there.periodEnd);
    expect(there.status).toBe('canceled');
    expect((await run('--yes')).row(there.id)).toMatchObject({ state: 'there', why: [] });
  });
});

test('a repeated import finds each of many subscriptions under its own id', async () => {
  const there = Array.from({ length: 30 }, () => subscription());
  const moved = await run('--yes');
  const again = await run();
  expect(again.rows.filter(({ kind }) => kind === 'subscription').map(({ id }) => id)).toEqual(
    there.map(({ id }) => moved.row(id).id),
  );
});

test.each([
  ['has the external id of another customer', { metadata: { shop_id: 'u-17' } }, 'also that of cus_other'],
  ['has an external id of 161 characters', { metadata: { shop_id: 'u'.repeat(161) } }, 'at most 160'],
  ['has no valid email', { email: 'ada' }, 'Its email is rejected here'],
  ['has a name of 161 characters', { name: 'A'.repeat(161) }, 'Its name is rejected here'],
])('a customer who %s stays at Stripe, with all their subscriptions', async (_, values, why) => {
  addCustomer(service, { id: 'cus_other', metadata: { shop_id: 'u-17' } });
  const { customer, method } = addCustomer(service, values);
  const there = subscription({ customer, method });
  const { row } = await run('--yes');
  expect(row(customer)).toMatchObject({ state: 'stays', id: null, why: [expect.stringContaining(why)] });
  expect(row(there.id)).toMatchObject({ state: 'stays', why: [`Its customer ${customer} is not moved.`] });
  expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
});

test('a key that may not read subscriptions moves nothing', async () => {
  const { theirs } = service.stripe;
  const there = subscription();
  theirs.settings.unreadable = ['subscriptions'];
  try {
    expect(await run('--yes')).toMatchObject({ code: 1, rows: [] });
    expect(there.cancelAtPeriodEnd).toBe(false);
  } finally {
    theirs.settings.unreadable = [];
  }
});
