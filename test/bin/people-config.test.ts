import { expect, test } from '@jest/globals';
import { readConfig } from '../../bin/config/read.ts';
import { TEST_PEPPER, TEST_SECRETS_KEY } from '../support/db/fixtures.ts';

const NEEDED = {
  DATABASE_URL: 'postgres://127.0.0.1/checkout',
  PUBLIC_URL: 'https://pay.example',
  API_KEY_PEPPER: TEST_PEPPER,
  SECRETS_KEY: TEST_SECRETS_KEY,
};
const people = (env: object) => readConfig({ ...NEEDED, ...env }).people;

test('without an issuer, people cannot sign in', () => {
  expect(people({})).toBeNull();
  expect(people({ OIDC_AUDIENCE: 'urn:checkout' })).toBeNull();
});

test('an issuer without an audience is refused, because tokens for other services would be valid', () => {
  expect(() => people({ OIDC_ISSUER: 'https://login.example' })).toThrow(/OIDC_AUDIENCE/);
});

test('claims and clock tolerance have defaults and can be configured', () => {
  const issuer = { OIDC_ISSUER: 'https://login.example/realm', OIDC_AUDIENCE: 'urn:checkout' };
  expect(people(issuer)).toEqual({
    issuer: 'https://login.example/realm',
    audience: 'urn:checkout',
    merchantsClaim: 'merchants',
    roleClaim: 'role',
    clockToleranceSeconds: 30,
    dashboard: { clientId: 'dashboard', scope: 'openid' },
  });
  const told = {
    OIDC_MERCHANTS_CLAIM: 'https://shop.example/merchants',
    OIDC_ROLE_CLAIM: 'https://shop.example/role',
    OIDC_CLOCK_TOLERANCE_SECONDS: '5',
    OIDC_TOKEN_TYPE: 'at+jwt',
    OIDC_DASHBOARD_CLIENT_ID: 'merchants',
    OIDC_DASHBOARD_SCOPE: 'openid shop',
  };
  expect(people({ ...issuer, ...told })).toMatchObject({
    merchantsClaim: 'https://shop.example/merchants',
    roleClaim: 'https://shop.example/role',
    clockToleranceSeconds: 5,
    tokenType: 'at+jwt',
    dashboard: { clientId: 'merchants', scope: 'openid shop' },
  });
});

test('OIDC_ROLES maps the provider’s values to roles; a misspelt role prevents startup', () => {
  const issuer = { OIDC_ISSUER: 'https://login.example', OIDC_AUDIENCE: 'urn:checkout' };
  const OIDC_ROLES = '{"cn=help,ou=shop":"support","admins":"owner","bosses":"owner"}';
  expect(people({ ...issuer, OIDC_ROLES })?.roles).toEqual(
    new Map([
      ['cn=help,ou=shop', 'support'],
      ['admins', 'owner'],
      ['bosses', 'owner'],
    ]),
  );
  for (const wrong of ['admins=owner', '{"admins":"ownr"}', '["owner"]', '{"admins":["owner"]}'])
    expect(() => people({ ...issuer, OIDC_ROLES: wrong })).toThrow(/OIDC_ROLES/);
});

test.each(['http://login.example', 'ftp://login.example', 'login.example'])(
  'the issuer %s is rejected: keys fetched without TLS can be forged',
  (OIDC_ISSUER) => {
    expect(() => people({ OIDC_ISSUER, OIDC_AUDIENCE: 'urn:checkout' })).toThrow(/OIDC_ISSUER/);
  },
);

test('plain HTTP is accepted on the loopback address, for development', () => {
  expect(people({ OIDC_ISSUER: 'http://127.0.0.1:5556', OIDC_AUDIENCE: 'urn:checkout' })).not.toBeNull();
});
