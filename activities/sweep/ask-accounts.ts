/**
 * Queries rails about active accounts, because a merchant without sales would not notice that an account is rejected.
 * The steps around each call (`guarded-rail.ts`) disable such an account.
 */
import { accountsToAsk } from '../../db/merchant/accounts-to-ask.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

/** Accounts queried per round at most, ten at a time. Answers that arrive after the time budget still count. */
const ASKED_PER_ROUND = 100;

export async function askAccounts(deps: ActivityDeps): Promise<void> {
  const signal = AbortSignal.timeout(deps.session.railCallTimeoutSeconds * 1_000);
  await eachAlone(deps.logger, await accountsToAsk(deps.pool, ASKED_PER_ROUND), async (row) => {
    const { rail, account } = openRailAccount(deps, row);
    await rail.askAccount({ account, signal });
  });
}
