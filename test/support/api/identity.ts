/** An OpenID Connect provider as the API sees it: discovery and keys over HTTP, and tokens signed with them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { PeopleOptions } from '../../../api/http/authentication/access-token.ts';
import { peopleGate } from '../../../api/http/authentication/people-gate.ts';
import type { Role } from '../../../domain/core/permissions.ts';

export const AUDIENCE = 'urn:test:checkout';

export interface TestProvider {
  readonly issuer: string;
  /** Paths requested so far. */
  readonly asked: readonly string[];
  /** The API's configuration for it, like an operator's, except that keys are looked up again immediately. */
  readonly options: PeopleOptions;
  /** The gate to pass to `startTestApi`. */
  readonly merchantGate: ReturnType<typeof peopleGate>;
  /** A token valid for five minutes; `claims` override its defaults. */
  token(claims?: JWTPayload, key?: SigningKey, typ?: string): Promise<string>;
  /** Headers of a person with this role at these merchants. */
  as(role: Role, ...merchants: readonly string[]): Promise<{ readonly authorization: string }>;
  /** Rotates the signing key; by default the provider publishes only the new one. */
  rotate(how?: { readonly keepOld: boolean }): Promise<void>;
  /** Makes the provider answer every request with this status; null restores it. */
  failWith(status: number | null): void;
  stop(): Promise<void>;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

export async function newSigningKey(kid: string): Promise<SigningKey> {
  return { kid, ...(await generateKeyPair('ES256', { extractable: true })) };
}

export async function startTestProvider(): Promise<TestProvider> {
  let made = 1;
  let keys = [await newSigningKey('key-1')];
  let failure: number | null = null;
  const asked: string[] = [];
  const server = createServer(async ({ url = '' }, response) => {
    asked.push(url);
    if (failure !== null) return void response.writeHead(failure).end();
    const body = url.endsWith('/.well-known/openid-configuration')
      ? { issuer, jwks_uri: `${issuer}/jwks` }
      : { keys: await Promise.all(keys.map(publicJwk)) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options: PeopleOptions = {
    issuer,
    audience: AUDIENCE,
    merchantsClaim: 'merchants',
    roleClaim: 'role',
    clockToleranceSeconds: 30,
    keysCooldownMs: 0,
  };

  const provider: TestProvider = {
    issuer,
    asked,
    options,
    merchantGate: peopleGate(options),
    async token(claims = {}, key = keys.at(-1), typ?: string) {
      if (!key) throw new Error('the provider has no key');
      const now = Math.floor(Date.now() / 1_000);
      const all = {
        iss: issuer,
        aud: AUDIENCE,
        sub: 'ada',
        iat: now,
        exp: now + 300,
        role: 'owner',
        ...claims,
      };
      return new SignJWT(all)
        .setProtectedHeader({ alg: 'ES256', kid: key.kid, ...(typ && { typ }) })
        .sign(key.privateKey);
    },
    async as(role, ...merchants) {
      const token = await provider.token({ sub: `${role}@people.example`, role, merchants });
      return { authorization: `Bearer ${token}` };
    },
    async rotate({ keepOld } = { keepOld: false }) {
      made += 1;
      const next = await newSigningKey(`key-${made}`);
      keys = keepOld ? [...keys, next] : [next];
    },
    failWith(status) {
      failure = status;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

async function publicJwk({ kid, publicKey }: SigningKey) {
  return { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
}
