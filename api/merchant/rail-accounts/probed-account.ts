/** The response of a route that probes a rail account. */
import type { Pool } from '../../../db/core/pool.ts';
import { findMerchantRailAccount } from '../../../db/merchant/rail-accounts.ts';
import type { RailProbe } from '../../../rail/rail-account.ts';
import { ANSWER_WITHIN_MS } from '../../http/answer-deadline.ts';

/** The probe ends before the answer deadline, so that an unresponsive processor is reported as a finding. */
export const PROBE_TIMEOUT_MS = ANSWER_WITHIN_MS - 5_000;

/** Returns the account as stored, with the processor's findings. */
export async function probedAccount(
  pool: Pool,
  merchantId: string,
  accountId: string,
  { usable, findings }: RailProbe,
): Promise<object | 'rail_account_not_found'> {
  const account = await findMerchantRailAccount(pool, merchantId, accountId);
  return account ? { ...account, usable, findings } : 'rail_account_not_found';
}
