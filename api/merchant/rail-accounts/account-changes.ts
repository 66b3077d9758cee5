/**
 * Sets and checks a merchant's account at a rail. An account is `activating`, and cannot take sales, until its
 * processor confirms that it can take money.
 */
import type { Actor } from '../../../db/core/audit.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { alertOfAccount } from '../../../db/merchant/rail-account-trouble.ts';
import * as accounts from '../../../db/merchant/rail-accounts.ts';
import { useConfirmation } from '../../../db/operations/operator-requests.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import type { RailCapabilities } from '../../../domain/payment/rail-capabilities.ts';
import { openRailAccount } from '../../../rail/accounts.ts';
import type { Rail } from '../../../rail/rail.ts';
import type { RailAccount, RailProbe } from '../../../rail/rail-account.ts';
import { probe } from './ask-rail-account.ts';
import { type SecondPersonContext, whoChanges } from './second-person.ts';
import {
  audit,
  changeOf,
  disableReplaced,
  type Permitted,
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

type SettingContext = RailAccountsContext & SecondPersonContext;

export interface RailAccountToSet {
  readonly scope: Scope;
  readonly rail: string;
  /** Absent fields stay unchanged. */
  readonly credential: Readonly<Record<string, string>>;
  readonly actor: Actor;
  /** Replaces the active account, which becomes disabled. */
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

interface Setting extends RailAccountToSet {
  /** Limits the total time for the processor's answers, regardless of the number of requests. */
  readonly signal: AbortSignal;
  readonly inUse: accounts.StoredRailAccount | undefined;
  /** The merchant's accounts, the one in use first. */
  readonly existing: readonly accounts.StoredRailAccount[];
}

export async function setRailAccount(context: SettingContext, asked: RailAccountToSet): Promise<SetAnswer> {
  const rail = context.rails.get(asked.rail);
  if (!rail?.probe)
    return refused(`Rail "${asked.rail}" is not configured, or its accounts cannot be set here.`);
  const existing = await accounts.railAccountsOf(context.pool, asked.scope);
  const ofRail = existing.filter((account) => account.rail === asked.rail);
  const inUse = existing.find(({ account_status: status }) => status !== 'disabled');
  const input = { ...asked, inUse, existing, signal: AbortSignal.timeout(asked.timeoutMs) };
  if (input.replace) return replaceAccount(context, rail, ofRail, input);
  const [same] = ofRail;
  if (inUse && inUse.rail_account_id !== same?.rail_account_id) {
    return refused(
      `The merchant uses ${inUse.rail_account_id} at ${inUse.rail}. To replace it, set replace (--replace).`,
    );
  }
  return same ? changeAccount(context, rail, same, input) : replaceAccount(context, rail, [], input);
}

/** Stores new keys of a current or former account, whose payments are looked up with these keys from now on. */
async function changeAccount(
  context: SettingContext,
  rail: Rail,
  stored: accounts.StoredRailAccount,
  { scope, credential, signal, actor: asker, inUse, existing }: Setting,
): Promise<SetAnswer> {
  const { account: before } = openRailAccount(context, stored);
  const account = { ...before, credential: { ...before.credential, ...credential } };
  const found = await probe(rail, account, signal);
  if (!found.identity || !found.whole) return refused(notAsked(found));
  const { identity: known } = stored;
  if (known && known !== found.identity) {
    return refused(
      `Nothing was changed: these keys belong to ${found.identity}, but ${before.id} is ${known}, and its open ` +
        'payments cannot be looked up with them. To switch accounts, set replace (--replace).',
    );
  }
  // Adding a missing key, usually the webhook secret, does not count as a change of keys.
  const otherKeys = Object.entries(before.credential).some(([name, key]) => account.credential[name] !== key);
  const [latest] = existing;
  const { identity } = found;
  const change = { scope, actor: asker, existing, rail: rail.name, identity, credential: account.credential };
  const same = !otherKeys && latest?.rail_account_id === stored.rail_account_id;
  const permitted = same ? { actor: asker } : await whoChanges(context, change);
  if ('kind' in permitted) return permitted;
  const replaced = inUse?.rail_account_id;
  const stop = await store(context, { asked: stored, account, found, ...permitted, replaced, otherKeys });
  return stop ?? { kind: 'set', accountId: account.id, status: statusOf(found), probe: found };
}

/**
 * Switches to the account of the given keys. Nothing changes until the account is identified, so that a mistyped key
 * does not disable the active account. An existing row is reused, because stored cards are bound to it.
 */
async function replaceAccount(
  context: SettingContext,
  rail: Rail,
  ofRail: readonly accounts.StoredRailAccount[],
  input: Setting,
): Promise<SetAnswer> {
  const { scope, credential, signal, existing, actor: asker } = input;
  const account: RailAccount = {
    id: await accounts.newRailAccountId(context.pool),
    ...scope,
    rail: rail.name,
    status: 'activating',
    capabilities: NOTHING,
    credential,
  };
  const found = await probe(rail, account, signal);
  if (!found.identity || !found.whole) return refused(notAsked(found));
  const owner = await rowOf(context, ofRail, found.identity, signal);
  if (owner) return changeAccount(context, rail, owner, input);
  const { identity } = found;
  const change = { scope, actor: asker, existing, rail: rail.name, identity, credential };
  const permitted = await whoChanges(context, change);
  return 'kind' in permitted ? permitted : addAccount(context, account, found, { ...input, ...permitted });
}

/** Finds the row of the processor's account. A row that was never identified is probed with its own keys. */
async function rowOf(
  context: RailAccountsContext,
  ofRail: readonly accounts.StoredRailAccount[],
  identity: string,
  signal: AbortSignal,
): Promise<accounts.StoredRailAccount | undefined> {
  const known = ofRail.find((stored) => stored.identity === identity);
  if (known) return known;
  for (const stored of ofRail.filter((row) => row.identity === null)) {
    const { rail, account } = openRailAccount(context, stored);
    if ((await probe(rail, account, signal)).identity === identity) return stored;
  }
  return undefined;
}

async function addAccount(
  { pool, secretBox }: RailAccountsContext,
  account: RailAccount,
  found: RailProbe,
  { scope, inUse, existing, actor, confirmation }: Setting & Permitted,
): Promise<SetAnswer> {
  const { id, rail } = account;
  const former = existing.find(({ was_active: wasActive }) => wasActive);
  const change = changeOf(secretBox, account, found);
  const added = await inTransaction(pool, async (tx) => {
    const now = await accounts.lockRailAccountInUse(tx, scope);
    if (now !== (inUse?.rail_account_id ?? null)) return false;
    if (confirmation) await useConfirmation(tx, confirmation);
    if (now !== null) await disableReplaced(tx, now, actor);
    else if (former) await alertOfAccount(tx, scope, former.rail_account_id, 'rail_account_replaced');
    await accounts.insertRailAccount(tx, { id, scope, rail, ...change });
    await audit(tx, account, null, found, actor);
    return true;
  });
  if (!added) return refused('Nothing was changed: another account has just become the active one.');
  return { kind: 'set', accountId: id, status: change.status, probe: found };
}

export interface RailAccountToCheck extends Pick<RailAccountToSet, 'actor' | 'timeoutMs'> {
  readonly accountId: string;
  /** If true, also stores the capabilities of an active account, or reactivates a disabled one. */
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
 * Probes the account, and activates it if it is `activating`. An active account's capabilities change only on request.
 */
export async function checkRailAccount(
  context: RailAccountsContext,
  { accountId, actor, apply, timeoutMs }: RailAccountToCheck,
): Promise<CheckAnswer> {
  const stored = await accounts.findAnyRailAccount(context.pool, accountId);
  if (!stored || !context.rails.get(stored.rail)?.probe) return { kind: 'unknown' };
  const { rail, account } = openRailAccount(context, stored);
  const found = await probe(rail, account, AbortSignal.timeout(timeoutMs));
  // A disabled account stays disabled until it can take money, because as `activating` it would not be an incident.
  const changes =
    account.status === 'active'
      ? apply && found.identity !== null
      : found.usable && (apply || account.status === 'activating');
  if (!changes || !found.whole) return { kind: 'checked', account, status: account.status, probe: found };
  // Switching accounts requires two people (`whoChanges`).
  const [latest] = await accounts.railAccountsOf(context.pool, account);
  if (latest?.rail_account_id !== accountId) {
    return refused(
      `Nothing was changed: ${latest?.rail_account_id} is the merchant's latest account. To use ${accountId} again, set ` +
        'its keys with replace.',
    );
  }
  const stop = await store(context, { asked: stored, account, found, actor });
  return stop ?? { kind: 'checked', account, status: statusOf(found), probe: found };
}

function notAsked({ findings }: RailProbe): string {
  const lacking = findings.filter(({ ok }) => !ok);
  return ['Nothing was changed.', ...lacking.map(({ text }) => text)].join(' ');
}
