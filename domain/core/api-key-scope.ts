/** The permissions of an API key. */
import type { Permission } from './permissions.ts';

export const API_KEY_SCOPES = ['all', 'read', 'catalogue'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/**
 * A key's permissions under `/v1/merchants`; on other routes, `all` may do everything and `read` only GET. `all` cannot
 * change the catalogue: a shop's server holds such a key, and whoever steals it must not be able to change prices.
 */
export const PERMISSIONS_OF_SCOPE: Readonly<Record<ApiKeyScope, readonly Permission[]>> = {
  all: ['read'],
  read: ['read'],
  catalogue: ['manage_catalogue'],
};

/** The scopes that include at least one of these permissions. */
export function scopesWith(permissions: readonly Permission[]): readonly ApiKeyScope[] {
  return API_KEY_SCOPES.filter((scope) =>
    PERMISSIONS_OF_SCOPE[scope].some((each) => permissions.includes(each)),
  );
}
