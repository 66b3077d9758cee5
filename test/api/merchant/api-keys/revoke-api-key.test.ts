import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '../../../../sandbox/stack/core/ports.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { AUDIENCE } from '../../../support/api/identity.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { insertMerchant, TEST_PEPPER, TEST_SECRETS_KEY } from '../../../support/db/fixtures.ts';
import { type RunningProcess, startProcess } from '../../../support/stack/process.ts';
import { createTestNamespace, type TestNamespace } from '../../../support/temporal/temporal.ts';

let temporal: TestNamespace;
let api: PeopleApi;
let merchantId: string;
/** The key as its creation returned it. */
let made: { id: string; key: string };
const path = () => `/v1/merchants/${merchantId}/api-keys`;

beforeAll(async () => {
  temporal = await createTestNamespace();
  api = await startPeopleApi({ temporal });
});
afterAll(() => api?.stop());
beforeEach(async () => {
  merchantId = await insertMerchant(api.pool);
  made = (await api.as('owner', merchantId)('POST', path(), { environment: 'sandbox', name: 'Test' })).body;
});

const revoke = (role: 'owner' | 'developer' | 'support' | 'platform' = 'owner', id = made.id) =>
  api.as(role, merchantId)('DELETE', `${path()}/${id}`);
const use = (apiKey: string) => api.request('GET', '/v1/products', { apiKey });

describe('DELETE /v1/merchants/:merchantId/api-keys/:keyId', () => {
  test.each(['owner', 'developer'] as const)(
    '200: %s revokes a key; its next request is refused, and other keys keep working',
    async (role) => {
      const { body: other } = await api.as('owner', merchantId)('POST', path(), {
        environment: 'sandbox',
        name: 'Test',
      });
      expect((await use(made.key)).status).toBe(200);
      const answer = await revoke(role);
      expect(answer).toMatchObject({ status: 200, body: { id: made.id, revoked: true } });
      expectMarks(answer);
      expectRefusal(await use(made.key), 401, 'api_key_invalid');
      expect((await use(other.key)).status).toBe(200);
      const list = await api.as('owner', merchantId)('GET', path());
      expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([other.id]);
    },
  );

  test('the audit log names actor and key', async () => {
    const { body } = await revoke();
    expect((await api.audited(merchantId)).slice(1)).toMatchObject([
      {
        actor: 'person:owner@people.example',
        action: 'api_key.revoke',
        environment: 'sandbox',
        subject_id: made.id,
        request_id: body.request_id,
        before: { id: made.id },
        after: null,
      },
    ]);
  });

  test('404 api_key_not_found: an unknown key, another merchant’s, and one already revoked', async () => {
    for (const id of ['ap_key_0', 'nothing', '%00']) {
      expectRefusal(await revoke('owner', id), 404, 'api_key_not_found');
    }
    const other = await insertMerchant(api.pool);
    const foreign = await api.as('owner', other)('DELETE', `/v1/merchants/${other}/api-keys/${made.id}`);
    expectRefusal(foreign, 404, 'api_key_not_found');
    expect((await use(made.key)).status).toBe(200);
    await revoke();
    expectRefusal(await revoke(), 404, 'api_key_not_found');
  });

  test('401 and 403: no credentials, another merchant’s owner, an insufficient role, the key itself', async () => {
    expectRefusal(await api.request('DELETE', `${path()}/${made.id}`), 401, 'service_api_key_required');
    expectRefusal(await api.as('owner')('DELETE', `${path()}/${made.id}`), 403, 'service_merchant_forbidden');
    expectRefusal(await revoke('support'), 403, 'administration_forbidden');
    expectRefusal(await revoke('platform'), 403, 'administration_forbidden');
    const itself = await api.request('DELETE', `${path()}/${made.id}`, { apiKey: made.key });
    expectRefusal(itself, 403, 'administration_forbidden');
    expect((await use(made.key)).status).toBe(200);
  });
});

describe('with two API processes', () => {
  const processes: RunningProcess[] = [];
  const urls: string[] = [];

  beforeAll(async () => {
    for (let n = 0; n < 2; n++) {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      urls.push(url);
      processes.push(
        await startProcess({
          script: 'bin/api.ts',
          env: {
            DATABASE_URL: api.databaseUrl,
            TEMPORAL_ADDRESS: temporal.address,
            TEMPORAL_NAMESPACE: temporal.namespace,
            API_PORT: `${port}`,
            PUBLIC_URL: url,
            API_KEY_PEPPER: TEST_PEPPER,
            SECRETS_KEY: TEST_SECRETS_KEY,
            OIDC_ISSUER: api.provider.issuer,
            OIDC_AUDIENCE: AUDIENCE,
          },
          healthUrl: `${url}/healthz`,
          readyWithinMs: 60_000,
        }),
      );
    }
  });
  afterAll(() => Promise.all(processes.map((process) => process.stop())));

  const statuses = () =>
    Promise.all(
      urls.map(async (url) => {
        const headers = { authorization: `Bearer ${made.key}` };
        const response = await fetch(`${url}/v1/products`, { headers });
        await response.body?.cancel();
        return response.status;
      }),
    );

  test('a key revoked in one process is refused in the other within five seconds', async () => {
    for (let n = 0; n < 5; n++) expect(await statuses()).toEqual([200, 200]);
    const { authorization } = await api.provider.as('owner', merchantId);
    const answer = await fetch(`${urls[0]}${path()}/${made.id}`, {
      method: 'DELETE',
      headers: { authorization },
    });
    expect(answer.status).toBe(200);
    expect(await statuses()).toEqual([401, 401]);
    expect(processes.flatMap(({ lines }) => lines).join('')).not.toContain(made.key.slice(8));
  });
});

seesEveryAnswerOf('revokeApiKey');
