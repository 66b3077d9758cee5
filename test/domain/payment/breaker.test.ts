import { describe, expect, test } from '@jest/globals';
import { isFailing, isRailFailure, waitBeforeProbe } from '../../../domain/payment/breaker.ts';

const recent = (
  attempts: number,
  failures: number,
  accounts = 1,
  failingAccounts = 1,
  answersOthers = false,
) => ({ attempts, failures, accounts, failingAccounts, answersOthers });

describe('an account counts as failing', () => {
  test.each([
    ['after five failures in five attempts', recent(5, 5), true],
    ['but not after four in four', recent(4, 4), false],
    ['after ten in twenty', recent(20, 10), true],
    ['but not after nine in twenty', recent(20, 9), false],
  ])('%s', (_what, attempts, fails) => expect(isFailing(attempts, 'account')).toBe(fails));
});

describe('a whole rail counts as failing', () => {
  test.each([
    ['if most of its accounts fail', recent(20, 18, 10, 9), true],
    ['if three of five accounts and half of the attempts fail', recent(20, 10, 5, 3), true],
    ['but not if it has only two accounts', recent(20, 20, 2, 2), false],
    ['but not if less than half of the attempts fail', recent(20, 9, 5, 3), false],
    ['but not while it answers other accounts', recent(20, 18, 10, 9, true), false],
    ['but not if one account fails among healthy ones', recent(20, 15, 5, 1), false],
    ['but not if only half of its accounts fail', recent(20, 12, 4, 2), false],
    ['but not if it has a single account, which has its own breaker', recent(20, 20, 1, 1), false],
  ])('%s', (_what, attempts, fails) => expect(isFailing(attempts, 'rail')).toBe(fails));
});

test('a rejection of the account counts as an answer, a time-out does not', () => {
  expect(isRailFailure({ kind: 'unknown', reason: 'account_refused' })).toBe(false);
  expect(isRailFailure({ kind: 'declined', reason: 'timeout' })).toBe(false);
  expect(isRailFailure({ kind: 'unknown', reason: 'timeout' })).toBe(true);
});

test('the wait before the next probe doubles with each failed probe, up to five minutes', () => {
  expect([0, 1, 2, 3, 4, 100].map(waitBeforeProbe)).toEqual([30, 60, 120, 240, 300, 300]);
});
