import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { RailTrust } from '../../../rail/rail.ts';
import {
  AMOUNT_CENTS,
  approvedPayment,
  cancellation,
  deadline,
  leaveOut,
  newReference,
  payment,
  question,
} from './calls.ts';
import type { World } from './driver.ts';

const RACES = 12;

export function cancel(world: World, trust: RailTrust): void {
  const testIfCancelHolds = trust.cancelHolds ? test : leaveOut;

  describe('cancel', () => {
    test('ends a challenge, so that passing it afterwards charges nothing', async () => {
      const driver = world();
      const request = await payment(driver, 'challenge');
      const outcome = await driver.rail.authorize(request);
      if (outcome.kind !== 'challenge') throw new Error(`expected a challenge, got ${outcome.kind}`);
      expect(await driver.rail.cancel(cancellation(request))).toMatchObject({ kind: 'cancelled' });
      await driver.completeChallenge(outcome.url, 'approve');
      expect(await driver.rail.lookup(question(request))).toMatchObject({ kind: 'cancelled' });
      expect(await driver.charges(request.reference)).toEqual([]);
    });

    test('of an approved payment answers approved and refunds nothing', async () => {
      const driver = world();
      const { request } = await approvedPayment(driver);
      expect(await driver.rail.cancel(cancellation(request))).toMatchObject({ kind: 'approved' });
      expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
    });

    test('of a declined payment answers declined', async () => {
      const driver = world();
      const request = await payment(driver, 'declined');
      await driver.rail.authorize(request);
      expect(await driver.rail.cancel(cancellation(request))).toMatchObject({ kind: 'declined' });
    });

    testIfCancelHolds('of an unknown reference holds against a late authorize', async () => {
      const driver = world();
      const reference = newReference();
      const { account } = driver;
      expect(await driver.rail.cancel(cancellation({ account, reference }))).toMatchObject({
        kind: 'cancelled',
      });
      const late = await payment(driver, 'approved', { reference });
      expect(await driver.rail.authorize(late)).toMatchObject({ kind: 'cancelled' });
      expect(await driver.charges(reference)).toEqual([]);
    });

    testIfCancelHolds('holds against a call in flight that timed out', async () => {
      const driver = world();
      const request = await payment(driver, 'approved');
      await driver.fault('authorize', 'slow', { delayMs: 3_000 });
      const given = await driver.rail.authorize({ ...request, signal: deadline(1_500) });
      expect(given).toEqual({ kind: 'unknown', reason: 'timeout' });
      expect(await driver.rail.cancel(cancellation(request))).toMatchObject({ kind: 'cancelled' });
      await sleep(3_200);
      expect(await driver.rail.lookup(question(request))).toMatchObject({ kind: 'cancelled' });
      expect(await driver.charges(request.reference)).toEqual([]);
    });

    test('that races an approval has one outcome, which the processor’s books confirm', async () => {
      const driver = world();
      const race = async () => {
        const request = await payment(driver, 'challenge');
        const outcome = await driver.rail.authorize(request);
        if (outcome.kind !== 'challenge') throw new Error(`expected a challenge, got ${outcome.kind}`);
        const [cancelled] = await Promise.all([
          driver.rail.cancel(cancellation(request)),
          driver.completeChallenge(outcome.url, 'approve'),
        ]);
        const found = await driver.rail.lookup(question(request));
        return {
          answer: cancelled.kind,
          found: found.kind,
          charges: await driver.charges(request.reference),
        };
      };
      for (const { answer, found, charges } of await Promise.all(Array.from({ length: RACES }, race))) {
        expect(found).toBe(answer);
        expect(charges).toEqual(answer === 'approved' ? [AMOUNT_CENTS] : []);
        expect(['approved', 'cancelled']).toContain(answer);
      }
    });
  });
}
