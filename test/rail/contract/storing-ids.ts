/** Any one of the ids that the service stores for an attempt is enough to find it. */
import { describe, expect, test } from '@jest/globals';
import type { RailId } from '../../../rail/requests.ts';
import { AMOUNT_CENTS, payment, question, storedCharge, storedMandate } from './calls.ts';
import type { World } from './driver.ts';

export function storingIds(world: World): void {
  describe('the stored ids of an attempt', () => {
    test('are stored before money moves and match the answer', async () => {
      const driver = world();
      const kept: RailId[] = [];
      const chargedBefore: number[] = [];
      const request = await payment(driver, 'approved', {
        storeId: async (id) => {
          kept.push(id);
          chargedBefore.push(...(await driver.charges(request.reference)));
        },
      });
      const outcome = await driver.rail.authorize(request);
      if (outcome.kind !== 'approved') throw new Error(`expected approved, got ${outcome.kind}`);
      expect(chargedBefore).toEqual([]);
      const references = kept.flatMap((id) => ('railReference' in id ? [id.railReference] : []));
      expect([[], [outcome.railReference]]).toContainEqual(references);
      expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
    });

    test.each(['approved', 'declined', 'challenge'] as const)(
      'find the attempt even if some of them were lost (%s)',
      async (behaviour) => {
        const driver = world();
        const request = await payment(driver, behaviour);
        const outcome = await driver.rail.authorize(request);
        const all = question(request);
        for (const lost of [
          { railReference: null },
          { railCustomer: null },
          { railReference: null, railCustomer: null },
        ]) {
          expect(await driver.rail.lookup({ ...all, ...lost })).toEqual(outcome);
        }
      },
    );

    test('find a stored charge among the other charges under its mandate', async () => {
      const driver = world();
      const mandate = await storedMandate(driver, 'approved');
      const charges = [700, 800, 900].map((amountCents) =>
        storedCharge(driver.account, mandate, { amountCents }),
      );
      for (const charge of charges) {
        const outcome = await driver.rail.chargeStored(charge);
        const lost = { ...question(charge), railReference: null };
        expect(await driver.rail.lookup(lost)).toEqual(outcome);
      }
    });
  });
}
