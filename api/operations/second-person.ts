/**
 * `SECOND_PERSON_ABOVE`: a command about a larger amount is stored until another person confirms it or it is
 * withdrawn.
 */
import type { CommandAnswer, OperatorCommand } from '../../contract/operations/commands.ts';
import type { Subject } from '../../contract/operations/subjects.ts';
import type { Actor } from '../../db/core/audit.ts';
import { atStake } from '../../db/operations/at-stake.ts';
import {
  closeRequest,
  confirmRequest,
  reopenRequest,
  storeRequestToConfirm,
  withdrawRequest,
} from '../../db/operations/operator-requests.ts';
import { plainAmount } from '../../domain/core/money.ts';
import { done } from './command-answer.ts';
import { runCommand, subjectById } from './command-handlers.ts';
import type { OperateDeps } from './operate-deps.ts';
import { OperationRefused } from './refused.ts';

/** Commands that settle money and may therefore need a second person. */
const ABOUT_MONEY: readonly OperatorCommand['command'][] = ['resolve', 'returned', 'dispute_close', 'credit'];

/**
 * @returns null if the command needs no second person and can run now
 * @throws OperationRefused if the actor has no token, or a request about the subject is already waiting
 */
export async function storeForSecondPerson(
  deps: OperateDeps,
  subject: Subject,
  command: OperatorCommand,
  actor: Actor,
): Promise<CommandAnswer | null> {
  const { secondPersonAbove } = deps;
  if (secondPersonAbove === null || !ABOUT_MONEY.includes(command.command)) return null;
  const { amount, paymentId } = await atStake(deps.pool, subject);
  if (amount <= secondPersonAbove) return null;
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
    const answer = await runCommand(deps, subject, command, both);
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

/** Rejects an actor without a token: a machine's user name does not prove that two different people acted. */
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
  expired: 'It expired after a day: request it again.',
  withdrawn: 'It was withdrawn: request it again if still needed.',
  unreadable:
    'This release does not know the stored command: withdraw it (npm run ops -- withdraw, with its id and a reason), and request it again.',
} as const;
