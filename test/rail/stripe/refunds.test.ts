import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { approvedPayment, refundOf } from '../contract/calls.ts';
import { failRefund } from './double/refunds.ts';
import { type StripeWorld, sign, startStripeDriver } from './driver.ts';

let world: StripeWorld;
beforeAll(async () => {
  world = await startStripeDriver();
}, 300_000);
afterAll(() => world?.close());

describe('a refund', () => {
  test('that fails days later is reported by webhook and look-up', async () => {
    const { request, railReference } = await approvedPayment(world);
    const refund = refundOf(request, railReference);
    expect(await world.rail.refund(refund)).toMatchObject({ kind: 'succeeded' });
    failRefund(world.theirs, refund.reference, 'expired_or_canceled_card');
    const rawBody = world.theirs.events.at(-1)?.rawBody ?? Buffer.alloc(0);
    const headers = sign(world.account, rawBody, Math.floor(Date.now() / 1_000));
    expect(world.rail.parseWebhook(world.account, rawBody, headers)).toMatchObject({
      reference: refund.reference,
      hint: 'refund_failed',
    });
    expect(await world.rail.lookupRefund(refund)).toEqual({
      kind: 'failed',
      code: 'expired_or_canceled_card',
      railReference: expect.any(String),
    });
  });

  test('is found beyond the first page', async () => {
    const { request, railReference } = await approvedPayment(world);
    const refunds = Array.from({ length: 13 }, () => refundOf(request, railReference, { amountCents: 1 }));
    for (const refund of refunds) await world.rail.refund(refund);
    const [first] = refunds;
    if (!first) throw new Error('no refund');
    expect(await world.rail.lookupRefund(first)).toMatchObject({ kind: 'succeeded' });
  });

  test('of a fully refunded payment fails with its code', async () => {
    const { request, railReference } = await approvedPayment(world);
    await world.rail.refund(refundOf(request, railReference));
    expect(await world.rail.refund(refundOf(request, railReference))).toEqual({
      kind: 'failed',
      code: 'charge_already_refunded',
    });
  });

  test('of a trial fails before any call', async () => {
    const { request } = await approvedPayment(world);
    const before = world.proxy.seen.length;
    expect(await world.rail.refund(refundOf(request, 'seti_1'))).toEqual({
      kind: 'failed',
      code: 'nothing_charged',
    });
    expect(world.proxy.seen.length).toBe(before);
  });
});
