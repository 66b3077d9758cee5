/** A new key in two forms: the key for the caller, its hash for the database. */
import { createApiKey, hashApiKey } from '../../../contract/merchant/api-key.ts';
import type { ApiKey } from '../../../contract/merchant/api-keys.ts';
import type { NewKey } from '../../../db/merchant/api-keys.ts';
import type { Environment } from '../../../domain/core/environment.ts';

export function makeApiKey(
  environment: Environment,
  pepper: string,
): { readonly key: string; readonly stored: NewKey } {
  const key = createApiKey(environment);
  return { key, stored: { environment, hmac: hashApiKey(key, pepper), last4: key.slice(-4) } };
}

export function withSecret(apiKey: ApiKey, key: string) {
  return { ...apiKey, key };
}
