/**
 * The OpenID Connect provider whose tokens people bring: its keys are found by discovery, kept, and fetched
 * again when they are old or a token names one that is not known yet. A provider that is away is noticed only by
 * the first token, by a token of a new key, and when it has been away for hours.
 */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JWKSCacheInput,
  type JWTVerifyGetKey,
  jwksCache,
} from 'jose';
import { z } from 'zod';

export interface ProviderOptions {
  /** Exactly as tokens name it in `iss`. */
  readonly issuer: string;
  /**
   * For this long after the keys were fetched, a token of an unknown key does not make us fetch them again: how
   * often somebody who invents keys can make us ask, and how long the first token of a new key may have to wait.
   */
  readonly keysCooldownMs?: number;
  /** For this long keys are taken without asking for them again. */
  readonly keysMaxAgeMs?: number;
  /**
   * For this long after they were fetched, keys are believed while the provider does not give them: how long it may
   * be away, and how long a key that it has withdrawn can still be used by whoever keeps us from asking.
   */
  readonly keysBelievedMs?: number;
}

/** The provider did not answer, or not as a provider does. Nothing is known about the token. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

const TIMEOUT_MS = 5_000;
const metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/**
 * The provider's public keys, as jose asks for them.
 * @throws ProviderUnavailable instead of a key; jose's own errors when the provider has no such key
 */
export function providerKeys({
  issuer,
  keysCooldownMs = 5_000,
  keysMaxAgeMs = 10 * 60_000,
  keysBelievedMs = 4 * 60 * 60_000,
}: ProviderOptions): JWTVerifyGetKey {
  const fetched: JWKSCacheInput = {};
  let discovered: Promise<JWTVerifyGetKey> | undefined;

  async function discover(): Promise<JWTVerifyGetKey> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`discovery was answered ${response.status}`);
    const found = metadata.parse(await response.json());
    if (found.issuer !== issuer) throw new Error('discovery names another issuer');
    return createRemoteJWKSet(new URL(found.jwks_uri), {
      cooldownDuration: keysCooldownMs,
      cacheMaxAge: keysMaxAgeMs,
      timeoutDuration: TIMEOUT_MS,
      [jwksCache]: fetched,
    });
  }

  /** jose gives no key that is older than `keysMaxAgeMs`, also when it could not fetch them again. */
  async function knownKey(why: unknown, ...token: Parameters<JWTVerifyGetKey>) {
    const unavailable = new ProviderUnavailable('the identity provider gave no keys', { cause: why });
    const { uat = 0, jwks } = fetched;
    if (!jwks || Date.now() >= uat + keysBelievedMs) throw unavailable;
    return createLocalJWKSet(jwks)(...token).catch((error: unknown) => {
      // It may be a new one, which the provider would name.
      throw error instanceof errors.JWKSNoMatchingKey ? unavailable : error;
    });
  }

  return async (header, token) => {
    try {
      discovered ??= discover();
      const keys = await discovered.catch((error: unknown) => {
        discovered = undefined;
        throw error;
      });
      return await keys(header, token);
    } catch (error) {
      if (isAboutTheToken(error)) throw error;
      return knownKey(error, header, token);
    }
  };
}

function isAboutTheToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}
