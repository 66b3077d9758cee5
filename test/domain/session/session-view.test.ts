import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  canTransition,
  isFinal,
  isUnpaidAndExpired,
  lookupPlanOf,
  mustEnd,
  nextAction,
  nextStates,
  type OpenAttempt,
  SESSION_STATES,
  type SessionView,
} from '../../../domain/session/session.ts';

const TIMINGS = { reconcileSeconds: [2, 5, 15], reconcileLongSeconds: [300, 86_400] };
const MINUTE = 60_000;

const WAITING: SessionView = {
  checkoutId: 'ap_chk_1',
  state: 'created',
  version: 1,
  failureReason: null,
  attempts: 0,
  maxAttempts: 5,
  expiresAt: '2026-01-01T00:30:00.000Z',
  msToExpiry: 30 * MINUTE,
  cancelRequested: false,
  openAttempt: null,
};
const OPEN: OpenAttempt = {
  attemptId: 'ap_pay_1',
  status: 'processing',
  called: true,
  cancelRequested: false,
  msToChallengeEnd: null,
  settlesInDays: false,
};
const PROCESSING: SessionView = { ...WAITING, state: 'processing', attempts: 1, openAttempt: OPEN };
const CHALLENGED: SessionView = {
  ...PROCESSING,
  state: 'requires_action',
  openAttempt: { ...OPEN, status: 'requires_action', msToChallengeEnd: 10 * MINUTE },
};

const openSession: fc.Arbitrary<SessionView> = fc.record({
  checkoutId: fc.constant('ap_chk_1'),
  state: fc.constantFrom(...SESSION_STATES.filter((state) => !isFinal(state) && state !== 'created')),
  version: fc.constant(3),
  failureReason: fc.constant(null),
  attempts: fc.integer({ min: 1, max: 5 }),
  maxAttempts: fc.constant(5),
  expiresAt: fc.constant('2026-01-01T00:30:00.000Z'),
  msToExpiry: fc.integer({ min: -MINUTE, max: 30 * MINUTE }),
  cancelRequested: fc.boolean(),
  openAttempt: fc.record({
    attemptId: fc.constant('ap_pay_1'),
    status: fc.constantFrom('processing', 'requires_action'),
    called: fc.boolean(),
    cancelRequested: fc.boolean(),
    msToChallengeEnd: fc.option(fc.integer({ min: -MINUTE, max: 10 * MINUTE })),
    settlesInDays: fc.boolean(),
  }),
});
const lookups = fc.nat(20);

describe('the next action of a session without a command', () => {
  test('is the expiry while the session is unpaid', () => {
    expect(nextAction(WAITING, 0, TIMINGS)).toEqual({ action: 'expire', inMs: 30 * MINUTE });
  });

  test('is the next look-up on the schedule while the outcome is unknown', () => {
    const delays = [0, 1, 2, 3, 4, 5].map((done) =>
      nextAction({ ...PROCESSING, msToExpiry: 1e9 }, done, TIMINGS),
    );
    expect(delays.map(({ action }) => action)).toEqual(Array(6).fill('lookUp'));
    expect(delays.map(({ inMs }) => inMs / 1_000)).toEqual([2, 5, 15, 300, 86_400, 86_400]);
  });

  test('ends an open attempt at expiry, not at the first look-up after expiry', () => {
    const view = { ...PROCESSING, msToExpiry: 3_000 };
    expect(nextAction(view, 2, TIMINGS)).toEqual({ action: 'endAttempt', inMs: 3_000 });
  });

  test('ends a challenge at its own deadline, or at expiry if that is sooner', () => {
    expect(nextAction(CHALLENGED, 0, TIMINGS)).toEqual({ action: 'endAttempt', inMs: 10 * MINUTE });
    expect(nextAction({ ...CHALLENGED, msToExpiry: MINUTE }, 0, TIMINGS)).toEqual({
      action: 'endAttempt',
      inMs: MINUTE,
    });
  });

  test('retries ending an attempt on the look-up schedule', () => {
    for (const view of [
      { ...PROCESSING, msToExpiry: 0 },
      { ...PROCESSING, cancelRequested: true },
      { ...PROCESSING, openAttempt: { ...OPEN, msToChallengeEnd: 0 } },
    ]) {
      expect(mustEnd(view)).toBe(true);
      expect(nextAction(view, 3, TIMINGS)).toEqual({ action: 'endAttempt', inMs: 300_000 });
    }
    expect(mustEnd(PROCESSING)).toBe(false);
    expect(mustEnd(CHALLENGED)).toBe(false);
  });

  test('ends only the attempt that the buyer cancelled', () => {
    const givenUp = (cancelRequested: boolean) =>
      mustEnd({ ...PROCESSING, openAttempt: { ...OPEN, cancelRequested } });
    expect([true, false].map(givenUp)).toEqual([true, false]);
  });

  test('expires an unpaid session at its expiry, and then ends an open attempt', () => {
    const over = (view: SessionView) => [isUnpaidAndExpired(view), mustEnd(view)];
    expect([1, 0, -1].map((msToExpiry) => over({ ...WAITING, msToExpiry }))).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ]);
    expect(over({ ...PROCESSING, msToExpiry: -1 })).toEqual([false, true]);
  });

  test('always sleeps at least a second, so that clock skew cannot cause a busy loop', () => {
    fc.assert(
      fc.property(openSession, lookups, (view, done) => {
        expect(nextAction(view, done, TIMINGS).inMs).toBeGreaterThanOrEqual(1_000);
        expect(
          nextAction({ ...view, state: 'created', openAttempt: null }, done, TIMINGS).inMs,
        ).toBeGreaterThanOrEqual(1_000);
      }),
    );
  });

  test('never leaves an open attempt unattended past the expiry', () => {
    fc.assert(
      fc.property(openSession, lookups, (view, done) => {
        const { action, inMs } = nextAction(view, done, TIMINGS);
        expect(action).not.toBe('expire');
        if (view.msToExpiry > 1_000 && !view.openAttempt?.settlesInDays)
          expect(inMs).toBeLessThanOrEqual(Math.max(view.msToExpiry, 1_000));
      }),
    );
  });
});

const isTimeUp = (view: SessionView, lookups: number) =>
  lookupPlanOf(view, TIMINGS, { lookups, scheduledLookups: lookups }).lookupTimeUp;

describe('the time limit for an answer', () => {
  test('passes after the quick look-ups, or at expiry', () => {
    expect(isTimeUp(PROCESSING, 2)).toBe(false);
    expect(isTimeUp(PROCESSING, 3)).toBe(true);
    expect(isTimeUp({ ...PROCESSING, msToExpiry: 0 }, 0)).toBe(true);
  });

  test('does not end an attempt whose method takes days to settle, but looks it up', () => {
    const slow: SessionView = { ...PROCESSING, openAttempt: { ...OPEN, settlesInDays: true } };
    expect(nextAction({ ...slow, msToExpiry: MINUTE }, 20, TIMINGS)).toEqual({
      action: 'lookUp',
      inMs: 86_400_000,
    });
    expect(nextAction({ ...slow, msToExpiry: -MINUTE }, 20, TIMINGS).action).toBe('lookUp');
    expect(mustEnd({ ...slow, msToExpiry: -MINUTE })).toBe(false);
    expect(mustEnd({ ...slow, cancelRequested: true })).toBe(true);
  });

  test('never requests a transition that the state machine refuses, even in a new run without look-up history', () => {
    fc.assert(
      fc.property(
        openSession,
        lookups,
        fc.constantFrom('pending', 'notFound', 'challenge'),
        (view, done, kind) => {
          const to = nextStates(
            { kind },
            {
              attemptsUsed: view.attempts,
              maxAttempts: view.maxAttempts,
              expired: view.msToExpiry <= 0,
              cancelRequested: view.cancelRequested,
              lookupTimeUp: isTimeUp(view, done),
              settlesInDays: view.openAttempt?.settlesInDays ?? false,
              reconciling: view.state === 'reconciliation_required',
            },
          ).session;
          expect(to === view.state || canTransition(view.state, to)).toBe(true);
        },
      ),
    );
  });
});
