/** The checkout workflow with the Stripe adapter, whose charges take several requests. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { cancelUpdate, completeChallengeUpdate } from '../../../workflows/session/session-messages.ts';
import type { CardBehaviour } from '../contract/driver.ts';
import { type StripeService, startStripeService } from './service.ts';

const CHARGED = 1_900;
let service: StripeService;
let stripe: StripeService['stripe'];
let world: StripeService['world'];

beforeAll(async () => {
  service = await startStripeService();
  ({ stripe, world } = service);
}, 300_000);
afterAll(() => service?.close());
beforeEach(() => service.useAccount());

const session = () => service.session();
const click = (checkoutId: string, behaviour: CardBehaviour) => service.click(checkoutId, behaviour);
const payments = (checkoutId: string) => service.payments(checkoutId);
const charges = (checkoutId: string) => service.charges(checkoutId);

const alertRow = z.object({ body: z.string() });
async function alerts(code: string) {
  const events = await world.pool.any(sql.type(alertRow)`
    select body from events where type = 'billing.operational_alert' and merchant_id = ${world.shop.merchantId}
  `);
  return events
    .map(({ body }) => JSON.parse(body).alert)
    .filter((alert: { code: string }) => alert.code === code);
}

describe('a session with Stripe', () => {
  test('is paid once and stores the ids of the intent and its customer', async () => {
    const id = await session();
    await click(id, 'approved');
    await world.until(id, 'succeeded');
    const [paid, ...more] = await payments(id);
    expect(more).toEqual([]);
    expect(paid?.status).toBe('succeeded');
    const intent = stripe.theirs.intents.get(paid?.rail_order_id ?? '');
    expect(intent?.customer).toBe(paid?.rail_customer_id);
    expect(await charges(id)).toEqual([CHARGED]);
  });

  test('whose confirmation never arrived is payable again once the intent is cancelled', async () => {
    const id = await session();
    await stripe.fault('authorize', 'dropBefore');
    await click(id, 'approved');
    await world.until(id, 'created');
    const [first] = await payments(id);
    expect(first?.status).toBe('cancelled');
    expect(stripe.theirs.intents.get(first?.rail_order_id ?? '')?.status).toBe('canceled');
    await click(id, 'approved');
    await world.until(id, 'succeeded');
    expect(await charges(id)).toEqual([CHARGED]);
  });

  test('whose confirmation lost its answer is found to be paid by look-up', async () => {
    const id = await session();
    await stripe.fault('authorize', 'dropAfter');
    await click(id, 'approved');
    await world.until(id, 'succeeded');
    expect(await charges(id)).toEqual([CHARGED]);
  });

  test('whose intent id was lost is found by the customer and payable again', async () => {
    const id = await session();
    stripe.proxy.strike({ method: 'POST', path: /^\/v1\/payment_intents$/, trouble: 'dropAfter' });
    const before = stripe.proxy.seen.length;
    await click(id, 'approved');
    await world.until(id, 'created');
    const [first] = await payments(id);
    expect(first).toMatchObject({ status: 'cancelled', rail_customer_id: expect.stringMatching(/^cus_/) });
    const lists = stripe.proxy.seen.slice(before).filter(({ path }) => /_intents\?/.test(path));
    expect(lists.length).toBeGreaterThan(0);
    for (const { path } of lists) expect(path).toContain(`customer=${first?.rail_customer_id}`);
    const left = [...stripe.theirs.intents.values()].filter(
      ({ customer }) => customer === first?.rail_customer_id,
    );
    expect(left.map(({ status }) => status)).toEqual(['canceled']);
    await click(id, 'approved');
    await world.until(id, 'succeeded');
    expect(await charges(id)).toEqual([CHARGED]);
  });

  test('that began before payments had a customer is also looked up and cancelled', async () => {
    const id = await session();
    stripe.proxy.strike({ method: 'POST', path: /^\/v1\/payment_intents$/, trouble: 'dropAfter' });
    await click(id, 'approved');
    await until(async () => (await payments(id))[0]?.rail_customer_id != null);
    const [first] = await payments(id);
    await world.pool.query(sql.unsafe`
      update payments set rail_customer_id = null where id = ${first?.id ?? ''}
    `);
    await world.until(id, 'created');
    expect((await payments(id)).map(({ status }) => status)).toEqual(['cancelled']);
    const left = [...stripe.theirs.intents.values()].filter(
      ({ metadata }) => metadata.reference === first?.id,
    );
    expect(left.map(({ status }) => status)).toEqual(['canceled']);
  });

  test('with a challenge is paid after the buyer returns', async () => {
    const id = await session();
    await click(id, 'challenge');
    await world.until(id, 'requires_action');
    const [open] = await payments(id);
    const intent = stripe.theirs.intents.get(open?.rail_order_id ?? '');
    expect(intent?.returnUrl).toMatch(/\/challenge\/return$/);
    await stripe.completeChallenge(await challengeUrl(id), 'approve');
    await world.client.workflow
      .getHandle(id)
      .executeUpdate(completeChallengeUpdate, { args: [{ attemptId: open?.id ?? '' }] });
    await world.until(id, 'succeeded');
    expect(await charges(id)).toEqual([CHARGED]);
  });

  test('that the buyer abandons leaves no payable intent', async () => {
    const id = await session();
    await click(id, 'challenge');
    await world.until(id, 'requires_action');
    await world.client.workflow.getHandle(id).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
    await world.until(id, 'failed');
    const [open] = await payments(id);
    expect(stripe.theirs.intents.get(open?.rail_order_id ?? '')?.status).toBe('canceled');
    expect(await charges(id)).toEqual([]);
  });
});

describe('an account', () => {
  test('that Stripe refuses is disabled with one alert, and no further charge is sent', async () => {
    const id = await session();
    stripe.theirs.enabled = false;
    await click(id, 'approved');
    await expectStatus('disabled');
    const alert = { code: 'rail_account_disabled', reference: world.shop.railAccountId };
    expect(await alerts('rail_account_disabled')).toEqual([alert]);

    // Stripe accepts the account again, but it is still disabled here: look-ups settle open attempts.
    stripe.theirs.enabled = true;
    await world.until(id, 'created');
    const before = stripe.proxy.seen.length;
    await click(id, 'approved');
    await world.until(id, 'created');
    expect((await payments(id)).map(({ status }) => status)).toEqual(['cancelled', 'failed']);
    expect(stripe.proxy.seen.slice(before).filter(({ method }) => method === 'POST')).toEqual([]);
    expect(await alerts('rail_account_disabled')).toHaveLength(1);
  });

  test('that is misconfigured raises one alert a day and stays in use', async () => {
    stripe.theirs.settings.refusesCards = true;
    for (const _twice of [1, 2]) await click(await service.session(), 'approved');
    const refused = () => stripe.proxy.seen.filter(({ status }) => status === 400).length;
    await until(async () => refused() === 2 && (await alerts('rail_account_misconfigured')).length > 0);
    const alert = { code: 'rail_account_misconfigured', reference: world.shop.railAccountId };
    expect(await alerts('rail_account_misconfigured')).toEqual([alert]);
    await expectStatus('active');
    stripe.theirs.settings.refusesCards = false;
  });

  async function expectStatus(status: string): Promise<void> {
    await until(async () => {
      const row = z.object({ status: z.string() });
      return (
        (await world.pool.oneFirst(sql.type(row)`
          select status from rail_accounts where id = ${world.shop.railAccountId}
        `)) === status
      );
    });
  }
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 15_000; performance.now() < end; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('timed out after 15 s');
}

function challengeUrl(checkoutId: string): Promise<string> {
  return world.pool.oneFirst(sql.type(z.object({ challenge_url: z.string() }))`
    select challenge_url from payments where checkout_id = ${checkoutId} and status = 'requires_action'
  `);
}
