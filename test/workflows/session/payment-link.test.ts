import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { claimAttempt } from '../../../db/session/claim-attempt.ts';
import { findSession } from '../../../db/session/read/find-session.ts';
import { chargeOldest } from '../../../db/subscription/renew-subscription.ts';
import { openPageToken } from '../../../platform/secrets/page-token.ts';
import { wakeSignal } from '../../../workflows/core/messages.ts';
import { completeChallengeUpdate } from '../../../workflows/session/session-messages.ts';
import {
  cancelSubscriptionUpdate,
  changeNowUpdate,
  payInvoiceUpdate,
} from '../../../workflows/subscription/subscription-messages.ts';
import { insertDispute } from '../../support/db/disputes.ts';
import { testSecretBox } from '../../support/db/fixtures.ts';
import { eventTypesOf, insertNewerInvoice, invoicesOf, LADDER_DAYS } from '../../support/db/subscriptions.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  advance,
  afterFirstPeriod,
  CARDS,
  changeMethod,
  chargesOf,
  linkInvoice,
  startSession,
  subscribe,
  untilView,
  update,
  viewOf,
} from '../../support/world/subscription-world.ts';

const DECLINED = '4000000000000002';
const MASTERCARD = '5555555555554444';

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world?.close());

const handle = (id: string) => world.client.workflow.getHandle(id);

/** A past-due subscription with a link for its unpaid invoice. */
async function linked(card: string = CARDS.softDeclines) {
  const id = await subscribe(world, { card });
  const later = await afterFirstPeriod(world, id);
  await advance(world, id, later(1));
  expect((await viewOf(world, id)).status).toBe('past_due');
  const link = await linkInvoice(world, id);
  const invoices = await invoicesOf(world.pool, id);
  return { id, link, later, invoiceId: invoices.at(-1)?.id ?? '' };
}

const statusesOf = async (id: string) => (await invoicesOf(world.pool, id)).map(({ status }) => status);
/** The rail's charges for this link's attempts and for the subscription's other attempts. */
async function takenBy({ id, link }: { id: string; link: string }): Promise<number> {
  const ids = await world.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select p.id from payments p where p.checkout_id = ${link}`);
  const ledger = await world.ledger();
  const byLink = ledger.filter(
    ({ reference, operation }) => ids.includes(reference) && operation === 'authorize',
  );
  return [...byLink.map(({ amount }) => amount), ...(await chargesOf(world, id))].reduce((a, b) => a + b, 0);
}
const methodOf = (id: string) =>
  world.pool.oneFirst(sql.type(z.object({ brand: z.string() }))`
    select payment_method ->> 'brand' as brand from subscriptions where id = ${id}`);

const linksOf = (invoiceId: string) =>
  world.pool.anyFirst(
    sql.type(z.object({ id: z.string() }))`select id from checkouts where invoice_id = ${invoiceId}`,
  );
/** A restore finds the invoice of a lost attempt by the attempt's id. */
const isNamedAfterInvoice = (link: string) =>
  world.pool.oneFirst(sql.type(z.object({ named: z.boolean() }))`
    select p.id = period_payment_id(i.subscription_id, i.period_start, 2) as named
    from payments p join invoices i on i.id = p.invoice_id where p.checkout_id = ${link}`);

/** The period's start is by the subscription's clock, which `linked` has moved beyond it. */
const isDatedInPeriod = (link: string) =>
  world.pool.oneFirst(sql.type(z.object({ is: z.boolean() }))`
    select p.created_at >= i.period_start and p.updated_at >= p.created_at as is
    from payments p join invoices i on i.id = p.invoice_id where p.checkout_id = ${link}`);

async function pay(link: string, card: string, keepsMethod = false) {
  const claimId = randomUUID();
  await world.storeClick(link, card, claimId, 30, keepsMethod);
  return world.sendPay(link, claimId);
}
async function loseDispute(id: string): Promise<void> {
  const purchase = await world.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select p.id from payments p join subscriptions s on s.checkout_id = p.checkout_id where s.id = ${id}`);
  await insertDispute(world.pool, world.shop, purchase, { status: 'lost', amount: 900 });
}
async function confirm(link: string): Promise<void> {
  const paymentId = (await world.view(link)).openAttempt?.attemptId ?? '';
  await world.answerChallenge(link, 'approve');
  await handle(link).executeUpdate(completeChallengeUpdate, { args: [{ attemptId: paymentId }] });
}

describe('a payment link', () => {
  test('pays the invoice once with another card, and leaves the subscription’s method unchanged', async () => {
    const made = await linked();
    const { id, link, later } = made;
    await linkInvoice(world, id).catch((error) => expect(error.name).toMatch(/AlreadyStarted/));
    expect(await linksOf(made.invoiceId)).toEqual([link]);
    await pay(link, MASTERCARD);
    expect(await handle(link).result()).toMatchObject({ state: 'succeeded' });
    await keepHistory(handle(link), 'payment-link-paid');
    expect(await isNamedAfterInvoice(link)).toBe(true);
    expect(await isDatedInPeriod(link)).toBe(true);
    expect(await statusesOf(id)).toEqual(['created', 'created']);
    expect((await viewOf(world, id)).status).toBe('active');
    expect(await methodOf(id)).toBe('visa');
    await advance(world, id, later(10));
    expect(await takenBy(made)).toBe(900);
    const told = await eventTypesOf(world.pool, id);
    expect(told.filter((type) => type === 'payment.succeeded')).toHaveLength(2);
    expect(told).not.toContain('payment_method.updated');
  });

  test('authenticates with the bank when required, and stores the method if the buyer agrees', async () => {
    const made = await linked(CARDS.hardDecline);
    const { id, link } = made;
    await pay(link, CARDS.challengeOnce, true);
    await world.until(link, 'requires_action');
    await confirm(link);
    await world.until(link, 'succeeded');
    await handle(link).result();
    expect(await takenBy(made)).toBe(900);
    expect(await eventTypesOf(world.pool, id)).toContain('payment_method.updated');
    const later = await afterFirstPeriod(world, id);
    await advance(world, id, later(1));
    expect(await chargesOf(world, id)).toEqual([900]);
  });

  test('leaves invoice, retries and method unchanged after a decline, and can be paid again', async () => {
    const made = await linked(CARDS.twoSoftDeclines);
    const { id, link, later } = made;
    const before = await viewOf(world, id);
    await pay(link, DECLINED);
    await world.until(link, 'created');
    const after = await viewOf(world, id);
    expect([after.next?.at, after.dunning]).toEqual([before.next?.at, before.dunning]);
    expect((await eventTypesOf(world.pool, id)).at(-1)).toBe('payment.failed');
    await pay(link, CARDS.approved);
    await handle(link).result();
    await advance(world, id, later(12));
    expect(await takenBy(made)).toBe(900);
  });

  test('and other attempts wait for each other: a retry, a request, a new method, two clicks', async () => {
    const made = await linked();
    const { id, link, invoiceId } = made;
    await pay(link, CARDS.challengeOnce);
    await world.until(link, 'requires_action');
    const open = (await world.view(link)).openAttempt?.attemptId;
    const joined = await update(world, id, payInvoiceUpdate, { invoiceId });
    expect(joined).toMatchObject({ kind: 'done', paymentId: open });
    const change = await changeMethod(world, id);
    await world.pay(change.id, CARDS.approved);
    await handle(change.id).result();
    expect(await chargeOldest(world.pool, id, LADDER_DAYS)).toBeNull();
    expect((await viewOf(world, id)).paidByLink).toBe(true);
    await confirm(link);
    await handle(link).result();
    await untilView(world, id, ({ status }) => status === 'active');
    expect(await takenBy(made)).toBe(900);
  });

  test('does not replace a method that was changed during its attempt, although its buyer agreed', async () => {
    const { id, link } = await linked();
    await pay(link, CARDS.challengeOnce, true);
    await world.until(link, 'requires_action');
    const change = await changeMethod(world, id);
    await world.pay(change.id, MASTERCARD);
    await handle(change.id).result();
    expect(await methodOf(id)).toBe('mastercard');
    await confirm(link);
    await handle(link).result();
    await untilView(world, id, ({ status }) => status === 'active');
    expect(await methodOf(id)).toBe('mastercard');
  });

  test('makes one charge when a retry, a request and a click are claimed at the same instant', async () => {
    for (let round = 0; round < 4; round++) {
      const made = await linked(CARDS.twoSoftDeclines);
      const { id, link, later, invoiceId } = made;
      const claimId = randomUUID();
      await world.storeClick(link, CARDS.approved, claimId);
      await Promise.allSettled([
        advance(world, id, later(9)),
        update(world, id, payInvoiceUpdate, { invoiceId }),
        world.sendPay(link, claimId),
      ]);
      await untilView(world, id, ({ status }) => status === 'active');
      expect(await takenBy(made)).toBe(900);
      expect(await statusesOf(id)).toEqual(['created', 'created']);
    }
  });

  test('survives a worker restart during a challenge: the returning buyer is charged once', async () => {
    const made = await linked();
    const { id, link } = made;
    await pay(link, CARDS.challengeOnce);
    await world.until(link, 'requires_action');
    await world.stopWorker();
    await world.answerChallenge(link, 'approve');
    await world.startWorker();
    const paymentId = (await world.view(link)).openAttempt?.attemptId ?? '';
    await handle(link).executeUpdate(completeChallengeUpdate, { args: [{ attemptId: paymentId }] });
    await handle(link).result();
    await untilView(world, id, ({ status }) => status === 'active');
    expect(await takenBy(made)).toBe(900);
  });

  test('ends a subscription that was cancelled during the attempt, with the invoice paid', async () => {
    const { id, link } = await linked();
    await pay(link, CARDS.challengeOnce);
    await world.until(link, 'requires_action');
    await update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: false });
    expect((await viewOf(world, id)).status).toBe('past_due');
    await confirm(link);
    await handle(link).result();
    await untilView(world, id, ({ status }) => status === 'cancelled');
    expect(await statusesOf(id)).toEqual(['created', 'created']);
  });

  test.each([
    { stop: 'its merchant has cancelled', status: 'cancelled' },
    { stop: 'a dispute is lost', status: 'past_due' },
  ])('charges nothing for a click that is claimed but not yet sent once $stop', async ({ status }) => {
    const made = await linked();
    const { id, link } = made;
    const claimId = randomUUID();
    await world.storeClick(link, CARDS.approved, claimId);
    // The claim of an update that was lost: the relay repeats it.
    await claimAttempt(world.pool, { checkoutId: link, claimId });
    if (status === 'cancelled') await update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: false });
    else await loseDispute(id);
    await world.sendPay(link, claimId);
    await world.until(link, 'created');
    expect(await takenBy(made)).toBe(0);
    await handle(id).signal(wakeSignal);
    await untilView(world, id, (view) => view.status === status && !view.paidByLink);
  });

  test('for a change that requires authentication pays and applies the change, across a worker restart', async () => {
    const { recurring } = world.shop.products;
    await world.pool.query(
      sql.unsafe`update products set quantity_min = 1, quantity_max = 9 where id = ${recurring}`,
    );
    const id = await subscribe(world, { card: CARDS.authenticationRequired });
    await update(world, id, changeNowUpdate, { type: 'quantity_change', quantity: 3, calculatedAt: null });
    await untilView(world, id, ({ openAttempt }) => openAttempt === null);
    const [draft] = (await invoicesOf(world.pool, id)).filter(({ status }) => status === 'draft');
    const [link = ''] = await linksOf(draft?.id ?? '');
    await world.stopWorker();
    await world.startWorker();
    await startSession(world, link);
    await pay(link, CARDS.challengeOnce);
    await world.until(link, 'requires_action');
    expect((await viewOf(world, id)).paidByLink).toBe(true);
    await confirm(link);
    expect(await handle(link).result()).toMatchObject({ state: 'succeeded' });
    expect(await isNamedAfterInvoice(link)).toBe(true);
    const changed = await world.pool.one(sql.unsafe`
      select quantity, (select status from subscription_changes where subscription_id = s.id) as change,
        (select count(*)::int from events where type = 'subscription.updated' and aggregate_id = s.id) as told
      from subscriptions s where id = ${id}`);
    expect(changed).toEqual({ quantity: 3, change: 'applied', told: 2 });
    expect(await takenBy({ id, link })).toBe(draft?.amount);
    await world.pool.query(
      sql.unsafe`update products set quantity_min = null, quantity_max = null where id = ${recurring}`,
    );
  });

  test('is refused while a restore lists a charge that may be the invoice’s, and can be paid afterwards', async () => {
    const { id, link, invoiceId } = await linked();
    await world.pool.query(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, merchant_id, environment, reference, kind, amount, currency,
        outcome, at, state)
      select 1, s.rail_account_id, s.merchant_id, s.environment, period_payment_id(s.id, i.period_start, 3), 'charge', 900,
        'EUR', 'approved', now(), 'person'
      from subscriptions s join invoices i on i.subscription_id = s.id where i.id = ${invoiceId}`);
    expect(await pay(link, MASTERCARD)).toMatchObject({ kind: 'refused', reason: 'finished' });
    await world.pool.query(sql.unsafe`
      update restore_findings set state = 'settled', closed_at = now() where merchant_id =
        (select merchant_id from subscriptions where id = ${id})`);
    await pay(link, MASTERCARD);
    expect(await handle(link).result()).toMatchObject({ state: 'succeeded' });
  });

  test('does not charge the next invoice with a method that may not be charged again', async () => {
    const { id, link } = await linked(CARDS.hardDecline);
    const next = await insertNewerInvoice(world.pool, id);
    await pay(link, MASTERCARD);
    expect(await handle(link).result()).toMatchObject({ state: 'succeeded' });
    const now = await world.pool.one(sql.unsafe`
      select status, charge_at, dunning is not null as is_limited,
        (select count(*)::int from payments where invoice_id = ${next}) as attempts
      from subscriptions where id = ${id}`);
    expect(now).toEqual({ status: 'past_due', charge_at: null, is_limited: true, attempts: 0 });
    expect((await viewOf(world, id)).next?.action).toBe('giveUp');
  });

  test('shows that it cannot be used once the invoice is paid by other means', async () => {
    const { id, link } = await linked(CARDS.hardDecline);
    const change = await changeMethod(world, id);
    await world.pay(change.id, CARDS.approved);
    await handle(change.id).result();
    await untilView(world, id, ({ status }) => status === 'active');
    const stored = await world.pool.one(
      sql.type(
        z.object({ page_token: z.instanceof(Buffer), page_token_hash: z.instanceof(Buffer) }),
      )`select page_token, page_token_hash from checkouts where id = ${link}`,
    );
    const page = await findSession(world.pool, openPageToken(testSecretBox, stored));
    expect([page?.link, page?.method_change]).toEqual(['paid', null]);
    expect(await pay(link, CARDS.approved)).toMatchObject({ kind: 'refused', reason: 'finished' });
    await expect(linkInvoice(world, id)).rejects.toThrow('invoice_not_payable');
  });
});
