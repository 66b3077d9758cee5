/** An attempt as calls to the rail need it, and the part of an answer that a history may keep. */
import { type PaymentAtRail, paymentAtRailOf } from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
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
  };
  readonly row: PaymentAtRail;
  /** The call's deadline and the rail's lag have passed: an attempt still unknown to the rail was never sent. */
  readonly pastDeadline: boolean;
}

export const UNKNOWN_ROW_GONE: AttemptOutcome = { kind: 'unknown', reason: 'row_gone' };

/** @returns null when a restored database lacks the payment */
export async function attemptAtRail(deps: ActivityDeps, paymentId: string): Promise<AttemptAtRail | null> {
  const row = await paymentAtRailOf(deps.pool, paymentId);
  if (!row) return null;
  const { rail, account } = openRailAccount(deps, row);
  const ids = { railReference: row.rail_order_id, railCustomer: row.rail_customer_id };
  const call = { account, reference: paymentId, ...ids, begunAt: row.begun_at };
  return { rail, call, row, pastDeadline: row.ms_past_deadline >= rail.trust.lookupLagMs };
}

/** Ends a call that needs no stored deadline. */
export function callSignal({ session }: Pick<ActivityDeps, 'session'>): AbortSignal {
  return AbortSignal.timeout(session.railCallTimeoutSeconds * 1_000);
}

/** The part that may enter a history. */
export function slim(outcome: RailOutcome): AttemptOutcome {
  switch (outcome.kind) {
    case 'declined':
      return { kind: 'declined', code: outcome.code, retryable: outcome.retryable };
    case 'unknown':
      return { kind: 'unknown', reason: outcome.reason };
    default:
      return { kind: outcome.kind };
  }
}
