/** Maps an access token to a person. */
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { ROLES, type Role } from '../../../domain/core/permissions.ts';
import { ApiError } from '../errors.ts';
import type { Person } from '../person.ts';
import { type ProviderOptions, providerKeys } from './identity-provider.ts';

export interface PeopleOptions extends ProviderOptions {
  /** The `aud` of tokens for this service. */
  readonly audience: string;
  /** The claim with the ids of the person's merchants: one, or a list. */
  readonly merchantsClaim: string;
  /** The claim with the person's role or roles. */
  readonly roleClaim: string;
  /** Maps the claim's values to roles; if undefined, the values are role names. Unknown values are ignored. */
  readonly roles?: ReadonlyMap<string, Role> | undefined;
  /** The required `typ` header of tokens, such as `at+jwt`; undefined skips the check. */
  readonly tokenType?: string | undefined;
  /** Tolerated difference between the provider's clock and this one. */
  readonly clockToleranceSeconds: number;
}

/** Asymmetric signatures only: neither shared secrets nor `none`. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const oneOrMore = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === 'string' ? [value] : value))
  .catch([]);
const OWN_NAMES: ReadonlyMap<string, Role> = new Map(ROLES.map((role) => [role, role]));
/** Printable characters only, because the subject is written to the audit log. */
const subject = z.string().regex(/^[\x20-\x7e]{1,255}$/);

/**
 * @returns a function that maps a token to its person; it throws ApiError 401 `access_token_invalid` or
 *   `access_token_expired`, 403 `access_token_role_missing`, and ProviderUnavailable
 */
export function tokenReader(options: PeopleOptions): (token: string) => Promise<Person> {
  const keys = providerKeys(options);
  return async (token) => personOf(await verifiedClaims(token, keys, options), options);
}

async function verifiedClaims(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience, tokenType, clockToleranceSeconds }: PeopleOptions,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['exp', 'sub'],
      ...(tokenType !== undefined && { typ: tokenType }),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw tokenRefusal('access_token_expired');
    if (error instanceof errors.JOSEError) throw tokenRefusal('access_token_invalid');
    throw error;
  }
}

function personOf(
  claims: JWTPayload,
  { merchantsClaim, roleClaim, roles: named = OWN_NAMES }: PeopleOptions,
): Person {
  const { success, data: sub } = subject.safeParse(claims.sub);
  if (!success) throw tokenRefusal('access_token_invalid');
  const claimed = oneOrMore.parse(claims[roleClaim]);
  const roles = ROLES.filter((role) => claimed.some((value) => named.get(value) === role));
  if (roles.length === 0) throw new ApiError('access_token_role_missing');
  return { actor: `person:${sub}`, roles, merchants: oneOrMore.parse(claims[merchantsClaim]) };
}

function tokenRefusal(code: 'access_token_invalid' | 'access_token_expired'): ApiError {
  return new ApiError(code, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
}
