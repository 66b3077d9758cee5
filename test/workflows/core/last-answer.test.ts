import { expect, test } from '@jest/globals';
import { describeLastAnswer, type LastAnswer } from '../../../workflows/core/last-answer.ts';

const at = new Date('2027-02-02T09:00:00.000Z');

test.each<[LastAnswer['answer'], string]>([
  [{ kind: 'unknown', reason: 'server_error' }, 'none (`server_error`)'],
  [{ kind: 'declined', code: 'insufficient_funds', retryable: true }, 'declined (`insufficient_funds`)'],
  [{ kind: 'failed', code: 'account_closed' }, 'failed (`account_closed`)'],
  [{ kind: 'notFound' }, 'not known to the rail'],
])('the rail’s answer %j is shown to operators as: %s', (answer, words) => {
  expect(describeLastAnswer({ answer, at })).toEqual([
    `- The rail’s last answer: ${words}, at 2027-02-02T09:00:00.000Z`,
  ]);
});

test('operators see no line about an answer until there is one', () => {
  expect(describeLastAnswer(undefined)).toEqual([]);
});
