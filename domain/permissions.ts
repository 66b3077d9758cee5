/**
 * Who may do what under `/v1/merchants`. A person has their role at the merchants that their token names; a
 * `platform` person, who runs the installation, has it at all of them. A merchant's API key reads, and no more.
 */
export const ROLES = ['owner', 'developer', 'support', 'platform'] as const;
export type Role = (typeof ROLES)[number];

/** The one table: what there is to be allowed, and to whom it is. */
export const PERMISSIONS = {
  /** Everything of the merchant's but the audit log. */
  read: ['owner', 'developer', 'support', 'platform'],
  /** Catalogue, storefront clients, webhook endpoints, branding. */
  administer: ['owner', 'developer'],
  /** API keys of both environments: whoever finds a leaked one must be able to revoke it at once. */
  manage_keys: ['owner', 'developer'],
  /** Name and legal identity, which stand on the hosted page and on invoices. */
  manage_identity: ['owner', 'platform'],
  read_audit: ['owner', 'platform'],
  /** Creating merchants, their status, capabilities and rail accounts: what decides whether money can move. */
  operate: ['platform'],
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof PERMISSIONS;

/** What is left to a merchant's own people while the merchant is inactive. */
const WHILE_INACTIVE: readonly Permission[] = ['read', 'read_audit'];

export function permissionsOf(
  roles: readonly Role[],
  merchantStatus: 'active' | 'inactive',
): ReadonlySet<Permission> {
  const allowed = (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => {
    const holders: readonly Role[] = PERMISSIONS[permission];
    return roles.some(
      (role) =>
        holders.includes(role) &&
        (merchantStatus === 'active' || role === 'platform' || WHILE_INACTIVE.includes(permission)),
    );
  });
  return new Set(allowed);
}
