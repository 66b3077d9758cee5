/**
 * Setting and checking a merchant's account at a rail. An account is `activating`, and nothing can be sold on
 * it, until its processor has been asked and can take money on it.
 */
import { type Actor, writeAudit } from '../db/audit.ts';
import type { Pool, Transaction } from '../db/pool.ts';
import * as accounts from '../db/rail-accounts.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { Scope } from '../domain/environment.ts';
import { openRailAccount } from '../rail/accounts.ts';
import type { Rail, RailAccount, RailCapabilities, RailProbe } from '../rail/rail.ts';

export interface RailAccountsContext {
  readonly pool: Pool;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly secretBox: SecretBox;
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

interface Refused {
  readonly kind: 'refused';
  readonly why: string;
}

export type SetAnswer =
  | Refused
  | { readonly kind: 'set'; readonly accountId: string; readonly status: Status; readonly probe: RailProbe };

type Status = RailAccount['status'];

/** Kept beside the credential, so that a later key of another account is noticed. */
const IDENTITY = 'identity';
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

/**
 * Stores what was found, on the account that was asked and no other: asking took so long that somebody may have set
 * other keys in between, or its processor refused it, and that stands.
 * @returns why nothing was stored; null when it was
 */
function store(
  { pool, secretBox }: RailAccountsContext,
  { asked, account, found, actor }: ToStore,
): Promise<Refused | null> {
  const change = changeOf(secretBox, account, found);
  return pool.transaction(async (tx) => {
    const inUse = await accounts.lockRailAccountInUse(tx, account);
    if (inUse !== null && inUse !== account.id) {
      return refused(
        `Nothing was changed: the merchant uses ${inUse}, and one account at a time. To leave it for another one, ` +
          'set that one and say so (replace).',
      );
    }
    const now = await accounts.lockRailAccount(tx, account.id);
    if (now.account_status !== asked.account_status || !now.credential.equals(asked.credential)) {
      return refused(
        `Nothing was changed: ${account.id} was changed by somebody else, or refused by its processor, while it was ` +
          'being asked. See how it is now, and try again.',
      );
    }
    await accounts.updateRailAccount(tx, account.id, change);
    await audit(tx, account, account.status, found, actor);
    return null;
  });
}

interface ToStore {
  /** The row as it was before its processor was asked. */
  readonly asked: accounts.StoredRailAccount;
  readonly account: RailAccount;
  readonly found: RailProbe;
  readonly actor: Actor;
}

/** What is stored of an account after its processor was asked. */
function changeOf(secretBox: SecretBox, account: RailAccount, found: RailProbe): accounts.RailAccountChange {
  const { identity, capabilities } = found;
  const credential = { ...account.credential, ...(identity && { [IDENTITY]: identity }) };
  const sealedCredential = secretBox.seal(JSON.stringify(credential));
  return { status: statusOf(found), capabilities, sealedCredential };
}

function statusOf({ usable }: RailProbe): Status {
  return usable ? 'active' : 'activating';
}

async function audit(
  tx: Transaction,
  { id, merchantId, environment, rail }: RailAccount,
  before: Status | null,
  found: RailProbe,
  actor: Actor,
): Promise<void> {
  const { identity, capabilities } = found;
  await writeAudit(tx, {
    ...{ ...actor, merchantId, environment, action: 'rail_account.set', subjectId: id },
    before: before && { status: before },
    after: {
      rail,
      status: statusOf(found),
      identity,
      capabilities: { ...capabilities, wallets: [...capabilities.wallets] },
    },
  });
}

interface WholeProbe extends RailProbe {
  /** Its time did not run out: what it did not find is not there, and may be stored. */
  readonly whole: boolean;
}

async function probe(rail: Rail, account: RailAccount, patienceMs: number): Promise<WholeProbe> {
  if (!rail.probe) throw new Error(`rail ${rail.name} cannot be probed`);
  const signal = AbortSignal.timeout(patienceMs);
  const found = await rail.probe(account, signal);
  if (!signal.aborted) return { ...found, whole: true };
  const late = { ok: false, text: 'It did not answer in time: nothing of this is stored. Try again.' };
  return { ...found, findings: [...found.findings, late], whole: false };
}

function notAsked({ findings }: RailProbe): string {
  const lacking = findings.filter(({ ok }) => !ok);
  return ['Nothing was changed.', ...lacking.map(({ text }) => text)].join(' ');
}

function refused(why: string): Refused {
  return { kind: 'refused', why };
}
