/**
 * Objects that other software created in the same Stripe account, in a state that this adapter does not know:
 * look-ups and lists skip them and report their ids. If one of our objects is in such a state, its outcome is
 * unknown.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Rail } from '../../../rail/rail.ts';
import { createStripeRail } from '../../../rail/stripe/index.ts';
import { AMOUNT_CENTS, approvedPayment, deadline, payment, question, refundOf } from '../contract/calls.ts';
import { newId, unixNow } from './double/state.ts';
import { type StripeWorld, startStripeDriver } from './driver.ts';

let world: StripeWorld;
let rail: Rail;
const skipped: { readonly id: string; readonly why: string }[] = [];
beforeAll(async () => {
  world = await startStripeDriver();
  world.theirs.settings.isAhead = true;
  rail = createStripeRail({
    apiUrl: world.proxy.url,
    fieldsUrl: 'https://fields.example',
    onSkipped: (one) => skipped.push(one),
  });
}, 300_000);
afterAll(() => world?.close());
beforeEach(() => {
  skipped.length = 0;
  for (const kept of [world.theirs.intents, world.theirs.customers]) kept.clear();
  world.theirs.refunds.length = 0;
});

const STRANGE = { why: expect.stringContaining('status') };

function strangeIntent(metadata: Record<string, string>, customer: string | null = null): string {
  const id = newId('pi');
  world.theirs.intents.set(id, {
    id,
    kind: 'payment',
    amount: AMOUNT_CENTS,
    currency: 'eur',
    created: unixNow(),
    metadata,
    customer,
    futureUsage: null,
    method: null,
    status: 'requires_review',
    returnUrl: null,
    failure: null,
  });
  return id;
}

function strangeRefund(intent: string, metadata: Record<string, string>): string {
  const id = newId('re');
  const values = { id, intent, amount: 100, created: unixNow(), metadata, failureReason: null };
  world.theirs.refunds.push({ ...values, status: 'in_review' });
  return id;
}

const ofOurs = (reference: string) => ({ reference, rail_account: world.account.id });
const aMinuteAgo = () => new Date(Date.now() - 60_000).toISOString();

describe('a look-up', () => {
  test.each([
    ['of other software', { order: '17' }],
    ['of another attempt', { reference: 'ap_pay_another', rail_account: 'ap_rac_acct_main' }],
  ])('skips an intent %s', async (_, metadata) => {
    const request = await payment(world, 'approved');
    const outcome = await rail.authorize(request);
    const id = strangeIntent(metadata);
    const asked = { ...question(request), railReference: null, railCustomer: null };
    expect(await rail.lookup(asked)).toEqual(outcome);
    expect(skipped).toContainEqual({ id, ...STRANGE });
  });

  test.each([
    ['in the lists', aMinuteAgo()],
    ['by the search', null],
  ])('does not skip its own intent, found %s', async (_, begunAt) => {
    const request = await payment(world, 'approved');
    const id = strangeIntent(ofOurs(request.reference));
    const asked = { ...question(request), railReference: null, railCustomer: null, begunAt };
    const detail = expect.stringMatching(new RegExp(`^${id} .*status`));
    expect(await rail.lookup(asked)).toEqual({ kind: 'unknown', reason: 'malformed_answer', detail });
    expect(skipped).toEqual([]);
  });

  test('of a refund skips refunds made by other software, but not its own', async () => {
    const { request, railReference } = await approvedPayment(world);
    const refund = refundOf(request, railReference, { amountCents: 700 });
    await rail.refund(refund);
    const id = strangeRefund(railReference, {});
    expect(await rail.lookupRefund(refund)).toMatchObject({ kind: 'succeeded' });
    expect(skipped).toContainEqual({ id, ...STRANGE });
    const other = refundOf(request, railReference, { amountCents: 100 });
    strangeRefund(railReference, ofOurs(other.reference));
    expect(await rail.lookupRefund(other)).toMatchObject({ kind: 'unknown', reason: 'malformed_answer' });
  });

  test('of the refunded total includes refunds by others, or is unknown', async () => {
    const { request, railReference } = await approvedPayment(world);
    strangeRefund(railReference, {});
    const asked = { ...question(request), railReference, signal: deadline() };
    expect(await rail.refundedTotal(asked)).toMatchObject({ kind: 'unknown', reason: 'malformed_answer' });
  });
});

describe('the list', () => {
  test('of charges skips objects created by other software', async () => {
    const request = await payment(world, 'approved');
    await rail.authorize(request);
    const id = strangeIntent({ order: '17' });
    const listed = await rail.listSince(world.account, aMinuteAgo(), deadline());
    expect(listed.map(({ reference }) => reference)).toEqual([request.reference]);
    expect(skipped).toEqual([{ id, ...STRANGE }]);
  });

  test('of charges fails, naming the id, if one of our charges cannot be parsed', async () => {
    const id = strangeIntent(ofOurs('ap_pay_1'));
    await expect(rail.listSince(world.account, aMinuteAgo(), deadline())).rejects.toThrow(id);
  });

  test('of disputes skips a dispute whose payment cannot be read, and contains the others', async () => {
    const { disputes } = world.theirs;
    const { railReference } = await approvedPayment(world);
    const dispute = {
      id: newId('du'),
      intent: railReference,
      amount: 100,
      created: unixNow(),
      caseType: 'chargeback',
      status: 'lost',
    };
    const unread = { ...dispute, id: newId('du'), intent: 17 as unknown as string };
    disputes.push(unread, dispute);
    const listed = await rail.listDisputesSince(world.account, aMinuteAgo(), deadline());
    disputes.length = 0;
    expect(listed).toEqual([{ railDisputeId: dispute.id, reference: null, railReference }]);
    expect(skipped).toEqual([{ id: unread.id, why: expect.stringContaining('payment_intent') }]);
  });

  test('of refunds skips those of other software, and fails if one of ours cannot be parsed', async () => {
    const { request, railReference } = await approvedPayment(world);
    const refund = refundOf(request, railReference);
    await rail.refund(refund);
    const id = strangeRefund(railReference, {});
    const listed = () => rail.listRefundsSince(world.account, aMinuteAgo(), deadline());
    expect((await listed()).map(({ reference }) => reference)).toEqual([refund.reference]);
    expect(skipped).toEqual([{ id, ...STRANGE }]);
    await expect(
      Promise.resolve(strangeRefund(railReference, ofOurs('ap_ref_1'))).then(listed),
    ).rejects.toThrow('malformed_answer');
  });
});
