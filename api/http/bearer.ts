/**
 * The `Authorization` header of API keys and access tokens (RFC 6750). It is outside `auth/`, which imports
 * it, because `rate-limit.ts` reads it too.
 */

/** @returns the token; null if the header is not of the form `Bearer <token>`, with the scheme in any case */
export function readBearer(authorization: string): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}
