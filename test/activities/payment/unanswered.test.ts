import { expect, test } from '@jest/globals';
import { unlessUnanswered } from '../../../activities/payment/unanswered.ts';
import { RAIL_UNANSWERED } from '../../../workflows/core/messages.ts';
import { testSecretBox } from '../../support/db/fixtures.ts';

const answer = { kind: 'unknown', reason: 'server_error' };
const options = { failIfUnanswered: true };
const ended = { answer, result: { outcome: answer }, options };

test('a call answered with a 500 fails without a retry and carries the result', () => {
  expect(() => unlessUnanswered({ secretBox: testSecretBox }, ended)).toThrow(
    expect.objectContaining({
      type: RAIL_UNANSWERED,
      nonRetryable: true,
      details: [{ outcome: answer }],
      message: expect.stringContaining('server_error'),
    }),
  );
});

test.each([
  ['for a workflow that does not ask for a failure', { ...ended, options: undefined }, false],
  ['while workers of the previous release run', ended, true],
  [
    'when the rail answered that it refuses the account',
    { ...ended, answer: { kind: 'unknown', reason: 'account_refused' } },
    false,
  ],
  [
    'when the row is gone, which was not asked of the rail',
    { ...ended, answer: { kind: 'unknown', reason: 'row_gone' } },
    false,
  ],
  [
    'when the rail declined',
    { ...ended, answer: { kind: 'declined', code: 'card_declined', retryable: true } },
    false,
  ],
  ['when nothing was asked', { ...ended, answer: null }, false],
])('the result is returned %s', (_when, given, previousReleaseRuns) => {
  const deps = { secretBox: Object.assign(Object.create(testSecretBox), { previousReleaseRuns }) };
  expect(unlessUnanswered(deps, given)).toEqual({ outcome: answer });
});
