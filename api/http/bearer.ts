/**
 * Parses the `Authorization` header of API keys and access tokens (RFC 6750). This file is outside
 * `authentication/` because `rate-limit.ts` needs it too.
 */

/** @returns the token; null unless the header has the form `Bearer <token>`, with the scheme in any case */
export function readBearer(authorization: string): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}
