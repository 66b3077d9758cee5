/** Creates a key in two forms: the key for the caller, its hash for the database. */
import { createApiKey, hashApiKey } from '../../../contract/merchant/api-key.ts';
import type { ApiKey } from '../../../contract/merchant/api-keys.ts';
import type { KeyTerms, NewKey } from '../../../db/merchant/api-keys.ts';

export function makeApiKey(
  terms: KeyTerms,
  pepper: string,
): { readonly key: string; readonly stored: NewKey } {
  const key = createApiKey(terms.environment);
  return { key, stored: { ...terms, hmac: hashApiKey(key, pepper), last4: key.slice(-4) } };
}

/** Terms of a new merchant's first key, which is for the sandbox. */
export const FIRST_KEY: KeyTerms = { environment: 'sandbox', name: 'First key', scope: 'all', endsAt: null };

export function withSecret(apiKey: ApiKey, key: string) {
  return { ...apiKey, key };
}
