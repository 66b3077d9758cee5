/** The fields of an attempt that a look-up needs. */
import { type PaymentAtRail, paymentAtRailOf } from '../../db/payment/payment-at-rail.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { Rail } from '../../rail/rail.ts';
import type { RailAccount } from '../../rail/rail-account.ts';
import type { ActivityDeps } from '../core/deps.ts';

export interface AttemptAtRail {
  readonly rail: Rail;
  readonly call: {
    readonly account: RailAccount;
    readonly reference: string;
    readonly railReference: string | null;
    readonly railCustomer: string | null;
    readonly begunAt: string;
    readonly amountCents: number;
    readonly currency: string;
  };
  readonly row: PaymentAtRail;
  /** True once the call's deadline and the rail's lag have passed: an attempt unknown to the rail was not sent. */
  readonly pastDeadline: boolean;
}

/** @returns null when the payment does not exist (rule 30) */
export async function attemptAtRail(
  deps: Pick<ActivityDeps, 'pool' | 'rails' | 'secretBox'>,
  attemptId: string,
): Promise<AttemptAtRail | null> {
  const row = await paymentAtRailOf(deps.pool, attemptId);
  if (!row) return null;
  const { rail, account } = openRailAccount(deps, row);
  const ids = { railReference: row.rail_order_id, railCustomer: row.rail_customer_id };
  const asked = { amountCents: row.amount, currency: row.currency };
  const call = { account, reference: attemptId, ...ids, begunAt: row.begun_at, ...asked };
  return { rail, call, row, pastDeadline: isNotFoundFinal(rail, row) };
}

/** Time limit of a call whose deadline need not be stored. */
export function callSignal({ session }: Pick<ActivityDeps, 'session'>): AbortSignal {
  return AbortSignal.timeout(session.railCallTimeoutSeconds * 1_000);
}

/**
 * The only place that decides when a rail's `notFound` counts as "never happened" (rule 4): once the call's deadline and
 * the rail's lag have passed, a call still unknown to the rail was never received.
 */
export function isNotFoundFinal(
  { trust: { lookupLagMs } }: Rail,
  call: { readonly ms_past_deadline: number },
): boolean {
  return call.ms_past_deadline >= lookupLagMs;
}
