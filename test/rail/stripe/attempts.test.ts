/** Beyond the contract: attempts that take several calls, any of whose ids may be lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RailOutcome } from '../../../rail/outcomes.ts';
import type { AuthorizeRequest, RailId } from '../../../rail/requests.ts';
import {
  AMOUNT_CENTS,
  cancellation,
  deadline,
  payment,
  question,
  refundOf,
  storedCharge,
} from '../contract/calls.ts';
import { openDispute } from './double/disputes.ts';
import { type StripeWorld, startStripeDriver } from './driver.ts';

let world: StripeWorld;
beforeAll(async () => {
  world = await startStripeDriver();
}, 300_000);
afterAll(() => world?.close());

/** Records the requests from now on. */
function recording() {
  const before = world.proxy.seen.length;
  return () => world.proxy.seen.slice(before);
}

const idOf = (outcome: RailOutcome) => ('railReference' in outcome ? outcome.railReference : null);

describe('an attempt', () => {
  test('creates a customer and an unconfirmed intent, then confirms it, and stores each id before the next call', async () => {
    const seen = recording();
    const story = () => seen().map(({ path, idempotencyKey }) => [path.split('/').at(-1), idempotencyKey]);
    const kept: unknown[] = [];
    const request = await payment(world, 'approved', {
      storeId: async (id) => void kept.push(id, story().length),
    });
    await world.rail.authorize(request);
    expect(kept).toEqual([
      { railCustomer: expect.stringMatching(/^cus_/) },
      1,
      { railReference: expect.stringMatching(/^pi_/) },
      2,
    ]);
    expect(story()).toEqual([
      ['customers', `${request.idempotencyKey}:customer`],
      ['payment_intents', `${request.idempotencyKey}:create`],
      ['confirm', `${request.idempotencyKey}:confirm`],
    ]);
  });

  test.each([0, AMOUNT_CENTS])('of %s cents sends Stripe our ids but no buyer data', async (amountCents) => {
    const seen = recording();
    const request = await payment(world, 'approved', { amountCents, saveMandate: amountCents === 0 });
    await world.rail.authorize(request);
    const [customer] = seen();
    expect(Object.fromEntries(new URLSearchParams(customer?.body))).toEqual({
      'metadata[reference]': request.reference,
      'metadata[rail_account]': world.account.id,
      'metadata[merchant]': world.account.merchantId,
    });
  });

  test('creates no intent if storing the customer fails', async () => {
    const seen = recording();
    const request = await payment(world, 'approved', {
      storeId: () => Promise.reject(new Error('too late')),
    });
    expect(await world.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'not_sent' });
    expect(seen().map(({ path }) => path)).toEqual(['/v1/customers']);
    expect(await world.rail.lookup(question(request))).toEqual({ kind: 'notFound' });
  });

  test('is not confirmed if storing its id fails, and can be cancelled without the id', async () => {
    const kept = { railCustomer: null as string | null };
    const request = await payment(world, 'approved', {
      async storeId(id) {
        if ('railReference' in id) throw new Error('too late');
        kept.railCustomer = id.railCustomer;
      },
    });
    expect(await world.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'not_sent' });
    const lost = { ...question(request), railReference: null, ...kept };
    expect(await world.rail.lookup(lost)).toEqual({ kind: 'notFound' });
    const cancel = { ...lost, idempotencyKey: `${request.reference}:cancel` };
    expect(await world.rail.cancel(cancel)).toMatchObject({ kind: 'cancelled' });
    expect(await world.rail.authorize({ ...request, storeId: async () => {} })).toMatchObject({
      kind: 'cancelled',
    });
    expect(await world.charges(request.reference)).toEqual([]);
  });

  test('that failed before its confirmation is declined and cancelled', async () => {
    const request = await payment(world, 'approved', {
      async storeId(id) {
        const intent = 'railReference' in id && world.theirs.intents.get(id.railReference);
        if (!intent) return;
        Object.assign(intent, { status: 'requires_payment_method', failure: { code: 'expired_card' } });
      },
    });
    const outcome = await world.rail.authorize(request);
    expect(outcome).toMatchObject({ kind: 'declined', code: 'expired_card', retryable: false });
    expect(world.theirs.intents.get(idOf(outcome) ?? '')?.status).toBe('canceled');
  });

  test('in flight with a known id is permanently stopped by a cancel', async () => {
    // Long enough for the two preceding calls on a busy machine.
    const request = await payment(world, 'approved', { signal: deadline(1_500) });
    await world.fault('authorize', 'slow', { delayMs: 3_000 });
    expect(await world.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'timeout' });
    expect(await world.rail.cancel(cancellation(request))).toMatchObject({ kind: 'cancelled' });
    await sleep(3_200);
    expect(await world.charges(request.reference)).toEqual([]);
    expect(await world.rail.lookup(question(request))).toMatchObject({ kind: 'cancelled' });
  });

  test('that was declined is cancelled, so it cannot be paid later', async () => {
    const request = await payment(world, 'declined');
    const outcome = await world.rail.authorize(request);
    expect(world.theirs.intents.get(idOf(outcome) ?? '')?.status).toBe('canceled');
  });

  test('that was declined has an unknown outcome until a look-up has cancelled it', async () => {
    const request = await payment(world, 'declined');
    await world.fault('cancel', 'dropBefore');
    expect(await world.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'connection_lost' });
    const outcome = await world.rail.lookup(question(request));
    expect(outcome).toMatchObject({ kind: 'declined', code: 'card_declined' });
    expect(world.theirs.intents.get(idOf(outcome) ?? '')?.status).toBe('canceled');
  });

  test('that was declined, then paid before the cancel, is approved', async () => {
    const request = await payment(world, 'challenge');
    const outcome = await world.rail.authorize(request);
    if (outcome.kind !== 'challenge') throw new Error(`expected a challenge, got ${outcome.kind}`);
    await world.completeChallenge(outcome.url, 'fail');
    const intent = world.theirs.intents.get(outcome.railReference);
    if (!intent) throw new Error('no intent');
    await world.fault('cancel', 'slow', { delayMs: 200 });
    const asked = world.rail.lookup(question(request));
    await sleep(100);
    intent.status = 'succeeded';
    expect(await asked).toMatchObject({ kind: 'approved' });
  });

  test('that Stripe rejects as invalid is misconfigured, with codes for the operator', async () => {
    const request = await payment(world, 'approved', { amountCents: Number.NaN });
    expect(await world.rail.authorize(request)).toEqual({
      kind: 'unknown',
      reason: 'misconfigured',
      detail: expect.stringMatching(
        /^400 invalid_request_error, parameter_invalid_integer, parameter amount \(request req_\d+\)$/,
      ),
    });
    expect(await world.rail.lookup(question(request))).toEqual({ kind: 'notFound' });
  });

  test('of an amount that Stripe never charges is declined', async () => {
    const request = await payment(world, 'approved', { amountCents: 49 });
    const declined = { kind: 'declined', code: 'processing_error', retryable: true };
    expect(await world.rail.authorize(request)).toMatchObject(declined);
    expect(await world.rail.lookup(question(request))).toEqual({ kind: 'notFound' });
  });

  test('with a revoked key has an unknown outcome: account refused', async () => {
    const wrong = { ...world.account.credential, secretKey: 'sk_test_revoked' };
    const request = await payment(world, 'approved', { account: { ...world.account, credential: wrong } });
    expect(await world.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'account_refused' });
  });

  test.each(['customers', 'payment_intents'])(
    'with a key that may not write %s has an unknown outcome: account refused',
    async (forbidden) => {
      world.theirs.settings.forbidden = [forbidden];
      try {
        expect(await world.rail.authorize(await payment(world, 'approved'))).toEqual({
          kind: 'unknown',
          reason: 'account_refused',
          detail: expect.stringMatching(/^403 invalid_request_error \(request req_\d+\)$/),
        });
      } finally {
        world.theirs.settings.forbidden = [];
      }
    },
  );

  test('with a key that may not read or cancel has an unknown outcome: misconfigured, and the account stays in use', async () => {
    const request = await payment(world, 'challenge');
    const outcome = await world.rail.authorize(request);
    const railReference = idOf(outcome) ?? '';
    const { settings } = world.theirs;
    const notAllowed = {
      kind: 'unknown',
      reason: 'misconfigured',
      detail: expect.stringMatching(/^403 invalid_request_error \(request req_\d+\)$/),
    };
    try {
      settings.forbidden = ['payment_intents'];
      expect(await world.rail.cancel(cancellation(request))).toEqual(notAllowed);
      settings.unreadable = ['payment_intents', 'refunds'];
      expect(await world.rail.lookup(question(request))).toEqual(notAllowed);
      const lost = { ...cancellation(request), railReference: null };
      expect(await world.rail.lookup(lost)).toEqual(notAllowed);
      expect(await world.rail.cancel(lost)).toEqual(notAllowed);
      expect(await world.rail.lookupRefund(refundOf(request, railReference))).toEqual(notAllowed);
    } finally {
      Object.assign(settings, { forbidden: [], unreadable: [] });
    }
  });

  test('with a key of the other mode sends nothing', async () => {
    const request = await payment(world, 'approved', {
      account: { ...world.account, environment: 'production' },
    });
    const seen = recording();
    expect(await world.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'account_refused' });
    expect(seen()).toEqual([]);
  });
});

describe('a mandate', () => {
  async function challenged(values: Partial<AuthorizeRequest>) {
    const request = await payment(world, 'challenge', { saveMandate: true, ...values });
    const outcome = await world.rail.authorize(request);
    if (outcome.kind !== 'challenge') throw new Error(`expected a challenge, got ${outcome.kind}`);
    await world.completeChallenge(outcome.url, 'approve');
    return world.rail.lookup(question(request));
  }

  test.each([
    ['a trial', 0],
    ['a first payment', AMOUNT_CENTS],
  ])('of %s with a passed challenge can be charged', async (_what, amountCents) => {
    const outcome = await challenged({ amountCents });
    if (outcome.kind !== 'approved' || !outcome.mandate) throw new Error('expected a mandate');
    const charge = storedCharge(world.account, outcome.mandate, { amountCents: 900 });
    expect(await world.rail.chargeStored(charge)).toMatchObject({ kind: 'approved', mandate: null });
    expect(await world.charges(charge.reference)).toEqual([900]);
  });

  test('is charged off-session by the second call, after storing the ids', async () => {
    const outcome = await challenged({});
    if (outcome.kind !== 'approved' || !outcome.mandate) throw new Error('expected a mandate');
    const kept: RailId[] = [];
    const charge = storedCharge(world.account, outcome.mandate, {
      storeId: async (id) => void kept.push(id),
    });
    const seen = recording();
    const { railReference } = (await world.rail.chargeStored(charge)) as { railReference: string };
    expect(kept).toEqual([{ railCustomer: outcome.mandate.split(':')[0] }, { railReference }]);
    expect(new URLSearchParams(seen()[0]?.body).has('confirm')).toBe(false);
    expect(new URLSearchParams(seen()[1]?.body).get('off_session')).toBe('true');
  });

  test('is declined, to be retried, for an amount that Stripe never charges', async () => {
    const outcome = await challenged({});
    if (outcome.kind !== 'approved' || !outcome.mandate) throw new Error('expected a mandate');
    for (const amountCents of [49, 100_000_000]) {
      const charge = storedCharge(world.account, outcome.mandate, { amountCents });
      const declined = { kind: 'declined', code: 'processing_error', retryable: true };
      expect(await world.rail.chargeStored(charge)).toMatchObject(declined);
    }
  });

  test('from another rail is a hard decline, and nothing is sent', async () => {
    const seen = recording();
    const outcome = await world.rail.chargeStored(storedCharge(world.account, 'mandate_of_another_rail'));
    expect(outcome).toMatchObject({ kind: 'declined', code: 'processing_error', retryable: false });
    expect(seen()).toEqual([]);
  });
});

describe('a prevented dispute', () => {
  test.each([
    ['resolution', 'lost'],
    ['block', 'won'],
    ['chargeback', 'lost'],
  ])('whose case is a %s is %s: only a blocked one moved no money', async (caseType, status) => {
    const outcome = await world.rail.authorize(await payment(world, 'approved'));
    const railReference = idOf(outcome) ?? '';
    openDispute(world.theirs, railReference);
    const dispute = world.theirs.disputes.find(({ intent }) => intent === railReference);
    Object.assign(dispute ?? {}, { caseType, status: 'prevented' });
    const asked = { account: world.account, reference: 'ap_pay_1', railReference, signal: deadline() };
    expect(await world.rail.listDisputes(asked)).toMatchObject({ disputes: [{ status }] });
  });
});
