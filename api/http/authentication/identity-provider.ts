/**
 * The OpenID Connect (OIDC) provider that issues people's tokens. The provider's keys are discovered, cached, and
 * fetched again when they are old or a token names an unknown key. During an outage of the provider, only tokens with
 * an uncached key fail, until the cached keys expire after hours.
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
import { isHttpsOrLoopback } from '../../../contract/core/loopback.ts';

export interface ProviderOptions {
  /** Must equal the tokens' `iss` exactly. */
  readonly issuer: string;
  /**
   * Minimum time between fetches for an unknown key. It limits how often invented key ids cause a fetch, and is also
   * the longest wait for the first token with a new key.
   */
  readonly keysCooldownMs?: number;
  /** How long the provider's keys are cached. */
  readonly keysMaxAgeMs?: number;
  /**
   * How long cached keys are trusted while the provider is unreachable: the longest outage tolerated, but also how
   * long a withdrawn key still works for an attacker who blocks the fetch.
   */
  readonly keysBelievedMs?: number;
}

/** The provider gave no valid response: the token can be neither accepted nor rejected. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

const TIMEOUT_MS = 5_000;
const metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });

/**
 * Creates the key lookup that jose calls to verify a token.
 *
 * @throws ProviderUnavailable if there are no usable keys; jose's own errors if the provider has no such key
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
    if (!response.ok)
      throw new Error(`the request for the discovery document failed with ${response.status}`);
    const found = metadata.parse(await response.json());
    if (found.issuer !== issuer) throw new Error('the discovery document names another issuer');
    if (!isHttpsOrLoopback(found.jwks_uri))
      throw new Error('the discovery document names a key URL without TLS');
    return createRemoteJWKSet(new URL(found.jwks_uri), {
      cooldownDuration: keysCooldownMs,
      cacheMaxAge: keysMaxAgeMs,
      timeoutDuration: TIMEOUT_MS,
      [jwksCache]: fetched,
    });
  }

  /** Looks in the cached keys: jose returns none older than `keysMaxAgeMs`, even if fetching newer ones failed. */
  async function knownKey(why: unknown, ...token: Parameters<JWTVerifyGetKey>) {
    const unavailable = new ProviderUnavailable('the identity provider returned no keys', { cause: why });
    const { uat = 0, jwks } = fetched;
    if (!jwks || Date.now() >= uat + keysBelievedMs) throw unavailable;
    return createLocalJWKSet(jwks)(...token).catch((error: unknown) => {
      // The token's key may be newer than the cached keys; only the provider, which is unreachable, could confirm it.
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
