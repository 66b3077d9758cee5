/**
 * An operator's decision about money: the outcome of a charge or refund in doubt, or money returned by hand.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { CommandAnswer } from '../../contract/operations/commands.ts';
import type { Subject } from '../../contract/operations/subjects.ts';
import type { Actor } from '../../db/core/audit.ts';
import type { Pool } from '../../db/core/pool.ts';
import { findOrphan, recordReturnedByOperator } from '../../db/payment/orphaned-charges.ts';
import { isUnconfirmed } from '../../db/payment/rail-webhooks.ts';
import {
  insertResolveRequest,
  readResolveAnswer,
  statusOfConfirmed,
} from '../../db/payment/resolve-requests.ts';
import { settleCarriedOut } from '../../db/refund/settle-carried-out.ts';
import type { ResolveCommand } from '../../domain/core/resolution.ts';
import { requestResolution } from '../../platform/temporal/messages.ts';
import { tellReconcile } from '../../platform/temporal/start-workflows.ts';
import { type CommandOf, done, notDone } from './command-answer.ts';
import type { OperateDeps } from './operate-deps.ts';
import { OperationRefused } from './refused.ts';

const SETTLED: readonly string[] = ['succeeded', 'failed', 'cancelled', 'expired'];
const NOT_CONFIRMED =
  'The rail has not confirmed it yet: it is asked until it answers, and an alert is raised if it disagrees.';
const UNDER_WAY = 'no answer yet; the request is stored, and the sweep sends it again each minute.';

/**
 * Stores the request before signalling the workflow, so that the request survives even if the workflow's update queue
 * is full (rule 14). The workflow queries the rail again, and never contradicts the rail's answer. A confirmation
 * repeated after a crash gets the result of the first one.
 */
export async function resolve(
  deps: OperateDeps,
  subject: Subject,
  command: CommandOf<'resolve'>,
  { actor, confirmation }: Actor,
): Promise<CommandAnswer> {
  const { pool, timeoutMs } = deps;
  const { id } = subject;
  const { outcome, reason, evidence } = command;
  const decision = { outcome, operator: actor, reason, evidence };
  if (subject.kind === 'refund' && subject.state === 'failed' && outcome === 'succeeded')
    return correctRefund(pool, id, decision);
  const confirmed = confirmation && (await statusOfConfirmed(pool, id, confirmation));
  if (!confirmed?.isStored) {
    refuseSettled(subject);
    if (confirmed) refuseAnotherCharge(id, confirmation.paymentId, confirmed.openPaymentId);
  }
  const requestId = await insertResolveRequest(pool, id, decision, confirmation);
  const isSent = await orLeftToSweep(deps, () => requestResolution(deps, id, requestId));
  const answer = await until(isSent ? timeoutMs : 3 * timeoutMs, () => readResolveAnswer(pool, requestId));
  if (answer?.startsWith('refused: ')) throw new OperationRefused(answer.slice('refused: '.length));
  const isDone = answer?.startsWith('done') ?? false;
  const unconfirmed = isDone && (await isUnconfirmed(pool, id));
  const message = unconfirmed ? `${answer}. ${NOT_CONFIRMED}` : (answer ?? UNDER_WAY);
  return isDone ? done(message) : notDone(message);
}

/** Corrects a refund that the rail has made although it was settled as failed. */
async function correctRefund(pool: Pool, id: string, decision: ResolveCommand): Promise<CommandAnswer> {
  const answer = await settleCarriedOut(pool, id, decision);
  if (answer === 'settled') return done('done: succeeded');
  throw new OperationRefused(
    answer === 'no_room'
      ? `The payment has less left than ${id}: it was refunded again. Close the incident once that refund has succeeded.`
      : `Nothing to settle: the rail’s last answer is not that it made ${id} with this amount. See npm run ops -- why ${id}.`,
  );
}

function refuseSettled({ id, state, kind }: Subject): void {
  if (!SETTLED.includes(state)) return;
  throw new OperationRefused(`Nothing to settle: the ${kind} is ${state}. See npm run ops -- why ${id}.`);
}

/** Rejects the confirmation if another charge has opened since the request was made. */
function refuseAnotherCharge(id: string, asked: string | null, open: string | null): void {
  if (asked === open) return;
  throw new OperationRefused(
    `The request was about ${asked ?? 'no open charge'}, but ${open ?? 'no charge'} is open now. See npm run ops -- ` +
      `why ${id}, and request again if it is still in doubt.`,
  );
}

export async function recordReturned(
  deps: OperateDeps,
  { id }: Subject,
  { reason, evidence }: CommandOf<'returned'>,
  { actor }: Actor,
): Promise<CommandAnswer> {
  const orphan = await findOrphan(deps.pool, id);
  if (!orphan)
    throw new OperationRefused(`${id} is not an orphaned charge: only those can be returned by hand.`);
  const { recorded, returnedBy } = await recordReturnedByOperator(deps.pool, id, {
    operator: actor,
    reason,
    evidence,
  });
  if (!recorded && returnedBy === null)
    throw new OperationRefused(
      `The rail is currently being asked to return ${id}. Wait half a minute, check it with npm run ops -- why ${id}, and record your return only if the rail still has the money.`,
      { forNow: true },
    );
  await orLeftToSweep(deps, () => tellReconcile(deps.client, { paymentId: id, ...orphan }));
  return done(
    recorded
      ? 'Recorded: the charge is no longer returned automatically.'
      : `Nothing to record: it has already been returned (${returnedBy}).`,
  );
}

/** Sends a message that may be lost: the rows contain the request, and the sweep sends it again. */
export async function orLeftToSweep(
  { client, note }: OperateDeps,
  send: () => Promise<void>,
): Promise<boolean> {
  try {
    await withinDeadline(client, send);
    return true;
  } catch (error) {
    note?.(
      `Its workflow could not be reached (${(error as Error).message}). The request is stored; the sweep will act ` +
        'on it in a minute or two …',
    );
    return false;
  }
}

/** Sets a deadline, because a call to a frozen Temporal would never end. */
export function withinDeadline<Answer>(client: Client, call: () => Promise<Answer>): Promise<Answer> {
  return client.withDeadline(Date.now() + 5_000, call);
}

export async function until<Value>(
  timeoutMs: number,
  read: () => Promise<Value | null>,
): Promise<Value | null> {
  for (const end = performance.now() + timeoutMs; ; await pause(250)) {
    const value = await read();
    if (value !== null || performance.now() > end) return value;
  }
}
