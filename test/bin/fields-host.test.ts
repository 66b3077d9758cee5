/** Stripe's fields and the hosted page under the same host name. */
import { expect, test } from '@jest/globals';
import { readConfig } from '../../bin/config/read.ts';
import { TEST_PEPPER, TEST_SECRETS_KEY } from '../support/db/fixtures.ts';

const NEEDED = {
  DATABASE_URL: 'postgres://127.0.0.1/checkout',
  API_KEY_PEPPER: TEST_PEPPER,
  SECRETS_KEY: TEST_SECRETS_KEY,
  TRUSTED_PROXIES: '1',
};
const start = (env: object) => readConfig({ ...NEEDED, ...env }, 'api');
const PUBLIC_URL = 'https://pay.example';

test.each([
  ['no RAIL_FIELDS_URL', { PUBLIC_URL }],
  ['the same host', { PUBLIC_URL, RAIL_FIELDS_URL: 'https://pay.example' }],
  ['the same host on another port', { PUBLIC_URL, RAIL_FIELDS_URL: 'https://PAY.example:8443/' }],
])('the API refuses to start with an https address and %s', (_what, env) => {
  expect(() => start(env)).toThrow('RAIL_FIELDS_URL must name another host than PUBLIC_URL (pay.example)');
});

test.each([
  ['another host', { PUBLIC_URL, RAIL_FIELDS_URL: 'https://fields.pay.example' }],
  ['a test environment with the sandbox rail', { PUBLIC_URL, SANDBOX_RAIL_URL: 'https://rail.example' }],
  ['http on this machine, where localhost is the other host', { PUBLIC_URL: 'http://127.0.0.1:8080' }],
])('the API starts with %s', (_what, env) => {
  expect(() => start(env)).not.toThrow();
});
