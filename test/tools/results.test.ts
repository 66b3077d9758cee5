import { expect, test } from '@jest/globals';
import { linesOf } from '../../tools/test/results.ts';

test('the summary line of a failed storm names the first violation', () => {
  const received = [
    '\u001b[31m+     "found": "webhook.test is logged, but never arrived",\u001b[39m',
    '\u001b[31m+     "promise": "every event reaches its endpoint",\u001b[39m',
    '\u001b[31m+     "subject": "evt_1",\u001b[39m',
  ];
  const failed = {
    fullName: 'the run finds nothing',
    status: 'failed',
    failureMessages: [received.join('\n')],
  };
  const file = { name: '/project/test/a.test.ts', status: 'failed', startTime: 0, endTime: 1 };
  expect(linesOf({ ...file, assertionResults: [failed] }, '/project')).toEqual([
    'failed: test/a.test.ts: the run finds nothing: every event reaches its endpoint: evt_1: webhook.test is logged, but never arrived',
  ]);
});
