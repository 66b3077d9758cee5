/**
 * Reacts to a rejection for the account's own reasons: a rejected account is disabled with an alert and moves no more
 * money; a call rejected as invalid alerts once a day.
 */
import { alertOfMisconfiguration, disableRefusedAccount } from '../../db/merchant/rail-account-trouble.ts';
import type { RailAccount } from '../../rail/rail-account.ts';
import type { ActivityDeps } from '../core/deps.ts';

/** Never throws: a failed alert must not lose the rail's answer. */
export async function reportTrouble(
  { pool, logger }: Pick<ActivityDeps, 'pool' | 'logger'>,
  { id: railAccountId, sealedCredential }: RailAccount,
  { reason, detail }: { readonly reason?: string; readonly detail?: string },
): Promise<void> {
  if (reason !== 'account_refused' && reason !== 'misconfigured') return;
  const refused = reason === 'account_refused';
  const words = refused ? 'rail account refused' : 'rail call refused as invalid';
  logger.error({ railAccountId, detail }, words);
  try {
    if (refused) await disableRefusedAccount(pool, railAccountId, sealedCredential);
    else await alertOfMisconfiguration(pool, railAccountId);
  } catch (err) {
    logger.error({ railAccountId, err }, 'rail account alert failed');
  }
}
