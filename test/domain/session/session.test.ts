import { describe, expect, test } from '@jest/globals';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import {
  type Circumstances,
  canTransition,
  isFinal,
  nextStates,
  SESSION_STATES,
  type SessionState,
} from '../../../domain/session/session.ts';

/** Expected transitions. */
const ALLOWED: Readonly<Record<SessionState, readonly SessionState[]>> = {
  created: ['processing', 'failed'],
  processing: ['succeeded', 'requires_action', 'created', 'failed', 'reconciliation_required'],
  requires_action: ['processing', 'succeeded', 'created', 'failed', 'reconciliation_required'],
  reconciliation_required: ['succeeded', 'failed', 'created'],
  succeeded: [],
  failed: [],
};
const PAIRS = SESSION_STATES.flatMap((from) => SESSION_STATES.map((to) => [from, to] as const));

const OUTCOMES: readonly AttemptOutcome[] = [
  { kind: 'approved' },
  { kind: 'declined', code: 'insufficient_funds', retryable: true },
  { kind: 'declined', code: 'lost_or_stolen_card', retryable: false },
  { kind: 'challenge' },
  { kind: 'pending' },
  { kind: 'cancelled' },
  { kind: 'notFound' },
  { kind: 'unknown', reason: 'timeout' },
];
const BOOLEANS = [false, true];
const CIRCUMSTANCES: readonly Circumstances[] = [1, 4, 5].flatMap((attemptsUsed) =>
  BOOLEANS.flatMap((expired) =>
    BOOLEANS.flatMap((cancelRequested) =>
      BOOLEANS.map((lookupTimeUp) => ({
        attemptsUsed,
        maxAttempts: 5,
        expired,
        cancelRequested,
        lookupTimeUp,
        settlesInDays: false,
        reconciling: false,
      })),
    ),
  ),
);
const CALM: Circumstances = {
  settlesInDays: false,
  reconciling: false,
  attemptsUsed: 1,
  maxAttempts: 5,
  expired: false,
  cancelRequested: false,
  lookupTimeUp: false,
};
const PENDING = { kind: 'pending' } as const;
const ENDED = OUTCOMES.filter(({ kind }) => kind === 'declined' || kind === 'cancelled');
const NO_ANSWER = OUTCOMES.filter(({ kind }) => ['pending', 'notFound', 'unknown'].includes(kind));

describe('a method that takes days to settle', () => {
  const slow = { ...CALM, settlesInDays: true };

  test('keeps the order pending: neither look-ups nor expiry end the attempt or require an operator', () => {
    for (const circumstances of CIRCUMSTANCES) {
      expect(nextStates(PENDING, { ...circumstances, settlesInDays: true })).toEqual({
        payment: 'processing',
        session: 'processing',
        failureReason: null,
      });
    }
  });

  test('ends the session according to its outcome, even after expiry', () => {
    const late = { ...slow, expired: true };
    expect(nextStates({ kind: 'approved' }, late).session).toBe('succeeded');
    const declined = { kind: 'declined', code: 'insufficient_funds', retryable: true } as const;
    expect(nextStates(declined, late)).toMatchObject({ session: 'failed', failureReason: 'expired' });
  });

  test('is in doubt if the call is unanswered, like any other method, until its outcome is known', () => {
    const unknown = { kind: 'unknown', reason: 'timeout' } as const;
    expect(nextStates(unknown, { ...slow, lookupTimeUp: true }).session).toBe('reconciliation_required');
    expect(nextStates(PENDING, { ...slow, reconciling: true, lookupTimeUp: true }).session).toBe(
      'reconciliation_required',
    );
  });
});

describe('a checkout session', () => {
  test.each(PAIRS)('moves from %s to %s only where the contract allows it', (from, to) => {
    expect(canTransition(from, to)).toBe(ALLOWED[from].includes(to));
  });

  test('ends only in succeeded or failed', () => {
    expect(SESSION_STATES.filter(isFinal).sort()).toEqual(['failed', 'succeeded']);
    for (const from of SESSION_STATES) {
      expect(SESSION_STATES.some((to) => canTransition(from, to))).toBe(!isFinal(from));
    }
  });
});

describe('judging the rail’s answer', () => {
  test('treats an approved charge as a success even if the session has expired or was cancelled', () => {
    for (const circumstances of CIRCUMSTANCES) {
      expect(nextStates({ kind: 'approved' }, circumstances)).toEqual({
        payment: 'succeeded',
        session: 'succeeded',
        failureReason: null,
      });
    }
  });

  test('keeps the session payable after a decline or a cancel while attempts and time are left', () => {
    for (const outcome of ENDED) {
      expect(nextStates(outcome, CALM)).toMatchObject({ session: 'created', failureReason: null });
      expect(nextStates(outcome, { ...CALM, attemptsUsed: 4 })).toMatchObject({ session: 'created' });
    }
  });

  test('marks a declined payment as failed, and a cancelled payment as cancelled', () => {
    for (const circumstances of CIRCUMSTANCES) {
      for (const outcome of ENDED) {
        expect(nextStates(outcome, circumstances).payment).toBe(
          outcome.kind === 'declined' ? 'failed' : 'cancelled',
        );
      }
    }
  });

  test('names the buyer’s cancel over expiry, and expiry over used-up attempts, as the reason for the session’s end', () => {
    for (const outcome of ENDED) {
      const reason = (change: Partial<Circumstances>) =>
        nextStates(outcome, { ...CALM, ...change }).failureReason;
      expect(reason({ attemptsUsed: 5 })).toBe('attempts_exhausted');
      expect(reason({ attemptsUsed: 5, expired: true })).toBe('expired');
      expect(reason({ attemptsUsed: 5, expired: true, cancelRequested: true })).toBe('cancelled');
    }
  });

  test('never ends the session or allows a second attempt on an unknown outcome', () => {
    for (const circumstances of CIRCUMSTANCES) {
      for (const outcome of NO_ANSWER) {
        expect(nextStates(outcome, circumstances)).toEqual({
          payment: 'processing',
          session: circumstances.lookupTimeUp ? 'reconciliation_required' : 'processing',
          failureReason: null,
        });
      }
    }
  });

  test('waits for the buyer on a challenge, and is unknown once the time limit has passed', () => {
    for (const circumstances of CIRCUMSTANCES) {
      const { payment, session } = nextStates({ kind: 'challenge' }, circumstances);
      expect([payment, session]).toEqual(
        circumstances.lookupTimeUp
          ? ['processing', 'reconciliation_required']
          : ['requires_action', 'requires_action'],
      );
    }
  });

  test('makes a session payable again only if the rail itself answers declined or cancelled', () => {
    for (const circumstances of CIRCUMSTANCES) {
      for (const outcome of OUTCOMES) {
        if (nextStates(outcome, circumstances).session !== 'created') continue;
        expect(['declined', 'cancelled']).toContain(outcome.kind);
      }
    }
  });

  test('gives a failure reason if and only if the session failed', () => {
    for (const circumstances of CIRCUMSTANCES) {
      for (const outcome of OUTCOMES) {
        const { session, failureReason } = nextStates(outcome, circumstances);
        expect(failureReason !== null).toBe(session === 'failed');
      }
    }
  });
});
