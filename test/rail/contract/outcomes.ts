import { describe, expect, test } from '@jest/globals';
import {
  AMOUNT_CENTS,
  assertApproved,
  newReference,
  payment,
  question,
  settledOutcome,
  storedCharge,
  storedMandate,
} from './calls.ts';
import type { CardBehaviour, World } from './driver.ts';

export function outcomes(world: World): void {
  describe('outcomes', () => {
    test('an approved payment reports its method and is charged once', async () => {
      const driver = world();
      const request = await payment(driver, 'approved');
      const outcome = assertApproved(await driver.rail.authorize(request));
      expect(outcome.method).toEqual({
        type: 'card',
        brand: expect.any(String),
        last4: expect.stringMatching(/^\d{4}$/),
      });
      expect(outcome.mandate).toBeNull();
      expect(outcome.moved).toEqual({ amountCents: AMOUNT_CENTS, currency: 'EUR' });
      expect(await driver.rail.lookup(question(request))).toEqual(outcome);
      expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
    });

    test.each([
      ['declined', 'card_declined'],
      ['insufficientFunds', 'insufficient_funds'],
    ] as const)('a card with behaviour %s is declined as %s and charges nothing', async (behaviour, code) => {
      const driver = world();
      const request = await payment(driver, behaviour);
      const outcome = await driver.rail.authorize(request);
      expect(outcome).toMatchObject({ kind: 'declined', code, retryable: true });
      expect(await driver.rail.lookup(question(request))).toEqual(outcome);
      expect(await driver.charges(request.reference)).toEqual([]);
    });

    test('a card’s unused tokens and declines have the same fingerprint', async () => {
      const driver = world();
      const fingerprintOf = async (behaviour: CardBehaviour) => {
        const request = await payment(driver, behaviour);
        const before = await driver.rail.cardOf?.(driver.account, request.methodToken, request.signal);
        const outcome = await driver.rail.authorize(request);
        expect(outcome).toMatchObject({ kind: 'declined', cardFingerprint: before });
        return before;
      };
      const first = await fingerprintOf('declined');
      expect(first).toEqual(expect.stringMatching(/^\w+$/));
      expect(await fingerprintOf('declined')).toBe(first);
      expect(await fingerprintOf('insufficientFunds')).not.toBe(first);
      const { signal } = await payment(driver, 'declined');
      expect(await driver.rail.cardOf?.(driver.account, 'pm_unknown', signal)).toBeNull();
    });

    test('a challenge that the buyer passes leads to a charge', async () => {
      const driver = world();
      const request = await payment(driver, 'challenge');
      const outcome = await driver.rail.authorize(request);
      if (outcome.kind !== 'challenge') throw new Error(`expected a challenge, got ${outcome.kind}`);
      expect(await driver.charges(request.reference)).toEqual([]);
      await driver.completeChallenge(outcome.url, 'approve');
      expect(await driver.rail.lookup(question(request))).toMatchObject({ kind: 'approved' });
      expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
    });

    test('a challenge that the buyer fails is declined with its own code', async () => {
      const driver = world();
      const request = await payment(driver, 'challenge');
      const outcome = await driver.rail.authorize(request);
      if (outcome.kind !== 'challenge') throw new Error(`expected a challenge, got ${outcome.kind}`);
      await driver.completeChallenge(outcome.url, 'fail');
      const answer = await driver.rail.lookup(question(request));
      expect(answer).toMatchObject({ kind: 'declined', code: 'authentication_failed' });
      expect(await driver.charges(request.reference)).toEqual([]);
    });

    test('a pending payment settles later and is found by look-up', async () => {
      const driver = world();
      const request = await payment(driver, 'pending');
      expect(await driver.rail.authorize(request)).toMatchObject({ kind: 'pending' });
      expect(await settledOutcome(driver.rail, request)).toMatchObject({ kind: 'approved' });
      expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
    });

    test('a token can pay for one reference only', async () => {
      const driver = world();
      const first = await payment(driver, 'approved');
      assertApproved(await driver.rail.authorize(first));
      const second = await payment(driver, 'approved', { methodToken: first.methodToken });
      expect(await driver.rail.authorize(second)).toMatchObject({
        kind: 'declined',
        code: 'processing_error',
      });
      expect(await driver.charges(second.reference)).toEqual([]);
    });

    test('an unknown reference is not found', async () => {
      const { rail, account } = world();
      const outcome = await rail.lookup(question({ account, reference: newReference() }));
      expect(outcome).toEqual({ kind: 'notFound' });
    });

    test("another account's payment is not found", async () => {
      const driver = world();
      const request = await payment(driver, 'approved');
      await driver.rail.authorize(request);
      // Looks up by our reference only, because a known id at the wrong account would be a configuration
      // error.
      const asked = question({ account: driver.otherAccount, reference: request.reference });
      const outcome = await driver.rail.lookup({ ...asked, railReference: null, railCustomer: null });
      expect(outcome).toEqual({ kind: 'notFound' });
    });

    test('charges changed since an instant are listed', async () => {
      const driver = world();
      const since = new Date(Date.now() - 60_000).toISOString();
      const approved = await payment(driver, 'approved', { quantity: 3 });
      const declined = await payment(driver, 'declined');
      const trial = await payment(driver, 'approved', { amountCents: 0, quantity: 2, saveMandate: true });
      await driver.rail.authorize(trial);
      await driver.rail.authorize(approved);
      await driver.rail.authorize(declined);
      const listed = await driver.rail.listSince(driver.account, since, approved.signal);
      const values = { amountCents: AMOUNT_CENTS, currency: 'EUR', at: expect.any(String) };
      const charges = [
        { ...values, reference: approved.reference, outcome: 'approved', quantity: 3 },
        { ...values, reference: declined.reference, outcome: 'declined', quantity: null },
        { ...values, reference: trial.reference, outcome: 'approved', quantity: 2, amountCents: 0 },
      ];
      for (const charge of charges) expect(listed).toContainEqual(charge);
    });
  });

  describe('mandates', () => {
    test('a requested mandate can be charged off-session', async () => {
      const driver = world();
      const mandate = await storedMandate(driver, 'approved');
      const charge = storedCharge(driver.account, mandate, { amountCents: 900 });
      expect(await driver.rail.chargeStored(charge)).toMatchObject({ kind: 'approved' });
      expect(await driver.rail.lookup(question(charge))).toMatchObject({ kind: 'approved' });
      expect(await driver.charges(charge.reference)).toEqual([900]);
    });

    test('an amount of 0 stores a mandate and moves no money', async () => {
      const driver = world();
      const request = await payment(driver, 'approved', { amountCents: 0, saveMandate: true });
      expect(await driver.rail.authorize(request)).toMatchObject({
        kind: 'approved',
        mandate: expect.any(String),
      });
      expect((await driver.charges(request.reference)).filter((cents) => cents > 0)).toEqual([]);
    });

    test.each([
      ['laterNeedsBuyer', 'authentication_required', false],
      ['laterHardDecline', 'lost_or_stolen_card', false],
      ['laterSoftDecline', 'card_declined', true],
    ] as const)('an off-session charge of %s is declined as %s', async (behaviour, code, retryable) => {
      const driver = world();
      const charge = storedCharge(driver.account, await storedMandate(driver, behaviour));
      const outcome = await driver.rail.chargeStored(charge);
      expect(outcome).toMatchObject({ kind: 'declined', code, retryable });
      expect(await driver.charges(charge.reference)).toEqual([]);
    });

    test("another account's mandate is refused", async () => {
      const driver = world();
      const charge = storedCharge(driver.otherAccount, await storedMandate(driver, 'approved'));
      expect(await driver.rail.chargeStored(charge)).toMatchObject({ kind: 'declined', retryable: false });
      expect(await driver.charges(charge.reference)).toEqual([]);
    });
  });
}
