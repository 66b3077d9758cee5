/**
 * Permissions under `/v1/merchants`. People have their roles only at the merchants named in their token; those with the
 * role `platform`, who run the installation, have it at every merchant.
 */
export const ROLES = ['owner', 'manager', 'support', 'developer', 'analyst', 'platform'] as const;
export type Role = (typeof ROLES)[number];

/** Every permission and the roles that have it. */
export const PERMISSIONS = {
  /** Reading everything about the merchant except the audit log, including search and exports. */
  read: ['owner', 'manager', 'support', 'developer', 'analyst', 'platform'],
  /** Refunds of any amount. */
  refund: ['owner', 'manager'],
  /** Refunds up to the merchant's `support_refund_limit`. */
  refund_within_limit: ['support'],
  /** Setting `support_refund_limit`: people whom it limits must not raise it. */
  set_refund_limit: ['owner'],
  /**
   * Ending a subscription immediately, moving its trial's end, changing its plan or price, renewals after a
   * lost dispute.
   */
  manage_subscriptions: ['owner', 'manager'],
  /**
   * Actions that subscribers ask for: cancelling at the period's end and undoing it, pausing, charging an unpaid
   * invoice, sending a link to replace the payment method, changing a customer's name, address and tax id.
   */
  serve_subscribers: ['owner', 'manager', 'support'],
  /** Moving the clock of a sandbox subscription. */
  move_clock: ['owner', 'manager', 'developer'],
  /** Products, prices and offerings. */
  manage_catalogue: ['owner', 'manager', 'developer'],
  /** Coupons, which give money away. */
  manage_coupons: ['owner', 'manager'],
  /** Logo, colour and language of the hosted page. */
  manage_branding: ['owner', 'manager', 'developer'],
  /** Webhook endpoints and storefront clients. */
  manage_endpoints: ['owner', 'developer'],
  /** Sending a recorded event to its endpoints again. */
  resend_events: ['owner', 'manager', 'support', 'developer'],
  /** API keys of both environments: anyone who finds a leaked key must be able to revoke it immediately. */
  manage_keys: ['owner', 'developer'],
  /** Name, legal identity and settings, which appear on the hosted page and on invoices. */
  manage_identity: ['owner', 'platform'],
  read_audit: ['owner', 'platform'],
  /**
   * Creating merchants, their status, capabilities and rail accounts: everything that decides whether money can move.
   */
  operate: ['platform'],
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof PERMISSIONS;

/** Under `/v1/operations`, `support` sees its own merchants' data; `platform` sees everything and may change it. */
export const OPERATIONS = {
  see: ['support', 'platform'],
  act: ['platform'],
} as const satisfies Record<string, readonly Role[]>;

/** The permissions that a merchant's own people keep while the merchant is inactive. */
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
