import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type AtBoundary,
  atBoundary,
  canTransitionSubscription,
  isBilled,
  isFinishedSubscription,
  SUBSCRIPTION_STATUSES,
} from '../../../domain/subscription/subscription.ts';
import { chargeAgainInSeconds, nextChargeStates } from '../../../domain/subscription/subscription-charge.ts';

describe('the states of a subscription', () => {
  test('are final once it has ended', () => {
    const finished = SUBSCRIPTION_STATUSES.filter(isFinishedSubscription);
    expect(finished).toEqual(['cancelled', 'expired']);
    for (const from of finished) {
      expect(SUBSCRIPTION_STATUSES.filter((to) => canTransitionSubscription(from, to))).toEqual([]);
    }
  });

  test('lead from the first attempt to a trial or billing, into and out of dunning and pauses, and to the end', () => {
    const moves = SUBSCRIPTION_STATUSES.flatMap((from) =>
      SUBSCRIPTION_STATUSES.filter((to) => canTransitionSubscription(from, to)).map((to) => `${from} ${to}`),
    );
    expect(moves).toEqual([
      'incomplete trialing',
      'incomplete active',
      'incomplete expired',
      'trialing active',
      'trialing cancelled',
      'active past_due',
      'active cancelled',
      'active paused',
      'past_due active',
      'past_due cancelled',
      'paused active',
      'paused cancelled',
    ]);
  });

  test('count as billed while trialing, active, past due or paused', () => {
    expect(SUBSCRIPTION_STATUSES.filter(isBilled)).toEqual(['trialing', 'active', 'past_due', 'paused']);
  });
});

describe('the end of a period', () => {
  const january: AtBoundary = {
    status: 'active',
    cancelAtPeriodEnd: false,
    pauseAtPeriodEnd: false,
    isLastPeriod: false,
    currentPeriodEnd: '2027-02-28T10:00:00.000Z',
    billingAnchor: '2027-01-31T10:00:00.000Z',
    interval: 'month',
    intervalCount: 1,
    earlierUnpaid: false,
  };

  test('begins the next period, counted from the anchor, and charges it', () => {
    expect(atBoundary(january)).toEqual({
      kind: 'renew',
      status: 'active',
      period: { start: '2027-02-28T10:00:00.000Z', end: '2027-03-31T10:00:00.000Z' },
      billingAnchor: january.billingAnchor,
      chargeNow: true,
    });
  });

  test('turns a trial into an active subscription', () => {
    expect(atBoundary({ ...january, status: 'trialing' })).toMatchObject({
      status: 'active',
      chargeNow: true,
    });
  });

  test('ends a subscription set to end with its period', () => {
    expect(atBoundary({ ...january, cancelAtPeriodEnd: true })).toEqual({ kind: 'end' });
  });

  test('begins a pause, unless the subscription ends', () => {
    expect(atBoundary({ ...january, pauseAtPeriodEnd: true })).toEqual({ kind: 'pause' });
    const both = { ...january, pauseAtPeriodEnd: true, cancelAtPeriodEnd: true };
    expect(atBoundary(both)).toEqual({ kind: 'end' });
  });

  test('of a pause begins and charges a period', () => {
    expect(atBoundary({ ...january, status: 'paused' })).toMatchObject({ status: 'active', chargeNow: true });
  });

  test('issues an invoice without charging while an earlier period is unpaid', () => {
    expect(atBoundary({ ...january, status: 'past_due' })).toMatchObject({
      status: 'past_due',
      chargeNow: false,
    });
    expect(atBoundary({ ...january, earlierUnpaid: true })).toMatchObject({
      status: 'active',
      chargeNow: false,
    });
  });
});

describe('an answer about an off-session charge', () => {
  test('counts as payment only if approved, and starts dunning only if declined', () => {
    expect(nextChargeStates({ kind: 'approved' })).toEqual({ payment: 'succeeded', invoice: 'paid' });
    expect(nextChargeStates({ kind: 'declined', code: 'card_declined', retryable: true })).toEqual({
      payment: 'failed',
      invoice: 'declined',
    });
  });

  test('leads to another charge without dunning if the attempt ended without an answer from the bank', () => {
    expect(nextChargeStates({ kind: 'cancelled' })).toEqual({ payment: 'cancelled', invoice: 'notCharged' });
  });

  test.each([
    { kind: 'challenge' },
    { kind: 'pending' },
    { kind: 'notFound' },
    { kind: 'unknown', reason: 'timeout' },
  ] as const)('is unknown when the rail reports %p', (outcome) => {
    expect(nextChargeStates(outcome)).toEqual({ payment: 'processing', invoice: 'unknown' });
  });

  test('postpones each further charge by a longer delay, of at most a day', () => {
    expect([1, 2, 6, 7].map(chargeAgainInSeconds)).toEqual([60, 300, 86_400, 86_400]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (attempts) => {
        const wait = chargeAgainInSeconds(attempts);
        expect(wait).toBeGreaterThanOrEqual(60);
        expect(wait).toBeLessThanOrEqual(86_400);
        expect(chargeAgainInSeconds(attempts + 1)).toBeGreaterThanOrEqual(wait);
      }),
    );
  });
});
