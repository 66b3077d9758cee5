/**
 * Wraps the rails to record every answer about a payment or refund, and to open and close the breakers.
 */
import { storeRailAnswer } from '../../db/payment/rail-answers.ts';
import { openBreakers } from '../../db/payment/rail-breaker.ts';
import { isRailFailure } from '../../domain/payment/breaker.ts';
import type { Rail } from '../../rail/rail.ts';
import type { RailAccount } from '../../rail/rail-account.ts';
import type { ActivityDeps } from '../core/deps.ts';

type RecordDeps = Pick<ActivityDeps, 'pool' | 'logger'>;

interface Call {
  readonly account: RailAccount;
  readonly reference: string;
  readonly begunAt?: string | null;
}
interface Outcome {
  readonly kind: string;
  readonly code?: string;
  readonly reason?: string;
  readonly detail?: string;
}

export function recordingAnswers(deps: RecordDeps, rail: Rail): Rail {
  const recording =
    <Request extends Call, Answer extends Outcome>(
      operation: string,
      send: (request: Request) => Promise<Answer>,
      isAttempt: (request: Call, outcome: Outcome) => boolean = () => false,
    ) =>
    async (request: Request): Promise<Answer> => {
      const begun = performance.now();
      const outcome = await send(request);
      const tookMs = performance.now() - begun;
      await record(deps, { operation, request, outcome, tookMs, isAttempt: isAttempt(request, outcome) });
      return outcome;
    };
  return {
    ...rail,
    authorize: recording('authorize', rail.authorize.bind(rail), always),
    chargeStored: recording('chargeStored', rail.chargeStored.bind(rail), always),
    lookup: recording('lookup', rail.lookup.bind(rail), keepsFromCharging),
    cancel: recording('cancel', rail.cancel.bind(rail)),
    refund: recording('refund', rail.refund.bind(rail)),
    lookupRefund: recording('lookupRefund', rail.lookupRefund.bind(rail)),
  };
}

const always = () => true;

/** The look-up before the first send of an off-session charge: if it goes unanswered, nothing is sent. */
function keepsFromCharging({ begunAt }: Call, outcome: Outcome): boolean {
  return begunAt === null && isRailFailure(outcome);
}

/** Never throws: a row that cannot be written must not lose the rail's answer. */
async function record(
  { pool, logger }: RecordDeps,
  given: {
    readonly operation: string;
    readonly request: Call;
    readonly outcome: Outcome;
    readonly tookMs: number;
    readonly isAttempt: boolean;
  },
): Promise<void> {
  const { operation, request, outcome, tookMs, isAttempt } = given;
  const { account, reference } = request;
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
    for (const scope of closed) logger.warn({ scope }, 'rail answers again: new attempts pass');
    if (!isAttempt || !isRailFailure(outcome)) return;
    for (const scope of await openBreakers(pool, account, reason ?? kind))
      logger.error({ scope, reason }, 'rail does not answer: new attempts are refused');
  } catch (err) {
    logger.warn({ reference, operation, err }, 'rail answer not recorded');
  }
}
