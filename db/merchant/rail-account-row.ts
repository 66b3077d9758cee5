/** A rail account in the form that calls to the rail need (`openRailAccount`). */
import { z } from 'zod';
import { railCapabilities } from '../../contract/merchant/rail-accounts.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { sql } from '../core/pool.ts';

export const railAccountRow = {
  rail_account_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  rail: z.string(),
  account_status: z.enum(['activating', 'active', 'disabled']),
  capabilities: railCapabilities,
  /** Encrypted. */
  credential: z.instanceof(Buffer),
};

/** Columns of `rail_accounts a`. */
export const railAccountColumns = sql.fragment`
  a.id as rail_account_id, a.merchant_id, a.environment, a.rail, a.status as account_status, a.capabilities,
  a.credential`;
