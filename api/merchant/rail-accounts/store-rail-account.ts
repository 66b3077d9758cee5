/** Stores the result of a probe, with its audit entry. */
import { type Actor, writeAudit } from '../../../db/core/audit.ts';
import type { Pool, Transaction } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { alertOfAccount } from '../../../db/merchant/rail-account-trouble.ts';
import * as accounts from '../../../db/merchant/rail-accounts.ts';
import { useConfirmation } from '../../../db/operations/operator-requests.ts';
import type { SecretBox } from '../../../platform/secrets/encryption.ts';
import { railCredentialOf } from '../../../platform/secrets/places.ts';
import type { RailAccount, RailProbe } from '../../../rail/rail-account.ts';

export interface StoreContext {
  readonly pool: Pool;
  readonly secretBox: SecretBox;
}

export type Status = RailAccount['status'];

export interface Refused {
  readonly kind: 'refused';
  readonly why: string;
}

/**
 * Stores the result on the probed account only. Keys set during the probe, or a rejection by the processor, take
 * precedence.
 *
 * @returns why nothing was stored; null on success
 */
export function store(
  { pool, secretBox }: StoreContext,
  { asked, account, found, actor, confirmation, replaced, otherKeys = false }: ToStore,
): Promise<Refused | null> {
  const change = changeOf(secretBox, account, found);
  return inTransaction(pool, async (tx) => {
    const inUse = await accounts.lockRailAccountInUse(tx, account);
    if (inUse !== null && inUse !== account.id && inUse !== replaced) {
      return refused(
        `Nothing was changed: the merchant uses ${inUse}, and can use one account at a time. To replace it, ` +
          'set the new one with replace.',
      );
    }
    const now = await accounts.lockRailAccount(tx, account.id);
    if (now.account_status !== asked.account_status || !now.credential.equals(asked.credential)) {
      return refused(
        `Nothing was changed: ${account.id} was changed, or refused by its processor, while it was ` +
          'being checked. Read it again and retry.',
      );
    }
    const owner = await rowOfSameAccount(tx, account, found);
    if (owner) {
      return refused(
        `Nothing was changed: ${owner} is the same account and has its stored cards. To use it again, set these ` +
          'keys with replace (--replace).',
      );
    }
    if (confirmation) await useConfirmation(tx, confirmation);
    if (inUse !== null && inUse !== account.id) await disableReplaced(tx, inUse, actor);
    await accounts.updateRailAccount(tx, account.id, change);
    if (otherKeys) await alertOfAccount(tx, account, account.id, 'rail_account_keys_changed');
    await audit(
      tx,
      account,
      { rail: now.rail, status: now.account_status, identity: now.identity },
      found,
      actor,
    );
    return null;
  });
}

/** Who makes a change, and the confirmation that it uses if it requires two people. */
export interface Permitted {
  readonly actor: Actor;
  /** A request's id. */
  readonly confirmation?: string;
}

interface ToStore extends Permitted {
  /** The row before the probe. */
  readonly asked: accounts.StoredRailAccount;
  readonly account: RailAccount;
  readonly found: RailProbe;
  /** The account in use that this one replaces. */
  readonly replaced?: string | undefined;
  /** True if a stored key changes: the merchant is then notified. */
  readonly otherKeys?: boolean;
}

function rowOfSameAccount(tx: Transaction, account: RailAccount, { identity }: RailProbe) {
  const { id: not, rail } = account;
  return identity && accounts.findRowOfIdentity(tx, account, { rail, identity, not });
}

/** Disables the replaced account and notifies the merchant. Call while holding the lock of the account in use. */
export async function disableReplaced(tx: Transaction, accountId: string, actor: Actor): Promise<void> {
  const before = await accounts.lockRailAccount(tx, accountId);
  await accounts.disableRailAccount(tx, accountId);
  await writeAudit(tx, {
    ...actor,
    merchantId: before.merchant_id,
    environment: before.environment,
    action: 'rail_account.replaced',
    subjectId: accountId,
    before: { status: before.account_status },
    after: { status: 'disabled' },
  });
  const scope = { merchantId: before.merchant_id, environment: before.environment };
  await alertOfAccount(tx, scope, accountId, 'rail_account_replaced');
}

/** Returns the changes to store after a probe. */
export function changeOf(
  secretBox: SecretBox,
  account: RailAccount,
  found: RailProbe,
): accounts.RailAccountChange {
  const { identity, capabilities } = found;
  const sealedCredential = secretBox.seal(JSON.stringify(account.credential), railCredentialOf(account.id));
  return { status: statusOf(found), capabilities, identity, sealedCredential };
}

export function statusOf({ usable }: RailProbe): Status {
  return usable ? 'active' : 'activating';
}

interface AuditedBefore {
  readonly rail: string;
  readonly status: Status;
  readonly identity: string | null;
}

export async function audit(
  tx: Transaction,
  { id, merchantId, environment, rail }: RailAccount,
  before: AuditedBefore | null,
  found: RailProbe,
  actor: Actor,
): Promise<void> {
  const { identity, capabilities } = found;
  await writeAudit(tx, {
    ...actor,
    merchantId,
    environment,
    action: 'rail_account.set',
    subjectId: id,
    before: before && { ...before },
    after: {
      rail,
      status: statusOf(found),
      identity,
      capabilities: { ...capabilities, wallets: [...capabilities.wallets] },
    },
  });
}

export function refused(why: string): Refused {
  return { kind: 'refused', why };
}
