/**
 * People's access tokens: their validation, the errors for invalid ones, and the permissions that their
 * claims grant.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { base64url, exportSPKI, SignJWT } from 'jose';
import { peopleGate } from '../../../../api/http/authentication/people-gate.ts';
import type { Role } from '../../../../domain/core/permissions.ts';
import { expectMarks, expectRefusal, startTestApi, type TestApi } from '../../../support/api/api.ts';
import { newSigningKey, startTestProvider, type TestProvider } from '../../../support/api/identity.ts';
import { insertApiKey, insertMerchant } from '../../../support/db/fixtures.ts';

let provider: TestProvider;
let api: TestApi;
let merchantId: string;

beforeAll(async () => {
  provider = await startTestProvider();
  api = await startTestApi({ merchantGate: provider.merchantGate });
  merchantId = await insertMerchant(api.pool);
});
afterAll(async () => {
  await api?.stop();
  await provider?.stop();
});

const list = (authorization: string, at = api, of = merchantId, query = '') =>
  at.request('GET', `/v1/merchants/${of}/webhook-endpoints${query}`, { headers: { authorization } });
const mine = async (claims: object = {}) =>
  `Bearer ${await provider.token({ merchants: [merchantId], ...claims })}`;
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

/** Starts a second API, whose gate has not contacted the provider yet. */
async function withGate(options: Partial<TestProvider['options']>, run: (other: TestApi) => Promise<void>) {
  const merchantGate = peopleGate({ ...provider.options, ...options });
  const other = await startTestApi({ merchantGate, databaseUrl: api.databaseUrl });
  try {
    await run(other);
  } finally {
    await other.stop();
  }
}

describe('a valid token', () => {
  test('grants access to the merchants it names', async () => {
    const answer = await list(await mine());
    expect(answer).toMatchObject({ status: 200, body: { data: [] } });
    expectMarks(answer);
  });

  test.each([['owner'], [['someone', 'owner']]])('may name its role as %j', async (role) => {
    expect((await list(await mine({ role }))).status).toBe(200);
  });

  test('may name one merchant without a list, and several audiences', async () => {
    const claims = { merchants: merchantId, aud: ['another', provider.options.audience] };
    expect((await list(await mine(claims))).status).toBe(200);
  });

  test('may be expired or not yet valid by less than the clock tolerance', async () => {
    expect((await list(await mine({ exp: inSeconds(-20) }))).status).toBe(200);
    expect((await list(await mine({ nbf: inSeconds(20) }))).status).toBe(200);
  });

  test('takes roles and merchants from the claims named in the configuration', async () => {
    const claims = { 'https://shop.example/roles': ['support'], 'https://shop.example/shops': [merchantId] };
    const named = { roleClaim: 'https://shop.example/roles', merchantsClaim: 'https://shop.example/shops' };
    await withGate(named, async (other) => {
      const token = await provider.token({ role: undefined, ...claims });
      expect((await list(`Bearer ${token}`, other)).status).toBe(200);
      expectRefusal(await list(await mine(), other), 403, 'access_token_role_missing');
    });
  });
});

describe('with a map of roles', () => {
  const roles = new Map<string, Role>([
    ['checkout-admins', 'owner'],
    ['helpdesk', 'support'],
  ]);
  const rolesSeen = async (role: unknown, other: TestApi) => {
    const headers = { authorization: await mine({ role }) };
    const answer = await other.request('GET', `/v1/merchants/${merchantId}/access`, { headers });
    return answer.body.code ?? answer.body.permissions.includes('manage_keys');
  };

  test('a mapped claim value grants its role; an unmapped value, even a role’s own name, grants none', async () => {
    await withGate({ roles }, async (other) => {
      expect(await rolesSeen(['everyone', 'checkout-admins'], other)).toBe(true);
      expect(await rolesSeen('helpdesk', other)).toBe(false);
      for (const role of ['owner', 'platform', 'everyone', 'constructor', '__proto__', ''])
        expect(await rolesSeen(role, other)).toBe('access_token_role_missing');
    });
  });
});

describe('with tokenType at+jwt', () => {
  test.each([
    ['at+jwt', 200],
    ['application/at+jwt', 200],
    ['JWT', 401],
    [undefined, 401],
  ])('a token with the typ header %s gets %d', async (typ, status) => {
    const token = await provider.token({ merchants: [merchantId] }, undefined, typ);
    await withGate({ tokenType: 'at+jwt' }, async (other) => {
      expect((await list(`Bearer ${token}`, other)).status).toBe(status);
    });
    expect((await list(`Bearer ${token}`)).status).toBe(200);
  });
});

describe('401', () => {
  test('access_token_expired: a token that expired longer ago than the clock tolerance', async () => {
    const answer = await list(await mine({ exp: inSeconds(-31) }));
    expectRefusal(answer, 401, 'access_token_expired');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  test.each<[string, object]>([
    ['another audience', { aud: 'urn:another:service' }],
    ['no audience', { aud: undefined }],
    ['another issuer', { iss: 'https://login.example' }],
    ['no issuer', { iss: undefined }],
    ['a not-before instant in the future', { nbf: inSeconds(600) }],
    ['no expiry', { exp: undefined }],
    ['an empty subject', { sub: undefined }],
    ['an unprintable subject', { sub: 'ada\0' }],
  ])('access_token_invalid: %s', async (_name, claims) => {
    const answer = await list(await mine(claims));
    expectRefusal(answer, 401, 'access_token_invalid');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  test('access_token_invalid: a token signed with another key under the id of one of the provider’s keys', async () => {
    const token = await provider.token({ merchants: [merchantId] }, await newSigningKey('key-1'));
    expectRefusal(await list(`Bearer ${token}`), 401, 'access_token_invalid');
  });

  test('access_token_invalid: a token signed by a key that the provider does not have', async () => {
    const token = await provider.token({ merchants: [merchantId] }, await newSigningKey('invented'));
    expectRefusal(await list(`Bearer ${token}`), 401, 'access_token_invalid');
  });

  test('access_token_invalid: an unsigned token (alg none)', async () => {
    const [, payload = ''] = (await mine()).split('.');
    const header = base64url.encode(JSON.stringify({ alg: 'none' }));
    expectRefusal(await list(`Bearer ${header}.${payload}.`), 401, 'access_token_invalid');
  });

  test("access_token_invalid: a token signed with the provider's public key as an HMAC secret", async () => {
    const { publicKey } = await newSigningKey('key-1');
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    const claims = { iss: provider.issuer, aud: provider.options.audience, sub: 'ada', exp: inSeconds(60) };
    const header = { alg: 'HS256', kid: 'key-1' };
    const token = await new SignJWT(claims).setProtectedHeader(header).sign(secret);
    expectRefusal(await list(`Bearer ${token}`), 401, 'access_token_invalid');
  });

  test.each(['x', 'a.b.c', `${'x'.repeat(4_000)}.y.z`])('access_token_invalid: %.9s', async (token) => {
    expectRefusal(await list(`Bearer ${token}`), 401, 'access_token_invalid');
  });

  test('access_token_invalid: a token whose claims changed after signing', async () => {
    const [header, , signature] = (await mine()).split('.');
    const claims = { iss: provider.issuer, aud: provider.options.audience, sub: 'eve', exp: inSeconds(60) };
    const payload = base64url.encode(JSON.stringify({ ...claims, role: 'platform' }));
    expectRefusal(await list(`${header}.${payload}.${signature}`), 401, 'access_token_invalid');
  });

  test('service_api_key_required without credentials, api_key_invalid for an unknown key', async () => {
    const path = `/v1/merchants/${merchantId}/webhook-endpoints`;
    expectRefusal(await api.request('GET', path), 401, 'service_api_key_required');
    expectRefusal(await list('Basic YTpi'), 401, 'api_key_invalid');
    expectRefusal(await list('Bearer ap_test_mistyped'), 401, 'api_key_invalid');
  });
});

describe("the provider's keys", () => {
  test('are fetched once, not for each token', async () => {
    await list(await mine());
    const before = provider.asked.length;
    for (let n = 0; n < 5; n++) expect((await list(await mine())).status).toBe(200);
    expect(provider.asked).toHaveLength(before);
  });

  test('are fetched again when a token names a new key; signatures of the old key are then rejected', async () => {
    const old = await mine();
    expect((await list(old)).status).toBe(200);
    await provider.rotate();
    expect((await list(await mine())).status).toBe(200);
    expectRefusal(await list(old), 401, 'access_token_invalid');
    await provider.rotate({ keepOld: true });
    expect((await list(await mine())).status).toBe(200);
  });

  test('are not fetched repeatedly for made-up key ids', async () => {
    await withGate({ keysCooldownMs: 60_000 }, async (other) => {
      expect((await list(await mine(), other)).status).toBe(200);
      const before = provider.asked.length;
      const invented = await provider.token({ merchants: [merchantId] }, await newSigningKey('invented'));
      for (let n = 0; n < 5; n++)
        expectRefusal(await list(`Bearer ${invented}`, other), 401, 'access_token_invalid');
      expect(provider.asked).toHaveLength(before);
    });
  });
});

describe('503 dependency_unavailable', () => {
  test('while the provider does not respond, with a log line; API keys still work, and tokens do once it responds', async () => {
    await withGate({}, async (other) => {
      provider.failWith(500);
      try {
        const answer = await list(await mine(), other);
        expectRefusal(answer, 503, 'dependency_unavailable');
        expect(answer.headers.get('retry-after')).toBe('1');
        expect(other.logLines.join('')).toContain('identity provider unreachable');
        const key = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
        expect((await list(`Bearer ${key}`, other)).status).toBe(200);
      } finally {
        provider.failWith(null);
      }
      expect((await list(await mine(), other)).status).toBe(200);
    });
  });

  test('if the provider is unreachable or names another issuer', async () => {
    for (const issuer of ['http://127.0.0.1:9', `${provider.issuer}/realm`]) {
      await withGate({ issuer }, async (other) => {
        expectRefusal(await list(await mine({ iss: issuer }), other), 503, 'dependency_unavailable');
      });
    }
  });

  /** A gate whose cached keys are too old to use, and whose provider does not answer. */
  const whileAway = (options: Partial<TestProvider['options']>, run: (other: TestApi) => Promise<void>) =>
    withGate({ keysMaxAgeMs: 0, ...options }, async (other) => {
      expect((await list(await mine(), other)).status).toBe(200);
      provider.failWith(500);
      try {
        await run(other);
      } finally {
        provider.failWith(null);
      }
      expect((await list(await mine(), other)).status).toBe(200);
    });

  test('is not returned while the provider’s keys are cached, even if they are due for a refresh', () =>
    whileAway({}, async (other) => {
      const before = provider.asked.length;
      expect((await list(await mine(), other)).status).toBe(200);
      expect(provider.asked.length).toBeGreaterThan(before);
    }));

  test('for a token with an unknown key while the provider is unreachable', () =>
    whileAway({}, async (other) => {
      const token = await provider.token({ merchants: [merchantId] }, await newSigningKey('of-tomorrow'));
      expectRefusal(await list(`Bearer ${token}`, other), 503, 'dependency_unavailable');
    }));

  test('once the provider has been unreachable for longer than its keys are trusted', () =>
    whileAway({ keysBelievedMs: 0 }, async (other) => {
      expectRefusal(await list(await mine(), other), 503, 'dependency_unavailable');
    }));
});

describe('403 and 404', () => {
  test('access_token_role_missing: a token with no role, or only unknown roles', async () => {
    for (const role of [undefined, 'admin', [], 7, { owner: true }]) {
      expectRefusal(await list(await mine({ role })), 403, 'access_token_role_missing');
    }
  });

  test.each(['owner', 'developer', 'support'])(
    'service_merchant_forbidden: %s from another merchant',
    async (role) => {
      const other = await insertMerchant(api.pool);
      expectRefusal(await list(await mine({ role, merchants: [other] })), 403, 'service_merchant_forbidden');
      expectRefusal(
        await list(await mine({ role, merchants: undefined })),
        403,
        'service_merchant_forbidden',
      );
    },
  );

  test('platform people have only the platform role, at every merchant', async () => {
    const authorization = await mine({ role: ['platform', 'owner'], merchants: [] });
    expect((await list(authorization)).status).toBe(200);
    const path = `/v1/merchants/${merchantId}/webhook-endpoints`;
    expectRefusal(
      await api.request('POST', path, { headers: { authorization }, body: {} }),
      403,
      'administration_forbidden',
    );
  });

  test('merchant_scope_mismatch: another merchantId in the query', async () => {
    expectRefusal(
      await list(await mine(), api, merchantId, '?merchantId=ap_mer_other'),
      403,
      'merchant_scope_mismatch',
    );
    expect((await list(await mine(), api, merchantId, `?merchantId=${merchantId}`)).status).toBe(200);
  });

  test('merchant_not_found: the token names a merchant that does not exist', async () => {
    for (const id of ['ap_mer_gone', 'ap_mer_%00', 'nothing']) {
      const token = await mine({ role: 'platform' });
      expectRefusal(await list(token, api, id), 404, 'merchant_not_found');
    }
    expectRefusal(
      await list(await mine({ merchants: ['ap_mer_gone'] }), api, 'ap_mer_gone'),
      404,
      'merchant_not_found',
    );
  });

  test('administration_forbidden: support and API keys can read endpoints but not change them', async () => {
    const path = `/v1/merchants/${merchantId}/webhook-endpoints`;
    const authorization = await mine({ role: 'support' });
    expect((await list(authorization)).status).toBe(200);
    expectRefusal(
      await api.request('POST', path, { headers: { authorization }, body: {} }),
      403,
      'administration_forbidden',
    );
    const apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
    expectRefusal(await api.request('POST', path, { apiKey, body: {} }), 403, 'administration_forbidden');
  });

  test('merchant_inactive: the people of an inactive merchant may read but not change', async () => {
    const inactive = await insertMerchant(api.pool, { status: 'inactive' });
    const authorization = await mine({ merchants: [inactive] });
    expect((await list(authorization, api, inactive)).status).toBe(200);
    expectRefusal(
      await api.request('POST', `/v1/merchants/${inactive}/webhook-endpoints`, {
        headers: { authorization },
        body: {},
      }),
      403,
      'merchant_inactive',
    );
  });
});

test('the log names the merchant, but neither the token nor the person', async () => {
  const token = await provider.token({ merchants: [merchantId], sub: 'a-person-of-the-log' });
  await list(`Bearer ${token}`);
  await list(`Bearer ${token}x`);
  expect(api.logLines.length).toBeGreaterThan(0);
  expect(api.logLines.some((line) => JSON.parse(line).merchantId === merchantId)).toBe(true);
  expect(api.logLines.join('')).not.toContain(token.split('.')[1]);
  expect(api.logLines.join('')).not.toContain('a-person-of-the-log');
});
