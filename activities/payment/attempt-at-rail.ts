/** An attempt as rail calls need it, and the parts of an answer that a history and the payment's row keep. */
import {
  type AnswerDetails,
  customerOfPayment,
  type PaymentAtRail,
  paymentAtRailOf,
} from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { keyedHash } from '../../platform/secrets/keyed-hash.ts';
import { mandateOf } from '../../platform/secrets/places.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { Rail } from '../../rail/rail.ts';
import type { RailAccount } from '../../rail/rail-account.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { isNotFoundFinal } from './not-found.ts';

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
  /** The call's deadline and the rail's lag have passed: an attempt still unknown to the rail was never sent (rule 4). */
  readonly pastDeadline: boolean;
}

export const UNKNOWN_ROW_GONE: AttemptOutcome = { kind: 'unknown', reason: 'row_gone' };

/** @returns null when the payment is gone (rule 30) */
export async function attemptAtRail(
  deps: Pick<ActivityDeps, 'pool' | 'rails' | 'secretBox'>,
  paymentId: string,
): Promise<AttemptAtRail | null> {
  const row = await paymentAtRailOf(deps.pool, paymentId);
  if (!row) return null;
  const { rail, account } = openRailAccount(deps, row);
  const ids = { railReference: row.rail_order_id, railCustomer: row.rail_customer_id };
  const asked = { amountCents: row.amount, currency: row.currency };
  const call = { account, reference: paymentId, ...ids, begunAt: row.begun_at, ...asked };
  return { rail, call, row, pastDeadline: isNotFoundFinal(rail, row) };
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

/** The part that goes to the payment's row, with the mandate encrypted; null when the answer has none. */
export async function detailsOf(
  deps: ActivityDeps,
  paymentId: string,
  outcome: RailOutcome,
): Promise<AnswerDetails | null> {
  if (!('railReference' in outcome)) return null;
  return {
    railReference: outcome.railReference,
    method: 'method' in outcome ? outcome.method : null,
    mandate:
      outcome.kind === 'approved' && outcome.mandate
        ? await sealMandate(deps, paymentId, outcome.mandate)
        : null,
    challengeUrl: outcome.kind === 'challenge' ? outcome.url : null,
    challengeSeconds: deps.session.challengeSeconds,
    card: outcome.kind === 'declined' ? hashOfCard(deps, outcome.cardFingerprint) : null,
  };
}

function hashOfCard({ apiKeyPepper }: ActivityDeps, fingerprint: string | null | undefined): Buffer | null {
  return fingerprint ? keyedHash(apiKeyPepper, 'card', fingerprint) : null;
}

async function sealMandate(deps: ActivityDeps, paymentId: string, mandate: string): Promise<Buffer> {
  return deps.secretBox.seal(mandate, mandateOf(await customerOfPayment(deps.pool, paymentId)));
}
