import { expect, test } from '@jest/globals';
import { readConfig } from '../../bin/config/read.ts';
import { lookupTimings } from '../../workflows/core/parse-message.ts';
import { TEST_PEPPER, TEST_SECRETS_KEY } from '../support/db/fixtures.ts';

const config = (env: object) =>
  readConfig({
    DATABASE_URL: 'postgres://127.0.0.1/checkout',
    PUBLIC_URL: 'https://pay.example',
    API_KEY_PEPPER: TEST_PEPPER,
    SECRETS_KEY: TEST_SECRETS_KEY,
    ...env,
  });

const SCHEDULES = [
  'RECONCILE_SCHEDULE_SECONDS',
  'RECONCILE_LONG_SCHEDULE_SECONDS',
  'DUNNING_LADDER_DAYS',
  'WEBHOOK_SCHEDULE_SECONDS',
];

test.each(SCHEDULES)('%s accepts only a list of numbers, without empty entries', (name) => {
  for (const text of ['', ' ', '5,', '5,,30', 'soon', '-1', '1e9']) {
    expect(() => config({ [name]: text })).toThrow(name);
  }
  expect(() => config({ [name]: '5, 30' })).not.toThrow();
});

test.each(SCHEDULES.slice(0, 3))('%s refuses a wait of zero', (name) => {
  expect(() => config({ [name]: '0,5' })).toThrow(name);
});

test('the first delivery of an event may be immediate', () => {
  expect(config({ WEBHOOK_SCHEDULE_SECONDS: '0,5' }).webhooks.scheduleSeconds).toEqual([0, 5]);
});

test('workflows accept the look-up schedules that the configuration accepts', () => {
  const { timings } = config({
    RECONCILE_SCHEDULE_SECONDS: '0.1',
    RECONCILE_LONG_SCHEDULE_SECONDS: '2',
  }).session;
  expect(lookupTimings(timings, 'timings')).toEqual({ reconcileSeconds: [0.1], reconcileLongSeconds: [2] });
});
