/**
 * Setting and checking a merchant's account at a rail. An account is `activating`, and nothing can be sold on
 * it, until its processor has been asked and can take money on it.
 */
import { type Actor, writeAudit } from '../../../db/core/audit.ts';
import * as accounts from '../../../db/merchant/rail-accounts.ts';
import type { Scope } from '../../../domain/environment.ts';
import type { RailCapabilities } from '../../../domain/rail-capabilities.ts';
import { openRailAccount } from '../../../rail/accounts.ts';
import type { Rail, RailAccount, RailProbe } from '../../../rail/rail.ts';
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
  /** What is not given stays as it was. */
  readonly credential: Readonly<Record<string, string>>;
  readonly actor: Actor;
  /** The merchant leaves the account in use, which is disabled, for this one. */
  readonly replace: boolean;
  /** How long the processor may take to say everything. */
  readonly patienceMs: number;
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
  if (!rail?.probe) return refused(`There is no rail "${input.rail}" here whose accounts can be set.`);
  const existing = await accounts.railAccountsOf(context.pool, input.scope);
  const inUse = existing.find(({ account_status: status }) => status !== 'disabled');
  const same = existing.find((account) => account.rail === input.rail);
  if (same && !input.replace) return changeAccount(context, rail, same, inUse, input);
  if (inUse && !input.replace) {
    return refused(
      `The merchant uses ${inUse.rail_account_id} at ${inUse.rail}. To leave it, say so (replace).`,
    );
  }
  return addAccount(context, rail, inUse, input);
}

/** A new key of the account that the merchant has, or had: its payments go on being looked up with it. */
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
      `The merchant uses ${inUse.rail_account_id} at ${inUse.rail}. To leave it, say so (replace).`,
    );
  }
  const account = { ...before, credential: { ...before.credential, ...input.credential } };
  const found = await probe(rail, account, input.patienceMs);
  if (!found.identity || !found.whole) return refused(notAsked(found));
  const known = before.credential[IDENTITY];
  if (known && known !== found.identity) {
    return refused(
      `Nothing was changed: these keys are of ${found.identity}, ${before.id} is ${known}. What is open there could ` +
        'not be looked up with them. To leave that account for this one, say so (replace).',
    );
  }
  const stop = await store(context, { asked: stored, account, found, actor: input.actor });
  return stop ?? { kind: 'set', accountId: account.id, status: statusOf(found), probe: found };
}

/** Nothing changes before the new account has said who it is: a mistyped key does not cost the one in use. */
async function addAccount(
  context: RailAccountsContext,
  rail: Rail,
  inUse: accounts.StoredRailAccount | undefined,
  { scope, credential, actor, patienceMs }: RailAccountToSet,
): Promise<SetAnswer> {
  const { pool, secretBox } = context;
  const id = await accounts.newRailAccountId(pool);
  const account: RailAccount = {
    ...{ id, ...scope, rail: rail.name, status: 'activating', capabilities: NOTHING, credential },
  };
  const found = await probe(rail, account, patienceMs);
  if (!found.identity || !found.whole) return refused(notAsked(found));
  const change = changeOf(secretBox, account, found);
  const added = await pool.transaction(async (tx) => {
    const now = await accounts.lockRailAccountInUse(tx, scope);
    if (now !== (inUse?.rail_account_id ?? null)) return false;
    if (inUse) {
      await accounts.disableRailAccount(tx, inUse.rail_account_id);
      await writeAudit(tx, {
        ...{ ...scope, ...actor, action: 'rail_account.replaced', subjectId: inUse.rail_account_id },
        before: { status: inUse.account_status },
        after: { status: 'disabled' },
      });
    }
    await accounts.insertRailAccount(tx, { id, scope, rail: rail.name, ...change });
    await audit(tx, account, null, found, actor);
    return true;
  });
  if (!added)
    return refused('Nothing was changed: the account in use became another one at the same moment.');
  return { kind: 'set', accountId: id, status: change.status, probe: found };
}

export interface RailAccountToCheck extends Pick<RailAccountToSet, 'actor' | 'patienceMs'> {
  readonly accountId: string;
  /** Also store what an account in use can do now, or bring back a disabled one. */
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

/** Asks, and activates an account that waits for that. What one in use can do is changed only when told to. */
export async function checkRailAccount(
  context: RailAccountsContext,
  { accountId, actor, apply, patienceMs }: RailAccountToCheck,
): Promise<CheckAnswer> {
  const stored = await accounts.findAnyRailAccount(context.pool, accountId);
  if (!stored || !context.rails.get(stored.rail)?.probe) return { kind: 'unknown' };
  const { rail, account } = openRailAccount(context, stored);
  const found = await probe(rail, account, patienceMs);
  const changes = account.status === 'activating' ? found.usable : apply && found.identity !== null;
  if (!changes || !found.whole) return { kind: 'checked', account, status: account.status, probe: found };
  const stop = await store(context, { asked: stored, account, found, actor });
  return stop ?? { kind: 'checked', account, status: statusOf(found), probe: found };
}

function notAsked({ findings }: RailProbe): string {
  const lacking = findings.filter(({ ok }) => !ok);
  return ['Nothing was changed.', ...lacking.map(({ text }) => text)].join(' ');
}
