/** The API verifies Stripe's webhooks, stores each once, and treats them as hints. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import type { RailAccount } from '../../../rail/rail-account.ts';
import { createStripeRail } from '../../../rail/stripe/index.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { clickAccepted } from '../../support/db/attempts.ts';
import {
  insertMerchant,
  insertProduct,
  insertRailAccount,
  insertSession,
} from '../../support/db/fixtures.ts';
import { newAccount, newId } from './double/state.ts';
import { ourAccount, sign } from './driver.ts';

const nowSeconds = () => Math.floor(Date.now() / 1_000);

let api: TestApi;
let account: RailAccount;
let otherAccount: RailAccount;
let paymentId: string;

beforeAll(async () => {
  api = await startTestApi({
    rails: new Map([['stripe', createStripeRail({ fieldsUrl: 'https://fields.example' })]]),
  });
  account = await insertAccount();
  otherAccount = await insertAccount();
  const scope = { merchantId: account.merchantId, environment: 'sandbox' } as const;
  const { productId } = await insertProduct(api.pool, scope);
  const checkout = await insertSession(api.pool, scope, productId, { railNames: ['stripe'] });
  paymentId = await clickAccepted(api.pool, checkout.id);
});
afterAll(() => api.stop());

async function insertAccount(): Promise<RailAccount> {
  const merchantId = await insertMerchant(api.pool);
  const { credential } = ourAccount(newAccount('webhooks'));
  const environment = 'sandbox';
  const id = await insertRailAccount(api.pool, { merchantId, environment, rail: 'stripe', credential });
  return { ...ourAccount(newAccount('webhooks')), id, merchantId, credential };
}

interface EventValues {
  readonly type?: string;
  readonly livemode?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
}

function eventBody(values: EventValues = {}): Buffer {
  const { type = 'payment_intent.succeeded', livemode = false } = values;
  const metadata = values.metadata ?? { reference: paymentId, rail_account: account.id };
  const object = { id: newId('pi'), object: 'payment_intent', metadata };
  return Buffer.from(JSON.stringify({ id: newId('evt'), object: 'event', type, livemode, data: { object } }));
}

function post(body: Buffer, headers: Readonly<Record<string, string>>, to: RailAccount = account) {
  return api.request('POST', `/rails/stripe/${to.id}/webhooks`, { raw: new Uint8Array(body), headers });
}

const webhookRow = z.object({ reference: z.string().nullable(), hint: z.string() });
function storedWebhook(body: Buffer) {
  const { id } = JSON.parse(body.toString()) as { id: string };
  return api.pool.any(
    sql.type(webhookRow)`select reference, hint from rail_webhooks where rail_event_id = ${id}`,
  );
}

describe('a Stripe webhook', () => {
  test('is accepted and stored with our reference', async () => {
    const body = eventBody();
    expect(await post(body, sign(account, body, nowSeconds()))).toMatchObject({ status: 200 });
    expect(await storedWebhook(body)).toEqual([{ reference: paymentId, hint: 'approved' }]);
  });

  test('is stored once when replayed', async () => {
    const body = eventBody();
    await post(body, sign(account, body, nowSeconds()));
    expect(await post(body, sign(account, body, nowSeconds()))).toMatchObject({ status: 200 });
    expect(await storedWebhook(body)).toHaveLength(1);
  });

  test.each([
    ['stale', (body: Buffer) => post(body, sign(account, body, nowSeconds() - 301))],
    ['in the future', (body: Buffer) => post(body, sign(account, body, nowSeconds() + 330))],
    ['tampered with', (body: Buffer) => post(Buffer.from(`${body} `), sign(account, body, nowSeconds()))],
    ['signed for another account', (body: Buffer) => post(body, sign(otherAccount, body, nowSeconds()))],
    ['not signed', (body: Buffer) => post(body, {})],
  ])('that is %s is rejected and not stored', async (_what, send) => {
    const body = eventBody();
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await storedWebhook(body)).toEqual([]);
  });

  test.each([
    ['of the other mode', () => ({ body: eventBody({ livemode: true }), to: account })],
    ['about another account of ours', () => ({ body: eventBody(), to: otherAccount })],
    [
      'about an account of another installation at the same Stripe account',
      () => ({
        body: eventBody({ metadata: { reference: 'ap_pay_1', rail_account: 'ap_rac_1' } }),
        to: account,
      }),
    ],
  ])('that is signed but %s is answered with 200 and ignored', async (_what, sent) => {
    const { body, to } = sent();
    expect(await post(body, sign(to, body, nowSeconds()), to)).toMatchObject({ status: 200 });
    expect(await storedWebhook(body)).toEqual([]);
  });

  test.each([
    ['payment_intent.payment_failed', 'declined'],
    ['payment_intent.canceled', 'cancelled'],
    ['payment_intent.requires_action', 'challenge'],
    ['payment_intent.processing', 'pending'],
    ['setup_intent.succeeded', 'approved'],
    ['refund.failed', 'refund_failed'],
    ['payment_intent.created', 'other'],
  ])('%s has the hint %s', async (type, hint) => {
    const body = eventBody({ type });
    await post(body, sign(account, body, nowSeconds()));
    expect(await storedWebhook(body)).toEqual([{ reference: paymentId, hint }]);
  });

  test('about an object of another system is accepted and ignored', async () => {
    const body = eventBody({ metadata: { order: 'of another shop' } });
    expect(await post(body, sign(account, body, nowSeconds()))).toMatchObject({ status: 200 });
    expect(await storedWebhook(body)).toEqual([{ reference: null, hint: 'other' }]);
  });

  test('about a dispute is matched to its payment by the intent, because it carries no metadata of ours', async () => {
    await api.pool.query(
      sql.unsafe`update payments set rail_order_id = 'pi_disputed' where id = ${paymentId}`,
    );
    const bodyOf = (intent: string) => {
      const object = { id: newId('du'), object: 'dispute', metadata: {}, payment_intent: intent };
      const event = { id: newId('evt'), object: 'event', type: 'charge.dispute.created', livemode: false };
      return Buffer.from(JSON.stringify({ ...event, data: { object } }));
    };
    const [ours, ofAnotherSystem] = [bodyOf('pi_disputed'), bodyOf('pi_of_another_system')];
    for (const body of [ours, ofAnotherSystem])
      expect(await post(body, sign(account, body, nowSeconds()))).toMatchObject({ status: 200 });
    expect(await storedWebhook(ours)).toEqual([{ reference: paymentId, hint: 'dispute' }]);
    expect(await storedWebhook(ofAnotherSystem)).toEqual([{ reference: null, hint: 'dispute' }]);
  });

  test('that is rejected leaves neither secret nor body in the log', async () => {
    const body = eventBody();
    await post(body, sign(otherAccount, body, nowSeconds()));
    const logged = api.logLines.join('\n');
    expect(logged).not.toContain(account.credential.webhookSecret);
    expect(logged).not.toContain(body.toString());
  });
});
