/**
 * The steps around each call to a rail, in this order: a disabled account moves no money; the call is timed;
 * an answer about another amount is held back; the answer is stored, and counted by the breakers; a rejection
 * of the account itself disables it with an alert.
 */
import { alertOfMisconfiguration, disableRefusedAccount } from '../../db/merchant/rail-account-trouble.ts';
import { storeRailAnswer } from '../../db/payment/rail-answers.ts';
import { openBreakers } from '../../db/payment/rail-breaker.ts';
import { isRailFailure } from '../../domain/payment/breaker.ts';
import { recordRailCall } from '../../platform/observability/rail-calls.ts';
import { inSpan, SpanKind } from '../../platform/observability/spans.ts';
import { unlessOtherAmount } from '../../rail/amounts.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { Rail } from '../../rail/rail.ts';
import type { RailAccount } from '../../rail/rail-account.ts';
import type { ActivityDeps } from '../core/deps.ts';

type GuardDeps = Pick<ActivityDeps, 'pool' | 'logger'>;

interface Call {
  readonly account: RailAccount;
  readonly reference: string;
  readonly begunAt?: string | null;
  readonly amountCents?: number | null;
  readonly currency?: string;
}
interface Outcome {
  readonly kind: string;
  readonly code?: string;
  readonly reason?: string;
  readonly detail?: string;
}

/** On-session: nothing was sent. The buyer sees a failure and may try again. */
const BUYER_MAY_TRY_AGAIN: RailOutcome = {
  kind: 'declined',
  code: 'processing_error',
  retryable: true,
  railReference: null,
  method: null,
};

/**
 * Off-session: nothing was sent. This is not a decline by the bank, so dunning does not begin: the renewal is charged
 * once the merchant has fixed the account.
 */
const NOT_CHARGED: RailOutcome = { kind: 'cancelled', railReference: null };

interface Operation {
  /** The answer for a disabled account. If absent, the call moves no new money and is sent anyway. */
  readonly whenDisabled?: RailOutcome;
  /** Whether the breakers count the call as an attempt to charge. If absent, they never do. */
  isAttempt?(call: Call, outcome: Outcome): boolean;
  /** False if the answer is about an account, not about one payment or refund. */
  readonly isStored: boolean;
}

/** True if the look-up that precedes the first send of an off-session charge failed: the charge is then not sent. */
const keepsFromCharging = ({ begunAt }: Call, { kind }: Outcome) => begunAt === null && kind === 'unknown';

const OPERATIONS = {
  authorize: { whenDisabled: BUYER_MAY_TRY_AGAIN, isAttempt: () => true, isStored: true },
  chargeStored: { whenDisabled: NOT_CHARGED, isAttempt: () => true, isStored: true },
  lookup: { isAttempt: keepsFromCharging, isStored: true },
  cancel: { isStored: true },
  refund: { isStored: true },
  lookupRefund: { isStored: true },
  refundedTotal: { isStored: false },
  listDisputes: { isStored: false },
  askAccount: { isStored: false },
} satisfies Readonly<Partial<Record<keyof Rail, Operation>>>;

export function guardedRails({
  rails,
  ...deps
}: GuardDeps & Pick<ActivityDeps, 'rails'>): ReadonlyMap<string, Rail> {
  return new Map([...rails].map(([name, rail]) => [name, guardedRail(deps, rail)]));
}

type Name = keyof typeof OPERATIONS;

function guardedRail(deps: GuardDeps, rail: Rail): Rail {
  const names = Object.keys(OPERATIONS) as Name[];
  const calls = names.map((name) => [name, (call: Call) => guardedCall(deps, rail, name, call)]);
  return { ...rail, ...Object.fromEntries(calls) };
}

async function guardedCall(deps: GuardDeps, rail: Rail, name: Name, call: Call): Promise<Outcome> {
  const { whenDisabled, isStored }: Operation = OPERATIONS[name];
  const { environment, status } = call.account;
  if (whenDisabled && status === 'disabled') return whenDisabled;
  const begun = performance.now();
  const measure = (outcome: string, code: string | undefined) => {
    const tookMs = performance.now() - begun;
    recordRailCall({ rail: rail.name, operation: name, environment, outcome, code, seconds: tookMs / 1_000 });
    return tookMs;
  };
  const options = { kind: SpanKind.CLIENT, attributes: { 'checkout.rail': rail.name } };
  const answer = await inSpan(`rail ${name}`, options, async (span) => {
    const heard: Outcome = await (rail[name] as (call: Call) => Promise<Outcome>)(call);
    span?.setAttribute('checkout.outcome', heard.kind);
    return heard;
  }).catch((error: unknown) => {
    measure('error', undefined);
    throw error;
  });
  const tookMs = measure(answer.kind, answer.code ?? answer.reason);
  const outcome = unlessOtherAmount(call, answer);
  if (isStored) await storeAnswer(deps, name, call, outcome, tookMs);
  if (outcome.kind === 'unknown') await reportRejectedCall(deps, call.account, outcome);
  return outcome;
}

/**
 * Stores the answer about a payment or refund, and updates the breakers. Never throws: the rail's answer must not be
 * lost because a write fails.
 */
async function storeAnswer(
  { pool, logger }: GuardDeps,
  name: Name,
  call: Call,
  outcome: Outcome,
  tookMs: number,
): Promise<void> {
  const { account, reference } = call;
  const { kind, code, reason, detail = null } = outcome;
  const operation: Operation = OPERATIONS[name];
  const isAttempt = operation.isAttempt?.(call, outcome) ?? false;
  try {
    const closed = await storeRailAnswer(pool, {
      account,
      reference,
      operation: name,
      outcome: kind,
      code: code ?? reason ?? null,
      detail,
      tookMs,
      isAttempt: isAttempt && (kind !== 'unknown' || isRailFailure(outcome)),
    });
    for (const scope of closed) logger.warn({ scope }, 'rail answers again: new attempts accepted');
    if (!isAttempt || kind !== 'unknown') return;
    for (const scope of await openBreakers(pool, account, reason ?? kind))
      logger.error({ scope, reason }, 'rail does not answer: new attempts refused');
  } catch (err) {
    logger.warn({ reference, operation: name, err }, 'rail answer not recorded');
  }
}

/**
 * Handles a rejection that is due to the account: a rejected account is disabled with an alert and moves no more money;
 * a call rejected as invalid causes an alert once a day. Never throws: a failed alert must not lose the rail's answer.
 */
async function reportRejectedCall(
  { pool, logger }: GuardDeps,
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
