/**
 * Asks rails about accounts in use, of which a merchant without sales would not notice that they are refused. The steps
 * around each call (`around-rail.ts`) disable a refused account.
 */
import { accountsToAsk } from '../../db/merchant/accounts-to-ask.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

/** All at once. An answer that comes after the chore's second still counts. */
const ASKED_PER_ROUND = 20;

export async function askAccounts(deps: ActivityDeps): Promise<void> {
  const signal = AbortSignal.timeout(deps.session.railCallTimeoutSeconds * 1_000);
  await eachAlone(deps.logger, await accountsToAsk(deps.pool, ASKED_PER_ROUND), async (row) => {
    const { rail, account } = openRailAccount(deps, row);
    await rail.listDisputes({
      account,
      reference: row.payment_id,
      railReference: row.rail_order_id,
      signal,
    });
  });
}
