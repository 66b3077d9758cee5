import { describe, expect, test } from '@jest/globals';
import { AMOUNT_CENTS, approvedPayment, deadline, payment, refundOf } from './calls.ts';
import type { World } from './driver.ts';

export function refunds(world: World): void {
  describe('refunds', () => {
    test('can return the whole amount and are found by look-up', async () => {
      const driver = world();
      const { request, railReference } = await approvedPayment(driver);
      const refund = refundOf(request, railReference);
      const outcome = await driver.rail.refund(refund);
      const moved = { amountCents: AMOUNT_CENTS, currency: 'EUR' };
      expect(outcome).toMatchObject({ kind: 'succeeded', railReference: expect.any(String), moved });
      expect(await driver.rail.lookupRefund(refund)).toEqual(outcome);
      expect(await driver.refunds([refund.reference])).toEqual([AMOUNT_CENTS]);
    });

    test('in sequential parts never exceed the payment', async () => {
      const driver = world();
      const { request, railReference } = await approvedPayment(driver);
      const parts = [1_000, 800, 101, 100].map((amountCents) =>
        refundOf(request, railReference, { amountCents }),
      );
      const kinds: string[] = [];
      for (const part of parts) kinds.push((await driver.rail.refund(part)).kind);
      expect(kinds).toEqual(['succeeded', 'succeeded', 'failed', 'succeeded']);
      expect(await driver.refunds(parts.map(({ reference }) => reference))).toEqual([1_000, 800, 100]);
    });

    test('made concurrently never exceed the payment', async () => {
      const driver = world();
      const { request, railReference } = await approvedPayment(driver);
      const halves = Array.from({ length: 5 }, () => refundOf(request, railReference, { amountCents: 950 }));
      await Promise.all(halves.map((half) => driver.rail.refund(half)));
      expect(await driver.refunds(halves.map(({ reference }) => reference))).toEqual([950, 950]);
    });

    test('with the same key make one refund', async () => {
      const driver = world();
      const { request, railReference } = await approvedPayment(driver);
      const refund = refundOf(request, railReference, { amountCents: 500 });
      const first = await driver.rail.refund(refund);
      expect(await driver.rail.refund(refund)).toEqual(first);
      expect(await driver.refunds([refund.reference])).toEqual([500]);
    });

    test('made since an instant are listed with their payments', async () => {
      const driver = world();
      const { request, railReference } = await approvedPayment(driver);
      const since = new Date(Date.now() - 60_000).toISOString();
      const parts = Array.from({ length: 12 }, () => refundOf(request, railReference, { amountCents: 100 }));
      for (const part of parts) await driver.rail.refund(part);
      const listed = await driver.rail.listRefundsSince(driver.account, since, request.signal);
      const values = { outcome: 'succeeded', amountCents: 100, currency: 'EUR', at: expect.any(String) };
      for (const { reference } of parts) {
        expect(listed).toContainEqual({ reference, payment: expect.any(String), ...values });
      }
      const [first] = listed.filter(({ reference }) => reference === parts[0]?.reference);
      expect([request.reference, railReference]).toContain(first?.payment);
      const later = new Date(Date.now() + 60_000).toISOString();
      expect(await driver.rail.listRefundsSince(driver.account, later, request.signal)).toEqual([]);
    });

    test('whose answer is lost have an unknown outcome until a look-up finds them', async () => {
      const driver = world();
      const { request, railReference } = await approvedPayment(driver);
      const refund = refundOf(request, railReference);
      await driver.fault('refund', 'dropAfter');
      expect(await driver.rail.refund(refund)).toEqual({ kind: 'unknown', reason: 'connection_lost' });
      expect(await driver.rail.lookupRefund(refund)).toMatchObject({ kind: 'succeeded' });
    });

    test('of a declined payment fail', async () => {
      const driver = world();
      const request = await payment(driver, 'declined');
      const outcome = await driver.rail.authorize(request);
      const railReference = outcome.kind === 'declined' ? (outcome.railReference ?? '') : '';
      expect(await driver.rail.refund(refundOf(request, railReference))).toMatchObject({ kind: 'failed' });
    });

    test('count towards their payment’s total', async () => {
      const driver = world();
      const { request, railReference } = await approvedPayment(driver);
      const { account, reference } = request;
      const total = () =>
        driver.rail.refundedTotal({ account, reference, railReference, signal: deadline() });
      expect(await total()).toEqual({ kind: 'total', refundedCents: 0, pendingCents: 0 });
      for (const amountCents of [900, 500, 501])
        await driver.rail.refund(refundOf(request, railReference, { amountCents }));
      expect(await total()).toEqual({ kind: 'total', refundedCents: 1_400, pendingCents: 0 });
    });

    test('unknown to the rail are not found', async () => {
      const driver = world();
      const { request, railReference } = await approvedPayment(driver);
      const outcome = await driver.rail.lookupRefund(refundOf(request, railReference));
      expect(outcome).toEqual({ kind: 'notFound' });
    });
  });
}
