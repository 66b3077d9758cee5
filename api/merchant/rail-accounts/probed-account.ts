/** The response of a route that probes a rail account. */
import type { Response } from 'express';
import type { Pool } from '../../../db/core/pool.ts';
import { findMerchantRailAccount } from '../../../db/merchant/rail-accounts.ts';
import type { RailProbe } from '../../../rail/rail-account.ts';
import { ANSWER_WITHIN_MS } from '../../http/answer-deadline.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, exchangeOf } from '../../http/exchange.ts';
import { MERCHANT } from '../core/merchant-of-request.ts';

export const RAIL_ACCOUNTS = `${MERCHANT}/rail-accounts`;

/** The probe ends before the answer deadline, so that an unresponsive processor is reported as a finding. */
export const PROBE_TIMEOUT_MS = ANSWER_WITHIN_MS - 5_000;

/** Sends the account as stored, with the processor's findings. */
export async function sendProbed(
  pool: Pool,
  response: Response,
  accountId: string,
  { usable, findings }: RailProbe,
): Promise<void> {
  const account = await findMerchantRailAccount(pool, accessOf(response).merchantId, accountId);
  if (!account) throw new ApiError('rail_account_not_found');
  response.json({ ...account, usable, findings, request_id: exchangeOf(response).requestId });
}
