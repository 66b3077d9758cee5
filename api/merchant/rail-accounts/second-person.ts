/** Prevents one person alone from redirecting a merchant's production sales. */
import type { ReplaceRail } from '../../../contract/operations/requests.ts';
import type { Actor } from '../../../db/core/audit.ts';
import type { StoredRailAccount } from '../../../db/merchant/rail-accounts.ts';
import { findConfirmation, storeRequestToConfirm } from '../../../db/operations/operator-requests.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { keyedHash } from '../../../platform/secrets/keyed-hash.ts';
import type { RailAccount } from '../../../rail/rail-account.ts';
import { type Permitted, type Refused, refused, type StoreContext } from './store-rail-account.ts';

export interface SecondPersonContext extends StoreContext {
  /**
   * Limit in cents. A change of account or keys affects all future sales, so it exceeds any limit. Null means that no
   * second person is needed.
   */
  readonly secondPersonAbove: number | null;
  /** Read only if a second person is needed. */
  readonly apiKeyPepper: () => string;
}

interface Change {
  readonly scope: Scope;
  readonly actor: Actor;
  /** The merchant's accounts, the one in use first. */
  readonly existing: readonly StoredRailAccount[];
  readonly rail: string;
  readonly identity: string;
  /** The credential as it will be stored. */
  readonly credential: RailAccount['credential'];
}

/**
 * @returns the actor to record, and the confirmation to use, if any; or a rejection if the request is now stored for a
 * colleague to confirm
 */
export async function whoChanges(
  { pool, secondPersonAbove, apiKeyPepper }: SecondPersonContext,
  { scope, actor, existing, rail, identity, credential }: Change,
): Promise<Permitted | Refused> {
  const changed = existing.find(({ was_active: wasActive }) => wasActive);
  if (secondPersonAbove === null || scope.environment !== 'production' || !changed) return { actor };
  const subjectId = changed.rail_account_id;
  const reason =
    changed.identity === identity
      ? `other keys of ${identity} at ${rail} are to be stored`
      : `${identity} at ${rail} is to replace it`;
  const sorted = JSON.stringify(Object.entries(credential).sort());
  const keys = keyedHash(apiKeyPepper(), 'railKeys', sorted).toString('hex');
  const command: ReplaceRail = { command: 'replace_rail', rail, identity, keys, reason };
  const confirmed = await findConfirmation(pool, subjectId, command);
  if (confirmed) {
    const both = { ...actor, actor: `${actor.actor}, confirmed by ${confirmed.confirmed_by}` };
    return { actor: both, confirmation: confirmed.id };
  }
  if (!actor.actor.startsWith('person:')) {
    return refused('This requires two people, each authenticated: set OPS_TOKEN, or use the API.');
  }
  const about = { ...scope, subjectId, amount: 0, currency: null, paymentId: null };
  const { id, waiting } = await storeRequestToConfirm(pool, { ...about, command, asker: actor });
  if (waiting === 'other') {
    return refused(
      `Nothing was changed: a request with other keys is already waiting for this account. Withdraw it (npm run ops -- ` +
        `withdraw ${id} --reason …), and set these keys again.`,
    );
  }
  return refused(
    `Nothing was changed yet: another person must confirm it within a day (npm run ops -- confirm ${id}). Then set the ` +
      'same keys again.',
  );
}
