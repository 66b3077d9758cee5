/** Carries out operators' commands, and confirms or withdraws those that wait for a second person. */
import type { CommandAnswer, OperatorCommand } from '../../contract/operations/commands.ts';
import { closedByPerson, TAKES } from '../../contract/operations/fitting-commands.ts';
import type { IncidentKind } from '../../contract/operations/incident-kinds.ts';
import { stateInWords } from '../../contract/operations/states-in-words.ts';
import type { Subject } from '../../contract/operations/subjects.ts';
import type { Actor } from '../../db/core/audit.ts';
import type { Pool } from '../../db/core/pool.ts';
import { closeDispute } from '../../db/dispute/close-dispute.ts';
import { updateMerchant } from '../../db/merchant/merchants.ts';
import { atStake } from '../../db/operations/at-stake.ts';
import { closeIncident } from '../../db/operations/close-incident.ts';
import {
  closeRequest,
  confirmRequest,
  reopenRequest,
  storeRequestToConfirm,
  withdrawRequest,
} from '../../db/operations/operator-requests.ts';
import { searchSubjects } from '../../db/operations/search.ts';
import { findBreakerTarget, pauseRail, resumeRail } from '../../db/payment/rail-breaker.ts';
import { creditByOperator } from '../../db/subscription/credit-uncollectible.ts';
import { plainAmount } from '../../domain/core/money.ts';
import { wake } from '../../platform/temporal/messages.ts';
import { askRailNow } from './ask-rail.ts';
import { commandEndpoint } from './command-endpoint.ts';
import type { OperateDeps } from './operate-deps.ts';
import { OperationRefused } from './refused.ts';
import { recordReturned, resolve } from './resolve.ts';

type Handler = (
  deps: OperateDeps,
  subject: Subject,
  command: OperatorCommand,
  actor: Actor,
) => Promise<CommandAnswer>;

/** Commands that settle money and may therefore need a second person. */
const ABOUT_MONEY: readonly OperatorCommand['command'][] = ['resolve', 'returned', 'dispute_close', 'credit'];

/** @throws OperationRefused, whose message states what to do */
export async function carryOut(
  deps: OperateDeps,
  subject: Subject,
  command: OperatorCommand,
  actor: Actor,
): Promise<CommandAnswer> {
  refuseMisfit(subject, command);
  const { secondPersonAbove } = deps;
  if (secondPersonAbove === null || !ABOUT_MONEY.includes(command.command))
    return run(deps, subject, command, actor);
  const { amount, paymentId } = await atStake(deps.pool, subject);
  if (amount <= secondPersonAbove) return run(deps, subject, command, actor);
  refuseWithoutToken(actor);
  const { id, waiting } = await storeRequestToConfirm(deps.pool, {
    subjectId: subject.id,
    merchantId: subject.merchant_id,
    environment: subject.environment,
    amount,
    paymentId,
    currency: subject.currency,
    command,
    asker: actor,
  });
  if (waiting) {
    throw new OperationRefused(
      `A request about ${subject.id} is already waiting for a second person: npm run ops -- confirm ${id}, or withdraw ${id} to replace it.`,
    );
  }
  const limit = plainAmount(secondPersonAbove, subject.currency ?? '');
  const message = `Stored. Above ${limit} another person must confirm it: npm run ops -- confirm ${id}.`;
  return { done: false, message, waiting_request: id };
}

/** @throws OperationRefused if the request cannot be confirmed, or its command does not apply */
export async function confirm(deps: OperateDeps, requestId: string, actor: Actor): Promise<CommandAnswer> {
  refuseWithoutToken(actor);
  const request = await confirmRequest(deps.pool, requestId, actor.actor);
  if (typeof request === 'string') throw new OperationRefused(WHY_NOT_CONFIRMED[request]);
  const { command } = request;
  if (command.command === 'replace_rail') {
    await closeRequest(deps.pool, requestId, request.confirmed_by);
    return done(`Confirmed. To use the keys of ${command.identity}, set them again within a day.`);
  }
  const subject = await subjectById(deps.pool, request.subject_id, null);
  const both = {
    ...actor,
    actor: `${request.asked_by}, confirmed by ${request.confirmed_by}`,
    confirmation: { person: request.confirmed_by, requestId, paymentId: request.payment_id },
  };
  try {
    if (!subject) throw new OperationRefused(`${request.subject_id} no longer exists.`);
    const answer = await run(deps, subject, command, both);
    await closeRequest(deps.pool, requestId, request.confirmed_by);
    return answer;
  } catch (error) {
    // After any other error the request stays pending and can be confirmed again, because every command is idempotent:
    // `resolve` finds the row of its first run; the others find the charge already returned, the dispute closed or the
    // invoice credited.
    if (error instanceof OperationRefused) {
      if (error.forNow) await reopenRequest(deps.pool, requestId);
      else await closeRequest(deps.pool, requestId, request.confirmed_by);
    }
    throw error;
  }
}

/** @throws OperationRefused if the request is not pending, or already confirmed */
export async function withdraw(
  { pool }: Pick<OperateDeps, 'pool'>,
  requestId: string,
  actor: Actor & { readonly reason: string },
): Promise<CommandAnswer> {
  refuseWithoutToken(actor);
  const subjectId = await withdrawRequest(pool, requestId, actor);
  if (subjectId === null)
    throw new OperationRefused('No pending request has this id; see npm run ops -- list.');
  return done(`The request about ${subjectId} is withdrawn: a new one can be made.`);
}

/** Rejects a machine's user name, which identifies no person: only tokens prove that two different people acted. */
function refuseWithoutToken({ actor }: Actor): void {
  if (actor.startsWith('person:')) return;
  throw new OperationRefused(
    'This amount requires two people, each authenticated: set OPS_TOKEN, or use the API.',
  );
}

const WHY_NOT_CONFIRMED = {
  unknown: 'No request has this id. The command that made the request printed it (ap_opr_…).',
  same_person: 'You requested it yourself: another person must confirm.',
  confirmed_before: 'It has already been executed or refused: see npm run ops -- why with its id.',
  lapsed: 'It lapsed after a day: request it again.',
  withdrawn: 'It was withdrawn: request it again if still needed.',
  unreadable:
    'This release does not know the stored command: withdraw it (npm run ops -- withdraw, with its id and a reason), and request it again.',
} as const;

/** @param merchants whose subjects to include; null means all */
export async function subjectById(
  pool: Pool,
  id: string,
  merchants: readonly string[] | null,
): Promise<Subject | null> {
  const found = await searchSubjects(pool, id, merchants, 20);
  return found.find((each) => each.id === id) ?? null;
}

function refuseMisfit({ kind, id }: Subject, command: OperatorCommand): void {
  const takes = TAKES[command.command];
  if (!takes.includes(kind)) {
    throw new OperationRefused(
      `${id} is a ${kind}: ${command.command} takes the id of a ${takes.join(' or ')}.`,
    );
  }
}

function run(
  deps: OperateDeps,
  subject: Subject,
  command: OperatorCommand,
  actor: Actor,
): Promise<CommandAnswer> {
  return HANDLERS[command.command](deps, subject, command, actor);
}

const done = (message: string): CommandAnswer => ({ done: true, message, waiting_request: null });

const breakerHandler =
  (change: typeof pauseRail, words: string, before: string): Handler =>
  async ({ pool }, { id }, command, actor) => {
    const target = await findBreakerTarget(pool, id);
    const changed =
      target && 'reason' in command && (await change(pool, target, { ...actor, reason: command.reason }));
    if (!changed) throw new OperationRefused(`${id} ${before}.`);
    return done(`${id} ${words}.`);
  };

const merchantHandler =
  (status: 'active' | 'inactive', words: { readonly done: string; readonly before: string }): Handler =>
  async ({ pool }, { id, state }, command, actor) => {
    if (state === status) throw new OperationRefused(`${id} ${words.before}`);
    const reason = 'reason' in command ? command.reason : undefined;
    await updateMerchant(pool, id, { status }, { ...actor, reason });
    return done(`${id} ${words.done}`);
  };

const HANDLERS: Readonly<Record<OperatorCommand['command'], Handler>> = {
  resolve,
  returned: recordReturned,
  ask: (deps, subject) => askRailNow(deps, subject),
  pause_rail: breakerHandler(pauseRail, 'accepts no new attempts until resume-rail', 'was already paused'),
  resume_rail: breakerHandler(resumeRail, 'accepts new attempts', 'was already accepting new attempts'),
  endpoint_pause: commandEndpoint,
  endpoint_resume: commandEndpoint,
  endpoint_redeliver: commandEndpoint,
  endpoint_recover: commandEndpoint,

  async dispute_close(deps, { id }, command, { actor }) {
    if (command.command !== 'dispute_close') throw new Error('another command');
    const { status, reason, evidence } = command;
    const { answer, stopped } = await closeDispute(deps.pool, id, {
      status,
      reason,
      evidence,
      operator: actor,
    });
    // If the wake-up fails, the sweep wakes the subscription.
    if (stopped !== null) await wake(deps, stopped).catch(() => {});
    if (answer !== 'recorded')
      throw new OperationRefused(`${id} is already closed: see npm run ops -- why ${id}.`);
    return done(`${id} is recorded as ${status}.`);
  },

  async credit({ pool }, { id }, command, actor) {
    if (command.command !== 'credit') throw new Error('another command');
    const { reason, evidence } = command;
    const answer = await creditByOperator(pool, id, { ...actor, reason, evidence });
    if (answer.kind === 'credited_before') throw new OperationRefused(`${id} is already credited.`);
    if (answer.kind === 'not_uncollectible') {
      const { means } = stateInWords('invoice', answer.status);
      throw new OperationRefused(
        `Only an uncollectible invoice can be credited. ${id} is ${answer.status}: ${means}`,
      );
    }
    return done(`${id} is credited: ${answer.number}.`);
  },

  stop_merchant: merchantHandler('inactive', {
    done: 'is stopped: its keys are refused; open sessions and subscriptions continue.',
    before: 'is already stopped.',
  }),
  start_merchant: merchantHandler('active', {
    done: 'sells again: its keys are accepted.',
    before: 'is not stopped.',
  }),

  incident_close({ pool }, { id }, command, actor) {
    if (command.command !== 'incident_close') throw new Error('another command');
    return closeByPerson(pool, { kind: command.kind, id }, { ...actor, reason: command.reason });
  },
};

/** @throws OperationRefused if the incident ends by itself, or is not open */
export async function closeByPerson(
  pool: Pool,
  { kind, id }: { readonly kind: IncidentKind; readonly id: string },
  actor: Actor & { readonly reason: string },
): Promise<CommandAnswer> {
  if (!closedByPerson(kind))
    throw new OperationRefused(`${kind} ends automatically: see npm run ops -- why ${id}.`);
  if (!(await closeIncident(pool, kind, id, actor))) throw new OperationRefused(`${id} has no open ${kind}.`);
  return done(`${kind} of ${id} is closed.`);
}
