/** Handles an answer: stores it, counts it for the breakers, and disables an account that the rail rejects. */
import { alertOfMisconfiguration, disableRefusedAccount } from '../../db/merchant/rail-account-trouble.ts';
import { storeRailAnswer } from '../../db/payment/rail-answers.ts';
import { openBreakers } from '../../db/payment/rail-breaker.ts';
import { isRailFailure } from '../../domain/payment/breaker.ts';
import type { RailAccount } from '../../rail/rail-account.ts';
import type { ActivityDeps } from '../core/deps.ts';

export interface Call {
  readonly account: RailAccount;
  readonly reference: string;
  readonly begunAt?: string | null;
  readonly amountCents?: number | null;
  readonly currency?: string;
}
export interface Outcome {
  readonly kind: string;
  readonly code?: string;
  readonly reason?: string;
  readonly detail?: string;
}

interface Answered {
  readonly operation: string;
  readonly call: Call;
  readonly outcome: Outcome;
  readonly tookMs: number;
  readonly isAttempt: boolean;
}

/** Stores an answer about a payment or refund, and updates the breakers. Never throws: a failed write must not lose the rail's answer. */
export async function recordAnswer(
  { pool, logger }: Pick<ActivityDeps, 'pool' | 'logger'>,
  { operation, call, outcome, tookMs, isAttempt }: Answered,
): Promise<void> {
  const { account, reference } = call;
  const { kind, code, reason, detail = null } = outcome;
  try {
    const closed = await storeRailAnswer(pool, {
      account,
      reference,
      operation,
      outcome: kind,
      code: code ?? reason ?? null,
      detail,
      tookMs,
      isAttempt: isAttempt && (kind !== 'unknown' || isRailFailure(outcome)),
    });
    for (const scope of closed) logger.warn({ scope }, 'rail answers again: new attempts accepted');
    if (!isAttempt || !isRailFailure(outcome)) return;
    for (const scope of await openBreakers(pool, account, reason ?? kind))
      logger.error({ scope, reason }, 'rail does not answer: new attempts refused');
  } catch (err) {
    logger.warn({ reference, operation, err }, 'rail answer not recorded');
  }
}

/**
 * Reacts to a rejection for the account's own reasons: a rejected account is disabled with an alert and moves no more
 * money; a call rejected as invalid alerts once a day. Never throws: a failed alert must not lose the rail's answer.
 */
export async function reportRejectedCall(
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
    logger.error({ railAccountId, err }, 'alert about a rail account failed');
  }
}
