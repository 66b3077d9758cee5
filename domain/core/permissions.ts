/**
 * Permissions under `/v1/merchants`. A person has their role at the merchants named in their token; a `platform`
 * person, who runs the installation, has it at every merchant. A merchant's API key may only read.
 */
export const ROLES = ['owner', 'developer', 'support', 'platform'] as const;
export type Role = (typeof ROLES)[number];

/** Every permission and the roles that have it. */
export const PERMISSIONS = {
  /** Everything about the merchant except the audit log. */
  read: ['owner', 'developer', 'support', 'platform'],
  /** Catalogue, storefront clients, webhook endpoints, branding. */
  administer: ['owner', 'developer'],
  /** Refunds; cancelling and changing subscriptions: anything that moves or stops a buyer's money. */
  manage_billing: ['owner', 'developer'],
  /** Requests of subscribers and consequences of agreements: withdrawing a cancellation, charging an unpaid invoice. */
  serve_subscribers: ['owner', 'support'],
  /** API keys of both environments: anyone who finds a leaked key must be able to revoke it at once. */
  manage_keys: ['owner', 'developer'],
  /** Name and legal identity, which appear on the hosted page and on invoices. */
  manage_identity: ['owner', 'platform'],
  read_audit: ['owner', 'platform'],
  /**
   * Creating merchants, their status, capabilities and rail accounts: anything that decides whether money can
   * move.
   */
  operate: ['platform'],
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof PERMISSIONS;

/** Under `/v1/operations`, `support` sees its merchants', `platform` sees and does everything. */
export const OPERATIONS = {
  see: ['support', 'platform'],
  act: ['platform'],
} as const satisfies Record<string, readonly Role[]>;

/** The remaining permissions of a merchant's own people while the merchant is inactive. */
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
