/**
 * Sets and checks a merchant's account at a rail. An account is `activating`, and cannot take sales, until its
 * processor confirms that it can take money.
 */
import { type Actor, writeAudit } from '../../../db/core/audit.ts';
import * as accounts from '../../../db/merchant/rail-accounts.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import type { RailCapabilities } from '../../../domain/payment/rail-capabilities.ts';
import { openRailAccount } from '../../../rail/accounts.ts';
import type { Rail } from '../../../rail/rail.ts';
import type { RailAccount, RailProbe } from '../../../rail/rail-account.ts';
import { probe } from './ask-rail-account.ts';
import {
  audit,
  changeOf,
  IDENTITY,
  type Refused,
  refused,
  type Status,
  type StoreContext,
  statusOf,
  store,
} from './store-rail-account.ts';

export interface RailAccountsContext extends StoreContext {
  readonly rails: ReadonlyMap<string, Rail>;
}

export interface RailAccountToSet {
  readonly scope: Scope;
  readonly rail: string;
  /** Absent fields stay unchanged. */
  readonly credential: Readonly<Record<string, string>>;
  readonly actor: Actor;
  /** Replaces the active account, which is then disabled. */
  readonly replace: boolean;
  /** How long to wait for the processor's complete answer. */
  readonly timeoutMs: number;
}

export type SetAnswer =
  | Refused
  | { readonly kind: 'set'; readonly accountId: string; readonly status: Status; readonly probe: RailProbe };

const NOTHING: RailCapabilities = {
  cardFields: false,
  recurring: false,
  wallets: [],
  refunds: false,
  currencies: [],
};

export async function setRailAccount(
  context: RailAccountsContext,
  input: RailAccountToSet,
): Promise<SetAnswer> {
  const rail = context.rails.get(input.rail);
  if (!rail?.probe)
    return refused(`Rail "${input.rail}" is not configured, or its accounts cannot be set here.`);
  const existing = await accounts.railAccountsOf(context.pool, input.scope);
  const inUse = existing.find(({ account_status: status }) => status !== 'disabled');
  const same = existing.find((account) => account.rail === input.rail);
  if (same && !input.replace) return changeAccount(context, rail, same, inUse, input);
  if (inUse && !input.replace) {
    return refused(
      `The merchant uses ${inUse.rail_account_id} at ${inUse.rail}. To replace it, set replace (--replace).`,
    );
  }
  return addAccount(context, rail, inUse, input);
}

/** A new key for a current or former account: its payments are looked up with it from now on. */
async function changeAccount(
  context: RailAccountsContext,
  rail: Rail,
  stored: accounts.StoredRailAccount,
  inUse: accounts.StoredRailAccount | undefined,
  input: RailAccountToSet,
): Promise<SetAnswer> {
  const { account: before } = openRailAccount(context, stored);
  if (inUse && inUse.rail_account_id !== before.id) {
    return refused(
      `The merchant uses ${inUse.rail_account_id} at ${inUse.rail}. To replace it, set replace (--replace).`,
    );
  }
  const account = { ...before, credential: { ...before.credential, ...input.credential } };
  const found = await probe(rail, account, input.timeoutMs);
  if (!found.identity || !found.whole) return refused(notAsked(found));
  const known = before.credential[IDENTITY];
  if (known && known !== found.identity) {
    return refused(
      `Nothing was changed: these are keys of ${found.identity}, ${before.id} is ${known}. Its open payments could ` +
        'not be looked up with them. To replace that account with this one, set replace (--replace).',
    );
  }
  const stop = await store(context, { asked: stored, account, found, actor: input.actor });
  return stop ?? { kind: 'set', accountId: account.id, status: statusOf(found), probe: found };
}

/** Nothing changes before the new account is identified: a mistyped key must not cost the active one. */
async function addAccount(
  context: RailAccountsContext,
  rail: Rail,
  inUse: accounts.StoredRailAccount | undefined,
  { scope, credential, actor, timeoutMs }: RailAccountToSet,
): Promise<SetAnswer> {
  const { pool, secretBox } = context;
  const id = await accounts.newRailAccountId(pool);
  const account: RailAccount = {
    id,
    ...scope,
    rail: rail.name,
    status: 'activating',
    capabilities: NOTHING,
    credential,
  };
  const found = await probe(rail, account, timeoutMs);
  if (!found.identity || !found.whole) return refused(notAsked(found));
  const change = changeOf(secretBox, account, found);
  const added = await pool.transaction(async (tx) => {
    const now = await accounts.lockRailAccountInUse(tx, scope);
    if (now !== (inUse?.rail_account_id ?? null)) return false;
    if (inUse) {
      await accounts.disableRailAccount(tx, inUse.rail_account_id);
      await writeAudit(tx, {
        ...scope,
        ...actor,
        action: 'rail_account.replaced',
        subjectId: inUse.rail_account_id,
        before: { status: inUse.account_status },
        after: { status: 'disabled' },
      });
    }
    await accounts.insertRailAccount(tx, { id, scope, rail: rail.name, ...change });
    await audit(tx, account, null, found, actor);
    return true;
  });
  if (!added) return refused('Nothing was changed: another account has just become the active one.');
  return { kind: 'set', accountId: id, status: change.status, probe: found };
}

export interface RailAccountToCheck extends Pick<RailAccountToSet, 'actor' | 'timeoutMs'> {
  readonly accountId: string;
  /** Also store the capabilities of an active account, or reactivate a disabled one. */
  readonly apply: boolean;
}

export type CheckAnswer =
  | Refused
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'checked';
      readonly account: RailAccount;
      readonly status: Status;
      readonly probe: RailProbe;
    };

/**
 * Probes the account, and activates one that is `activating`. An active account's capabilities change only on
 * request.
 */
export async function checkRailAccount(
  context: RailAccountsContext,
  { accountId, actor, apply, timeoutMs }: RailAccountToCheck,
): Promise<CheckAnswer> {
  const stored = await accounts.findAnyRailAccount(context.pool, accountId);
  if (!stored || !context.rails.get(stored.rail)?.probe) return { kind: 'unknown' };
  const { rail, account } = openRailAccount(context, stored);
  const found = await probe(rail, account, timeoutMs);
  const changes = account.status === 'activating' ? found.usable : apply && found.identity !== null;
  if (!changes || !found.whole) return { kind: 'checked', account, status: account.status, probe: found };
  const stop = await store(context, { asked: stored, account, found, actor });
  return stop ?? { kind: 'checked', account, status: statusOf(found), probe: found };
}

function notAsked({ findings }: RailProbe): string {
  const lacking = findings.filter(({ ok }) => !ok);
  return ['Nothing was changed.', ...lacking.map(({ text }) => text)].join(' ');
}
