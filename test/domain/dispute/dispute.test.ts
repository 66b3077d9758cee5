import { expect, test } from '@jest/globals';
import { alertOfDispute, DISPUTE_STATUSES } from '../../../domain/dispute/dispute.ts';

test.each([
  [null, 'open', 'dispute_opened'],
  [null, 'lost', 'dispute_lost'],
  [null, 'won', null],
  ['open', 'lost', 'dispute_lost'],
  ['open', 'won', null],
  ['won', 'open', 'dispute_opened'],
  ['won', 'lost', 'dispute_lost'],
  ['lost', 'open', 'dispute_opened'],
  ['lost', 'won', null],
] as const)('a dispute that changes from %s to %s raises alert %s', (before, now, alert) => {
  expect(alertOfDispute(before, now)).toBe(alert);
});

test.each(DISPUTE_STATUSES)('a dispute that stays %s raises no further alert', (status) => {
  expect(alertOfDispute(status, status)).toBeNull();
});
