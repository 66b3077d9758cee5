/** The rail account named by a public path under `/rails/:rail/:railAccountId`. */
import { findRailAccount, type StoredRailAccount } from '../../../db/merchant/rail-accounts.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';

/** Ids of rail accounts may be the processor's own. Malformed ids are 404 without a query. */
const ID = /^[\w-]{1,100}$/;

/** @throws ApiError 404, including for an account of an unconfigured rail */
export async function railAccountOfRequest(
  { pool, rails }: ApiContext,
  { rail, railAccountId }: { readonly rail: string; readonly railAccountId: string },
): Promise<StoredRailAccount> {
  const known = rails.has(rail) && ID.test(railAccountId);
  const account = known ? await findRailAccount(pool, rail, railAccountId) : null;
  if (!account) throw new ApiError('route_not_found');
  return account;
}
