import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { serializers } from '../../platform/observability/logger.ts';
import { loggerOfSdk } from '../../worker/runtime.ts';

test('an error that the SDK logs is redacted like any other, and keeps its fields', () => {
  const lines: object[] = [];
  const logger = pino({ serializers }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  class Refused extends Error {
    readonly detail = 'Failing row contains (canary).';
  }
  loggerOfSdk(logger).warn('Activity failed', { error: new Refused('canary'), activityType: 'deliver' });
  loggerOfSdk(logger).error('Worker failed');
  expect(lines).toMatchObject([
    { level: 40, msg: 'Activity failed', err: { name: 'Refused' }, meta: { activityType: 'deliver' } },
    { level: 50, msg: 'Worker failed' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('canary');
});
