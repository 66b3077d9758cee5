import { describe, expect, test } from '@jest/globals';
import type { RailTrust } from '../../../rail/rail.ts';
import { AMOUNT_CENTS, leaveOut, payment, question, storedCharge, storedMandate } from './calls.ts';
import type { World } from './driver.ts';

/** The answer when a restored database sends an attempt with different content (rule 28). */
const USED_BEFORE = { kind: 'unknown', reason: 'used_before' };

export function idempotency(world: World, trust: RailTrust): void {
  const testIfIdempotent = trust.idempotentAuthorize ? test : leaveOut;

  describe('idempotency', () => {
    test('a retry with the same key gets the first answer and makes no second charge', async () => {
      const driver = world();
      const request = await payment(driver, 'approved');
      const first = await driver.rail.authorize(request);
      expect(await driver.rail.authorize(request)).toEqual(first);
      expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
    });

    test('ten concurrent calls with the same key make one charge', async () => {
      const driver = world();
      const request = await payment(driver, 'approved');
      const answers = await Promise.all(Array.from({ length: 10 }, () => driver.rail.authorize(request)));
      expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['approved']));
      expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
    });

    test('repeating a declined call with its key never charges', async () => {
      const driver = world();
      const request = await payment(driver, 'declined');
      const first = await driver.rail.authorize(request);
      expect(await driver.rail.authorize(request)).toEqual(first);
      expect(await driver.charges(request.reference)).toEqual([]);
    });

    test.each(['another amount', 'another card'])(
      'reusing a key for %s answers used_before, and the first charge is found',
      async (what) => {
        const driver = world();
        const request = await payment(driver, 'approved');
        const first = await driver.rail.authorize(request);
        const other =
          what === 'another card' ? { methodToken: await driver.token('approved') } : { amountCents: 5_000 };
        expect(await driver.rail.authorize({ ...request, ...other })).toEqual(USED_BEFORE);
        const { railCustomer } = question(request);
        const lost = { ...question(request), railReference: null };
        expect(await driver.rail.lookup({ ...lost, railCustomer })).toEqual(first);
        expect(await driver.rail.lookup({ ...lost, railCustomer: null, begunAt: null })).toEqual(first);
        expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
      },
    );

    test('reusing a key for another mandate answers used_before, and the first charge is found', async () => {
      const driver = world();
      const charge = storedCharge(driver.account, await storedMandate(driver, 'approved'));
      const first = await driver.rail.chargeStored(charge);
      const mandate = await storedMandate(driver, 'approved');
      expect(await driver.rail.chargeStored({ ...charge, mandate })).toEqual(USED_BEFORE);
      const nothingKept = { railReference: null, railCustomer: null, begunAt: null };
      expect(await driver.rail.lookup({ ...question(charge), ...nothingKept })).toEqual(first);
      expect(await driver.charges(charge.reference)).toEqual([AMOUNT_CENTS]);
    });

    test('an attempt is not found before it is sent', async () => {
      const driver = world();
      const request = await payment(driver, 'approved');
      expect(await driver.rail.lookup({ ...question(request), begunAt: null })).toEqual({ kind: 'notFound' });
    });

    test('a stored charge sent ten times concurrently and once more afterwards makes one charge', async () => {
      const driver = world();
      const charge = storedCharge(driver.account, await storedMandate(driver, 'approved'));
      const answers = await Promise.all(Array.from({ length: 10 }, () => driver.rail.chargeStored(charge)));
      answers.push(await driver.rail.chargeStored(charge));
      expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['approved']));
      expect(await driver.charges(charge.reference)).toEqual([AMOUNT_CENTS]);
    });
  });

  describe('a lost answer', () => {
    test('after the charge: unknown, then found by look-up', async () => {
      const driver = world();
      const request = await payment(driver, 'approved');
      await driver.fault('authorize', 'dropAfter');
      expect(await driver.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'connection_lost' });
      expect(await driver.rail.lookup(question(request))).toMatchObject({ kind: 'approved' });
      expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
    });

    testIfIdempotent('after the charge: a retry with the same key returns it', async () => {
      const driver = world();
      const request = await payment(driver, 'approved');
      await driver.fault('authorize', 'dropAfter');
      await driver.rail.authorize(request);
      expect(await driver.rail.authorize(request)).toMatchObject({ kind: 'approved' });
      expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
    });

    testIfIdempotent(
      'before the charge: unknown and not found; a retry with the same key charges once',
      async () => {
        const driver = world();
        const request = await payment(driver, 'approved');
        await driver.fault('authorize', 'dropBefore');
        expect(await driver.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'connection_lost' });
        expect(await driver.rail.lookup(question(request))).toEqual({ kind: 'notFound' });
        expect(await driver.rail.authorize(request)).toMatchObject({ kind: 'approved' });
        expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
      },
    );

    test('of a stored charge: unknown, then found by look-up', async () => {
      const driver = world();
      const charge = storedCharge(driver.account, await storedMandate(driver, 'approved'));
      await driver.fault('chargeStored', 'dropAfter');
      expect(await driver.rail.chargeStored(charge)).toEqual({ kind: 'unknown', reason: 'connection_lost' });
      expect(await driver.rail.lookup(question(charge))).toMatchObject({ kind: 'approved' });
      expect(await driver.charges(charge.reference)).toEqual([AMOUNT_CENTS]);
    });
  });

  describe('look-ups', () => {
    test('never move money', async () => {
      const driver = world();
      const request = await payment(driver, 'challenge');
      await driver.rail.authorize(request);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => driver.rail.lookup(question(request))),
      );
      expect(answers.map(({ kind }) => kind)).toEqual(Array(5).fill('challenge'));
      expect(await driver.charges(request.reference)).toEqual([]);
    });
  });
}
