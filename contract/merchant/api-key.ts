/**
 * Format of API keys: `ap_test_` or `ap_live_`, 64 hex characters (256 random bits), then a checksum of 8 hex
 * characters, so that a mistyped key is rejected without a query. Only an HMAC of the key, with a pepper, is stored.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Environment } from '../../domain/core/environment.ts';

const PREFIX: Readonly<Record<Environment, string>> = { sandbox: 'ap_test_', production: 'ap_live_' };
const FORM = /^ap_(test|live)_[0-9a-f]{72}$/;
const CHECKSUM_CHARACTERS = 8;

export function createApiKey(environment: Environment): string {
  const body = PREFIX[environment] + randomBytes(32).toString('hex');
  return body + checksum(body);
}

/** Returns the environment of a well-formed key; null for a malformed one. */
export function environmentOfApiKey(key: string): Environment | null {
  if (!FORM.test(key)) return null;
  const body = key.slice(0, -CHECKSUM_CHARACTERS);
  if (checksum(body) !== key.slice(-CHECKSUM_CHARACTERS)) return null;
  return key.startsWith(PREFIX.sandbox) ? 'sandbox' : 'production';
}

export function hashApiKey(key: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, CHECKSUM_CHARACTERS);
}
