/** Settings under which the service would start insecurely. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readConfig } from '../../bin/config/read.ts';
import { readOpsConfig } from '../../bin/ops/core/config.ts';
import { TEST_PEPPER, TEST_SECRETS_KEY } from '../support/db/fixtures.ts';

const NEEDED = {
  DATABASE_URL: 'postgres://127.0.0.1/checkout',
  PUBLIC_URL: 'https://pay.example',
  RAIL_FIELDS_URL: 'https://fields.example',
  TRUSTED_PROXIES: '1',
  API_KEY_PEPPER: TEST_PEPPER,
  SECRETS_KEY: TEST_SECRETS_KEY,
};
const HERE = {
  PUBLIC_URL: 'http://127.0.0.1:8080',
  RAIL_FIELDS_URL: 'http://localhost:8080',
  TRUSTED_PROXIES: undefined,
};
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const half = Uint8Array.from({ length: 16 }, (_, at) => (at * at * 7 + 13) % 251);
const counted = Uint8Array.from({ length: 32 }, (_, at) => at);

test.each([
  ['PUBLIC_URL', 'http://pay.example', 'must be https'],
  ['PUBLIC_URL', 'javascript:alert(1)', 'must be a URL like https://'],
  ['PUBLIC_URL', 'ftp://pay.example', 'must be a URL like https://'],
  ['STRIPE_API_URL', 'http://stripe.example', 'must be https'],
  ['STRIPE_SCRIPT_URL', 'http://stripe.example', 'must be https'],
  ['RAIL_FIELDS_URL', 'http://fields.example', 'must be https'],
  ['OIDC_ISSUER', 'http://login.example', 'must be https'],
  ['RUNBOOK_URL', 'javascript:alert(1)', 'must be a path, or a URL like https://'],
  ['TEMPORAL_UI_URL', 'javascript:alert(1)', 'must be a URL like https://'],
  ['SECRETS_KEY', base64(new Uint8Array(32)), 'openssl rand -base64 32'],
  ['SECRETS_KEY', base64(Buffer.concat([half, half])), 'openssl rand -base64 32'],
  ['SECRETS_KEY', base64(counted), 'openssl rand -base64 32'],
  ['SECRETS_KEY', base64(Buffer.from('correct horse battery staple ok!'.replace(/[a-z]/g, 'a'))), 'guessed'],
  ['API_KEY_PEPPER', 'p'.repeat(64), 'openssl rand -hex 32'],
  ['API_KEY_PEPPER', 'a pepper of sixteen characters', 'fewer than 16 different bytes'],
  ['API_KEY_PEPPER', Buffer.from('0123'.repeat(8)).toString('hex'), 'openssl rand -hex 32'],
  ['TRUSTED_PROXIES', '99', 'must be at most 10'],
  ['TRUSTED_PROXIES', undefined, 'must be set where PUBLIC_URL is https'],
  ['TRUSTED_PROXIES', '', 'must be set where PUBLIC_URL is https'],
  ['OPERATORS_WEBHOOK_URL', 'http://pager.example', 'must be https'],
  ['OPERATORS_WEBHOOK_SECRET', `whsec_${'A'.repeat(43)}=`, 'openssl rand -base64 32'],
  ['OPERATORS_WEBHOOK_SECRET', `whsec_${base64(counted)}`, 'fewer than 16 different bytes, or repeats'],
  ['OPERATORS_WEBHOOK_SECRET', 'whsec_c2hvcnQ=', 'openssl rand -base64 32'],
  ['WEBHOOK_ALLOW_LOOPBACK', '1', 'must be 0 where PUBLIC_URL is https'],
])('the service refuses to start with %s set to %s', (name, value, why) => {
  const start = () => readConfig({ ...NEEDED, [name]: value }, 'api');
  expect(start).toThrow(`  ${name}: `);
  expect(start).toThrow(why);
});

test.each([
  ['http on this machine', HERE],
  ['https on this machine', { ...HERE, PUBLIC_URL: 'https://127.0.0.1:8443' }],
  ['http on this machine, with webhooks to it', { ...HERE, WEBHOOK_ALLOW_LOOPBACK: '1' }],
  ['ten proxies', { TRUSTED_PROXIES: '10' }],
  ['a proxy that keeps the caller’s address', { TRUSTED_PROXIES: '0' }],
  ['a former key of zeros', { SECRETS_FORMER_KEYS: base64(new Uint8Array(32)) }],
  ['the runbook of this project', { RUNBOOK_URL: 'docs/on-call.md' }],
])('the service starts with %s', (_what, env) => {
  expect(() => readConfig({ ...NEEDED, ...env }, 'api')).not.toThrow();
});

test('the service starts with every secret that its instructions generate', () => {
  for (let i = 0; i < 1_000; i++) {
    const drawn = randomBytes(32);
    const env = {
      ...NEEDED,
      API_KEY_PEPPER: drawn.toString('hex'),
      SECRETS_KEY: base64(drawn),
      OPERATORS_WEBHOOK_SECRET: `whsec_${base64(drawn)}`,
    };
    expect(readConfig(env).secrets).toMatchObject({ key: env.SECRETS_KEY });
  }
});

test("operators' commands reject a guessable key, as the service does", async () => {
  const { DATABASE_URL } = NEEDED;
  const zeros = { DATABASE_URL, SECRETS_KEY: base64(new Uint8Array(32)) };
  await expect(readOpsConfig(zeros)).rejects.toThrow('SECRETS_KEY: can be guessed');
  expect(await readOpsConfig({ DATABASE_URL })).toMatchObject({ secretsKey: undefined });
});
