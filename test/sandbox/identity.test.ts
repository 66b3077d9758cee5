/** The development provider as a process: the API accepts its tokens, and they survive a restart. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { peopleGate } from '../../api/http/authentication/people-gate.ts';
import { freePort } from '../../sandbox/stack/core/ports.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { insertMerchant } from '../support/db/fixtures.ts';
import { openBrowser, pageAfterLogIn, tokenOn } from '../support/stack/log-in.ts';
import { type RunningProcess, startProcess } from '../support/stack/process.ts';

const AUDIENCE = 'urn:hosted-checkout:api';
const SECRET = 'a secret of sixteen characters';

let api: TestApi;
let merchantId: string;
let issuer: string;
let env: Record<string, string>;
let identity: RunningProcess;

const start = () =>
  startProcess({
    script: 'sandbox/identity/main.ts',
    env,
    healthUrl: `${issuer}/healthz`,
    readyWithinMs: 60_000,
  });

beforeAll(async () => {
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  api = await startTestApi({
    merchantGate: peopleGate({
      issuer,
      audience: AUDIENCE,
      merchantsClaim: 'merchants',
      roleClaim: 'role',
      clockToleranceSeconds: 30,
    }),
  });
  merchantId = await insertMerchant(api.pool);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const accounts = [
    { id: 'ada@shop.example', name: 'Ada', role: 'owner', merchants: [merchantId] },
    { id: 'sam@shop.example', name: 'Sam <b>', role: 'support', merchants: [merchantId] },
  ];
  env = {
    IDENTITY_PORT: `${port}`,
    IDENTITY_ISSUER: issuer,
    IDENTITY_AUDIENCE: AUDIENCE,
    IDENTITY_KEY: JSON.stringify(privateKey.export({ format: 'jwk' })),
    IDENTITY_SECRET: SECRET,
    IDENTITY_ACCOUNTS: JSON.stringify(accounts),
    IDENTITY_DATA_DIR: await mkdtemp(join(tmpdir(), 'checkout-test-identity-')),
  };
  identity = await start();
});
afterAll(async () => {
  await identity?.stop();
  await api?.stop();
  await rm(env.IDENTITY_DATA_DIR ?? '', { recursive: true, force: true });
});

async function tokenForScript(clientId: string, secret = SECRET) {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    }),
  });
  return { status: response.status, body: await response.json() };
}

const keys = (token: string) =>
  api.request('GET', `/v1/merchants/${merchantId}/api-keys`, {
    headers: { authorization: `Bearer ${token}` },
  });
const createKey = (token: string) =>
  api.request('POST', `/v1/merchants/${merchantId}/api-keys`, {
    headers: { authorization: `Bearer ${token}` },
    body: { environment: 'sandbox', name: 'Test' },
  });

const logIn = (account: string) => pageAfterLogIn(issuer, account);

describe('the development provider', () => {
  test('issues a script a token that lasts a day and that the API accepts', async () => {
    const { status, body } = await tokenForScript('ada@shop.example');
    expect({ status, lives: body.expires_in }).toEqual({ status: 200, lives: 86_400 });
    expect((await keys(body.access_token)).status).toBe(200);
    expect((await createKey(body.access_token)).status).toBe(201);
  });

  test('rejects a wrong secret', async () => {
    const { status, body } = await tokenForScript('ada@shop.example', 'another secret of ours');
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'invalid_client' });
  });

  test('shows the token of the account that a person chooses in a browser', async () => {
    const home = await openBrowser()(`${issuer}/`);
    expect(home).toContain('ada@shop.example');
    expect(home).not.toContain('<b>');
    const token = tokenOn(await logIn('sam@shop.example'));
    expect((await keys(token)).status).toBe(200);
    expect((await createKey(token)).status).toBe(403);
    expect((await createKey(tokenOn(await logIn('ada@shop.example')))).status).toBe(201);
  });

  test('shows no token without a log-in, and rejects an unknown account', async () => {
    const visit = openBrowser();
    expect(await visit(`${issuer}/callback?state=x&code=y`)).toContain('not started here');
    expect(await logIn('eve@shop.example')).toContain('This account does not exist.');
  });

  test('adds people, who can log in even after a restart', async () => {
    const page = await openBrowser()(`${issuer}/people`, {
      id: 'new@shop.example',
      name: 'New <i>',
      role: 'developer',
      merchants: merchantId,
    });
    expect(page).toContain('new@shop.example');
    expect(page).not.toContain('<i>');
    expect((await createKey(tokenOn(await logIn('new@shop.example')))).status).toBe(201);
    const unknownRole = { id: 'x@shop.example', name: 'X', role: 'king', merchants: '' };
    expect(await openBrowser()(`${issuer}/people`, unknownRole)).toContain('role');
    await identity.stop();
    identity = await start();
    expect((await keys(tokenOn(await logIn('new@shop.example')))).status).toBe(200);
  });

  test('signs with the same key after a restart, so earlier tokens stay valid', async () => {
    const { body } = await tokenForScript('ada@shop.example');
    expect(await identity.stop()).toMatchObject({ code: 0 });
    identity = await start();
    expect((await keys(body.access_token)).status).toBe(200);
    expect((await keys((await tokenForScript('ada@shop.example')).body.access_token)).status).toBe(200);
  });

  test('writes neither tokens nor secrets into its log', async () => {
    const { body } = await tokenForScript('ada@shop.example');
    const said = identity.lines.join('');
    expect(said).toContain('identity provider ready');
    expect(said).not.toContain(body.access_token.split('.')[1]);
    expect(said).not.toContain(SECRET);
  });
});
