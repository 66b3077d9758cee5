/**
 * Sends a message to a row's workflow. If the run does not exist or is stuck (rule 45), starts it from the row and
 * sends the message again. Messages are idempotent: an update has an id, a signal makes the run read its row.
 */
import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { findStartableRefund } from '../../db/refund/refund-sweep.ts';
import { findSessionToStart } from '../../db/session/session-sweep.ts';
import { findStartableSubscription } from '../../db/subscription/subscription-sweep.ts';
import { railNewsSignal, wakeSignal } from '../../workflows/core/messages.ts';
import { payUpdate } from '../../workflows/session/session-messages.ts';
import { restartRefund, restartSession, restartSubscription, type StarterDeps } from './start-workflows.ts';
import { endIfStuck, endIfTasksFail } from './stuck-runs.ts';

/** A worker answers in some 30 ms. Without a worker there is no answer; the next round tries again. */
const ANSWER_WITHIN_MS = 3_000;

export interface Subject {
  /** Id of the row and of its workflow. */
  readonly id: string;
  /** Starts a run from the row at once; does nothing if the row has ended. */
  start(): Promise<unknown>;
}

export function sessionOf(deps: StarterDeps, id: string): Subject {
  return {
    id,
    async start() {
      const session = await findSessionToStart(deps.pool, id);
      if (session) await restartSession(deps, session);
    },
  };
}

export function subscriptionOf(deps: StarterDeps, id: string): Subject {
  return {
    id,
    async start() {
      const subscription = await findStartableSubscription(deps.pool, id);
      if (subscription) await restartSubscription(deps, subscription);
    },
  };
}

export function refundOf(deps: StarterDeps, id: string): Subject {
  return {
    id,
    async start() {
      const refund = await findStartableRefund(deps.pool, id);
      if (refund) await restartRefund(deps, refund);
    },
  };
}

/** The session, subscription or refund with this id. */
export function subjectOf(deps: StarterDeps, id: string): Subject {
  if (id.startsWith('ap_sub_')) return subscriptionOf(deps, id);
  return id.startsWith('ap_ref_') ? refundOf(deps, id) : sessionOf(deps, id);
}

/**
 * @param withinMs per try, of at most two: a stuck run uses up the first
 * @throws WorkflowNotFoundError if the row has ended and has no run; other errors of Temporal and of the
 * workflow
 */
export async function send<Answer>(
  client: Client,
  to: Subject,
  message: (run: WorkflowHandle) => Promise<Answer>,
  withinMs = ANSWER_WITHIN_MS,
): Promise<Answer> {
  const run = client.workflow.getHandle(to.id);
  const sendOnce = () => client.withDeadline(Date.now() + withinMs, () => message(run));
  try {
    return await sendOnce();
  } catch (error) {
    const hasNoRun = error instanceof WorkflowNotFoundError || (await endIfStuck(client, to.id, error));
    if (!hasNoRun) throw error;
    await to.start();
    return await sendOnce();
  }
}

/** Signals the workflow to read its row. A row that has ended needs no signal. */
export async function wake(client: Client, to: Subject): Promise<void> {
  // A stuck run would accept the signal and never handle it.
  await endIfTasksFail(client, to.id);
  try {
    await send(client, to, (run) => run.signal(wakeSignal));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Has the owner of an open payment look it up at the rail now (rule 24). */
export function presentNewsTo(deps: StarterDeps, ownerId: string, paymentId: string): Promise<void> {
  return send(deps.client, subjectOf(deps, ownerId), (run) => run.signal(railNewsSignal, { paymentId }));
}

/**
 * Repeats a click's update under its id, for a claimed attempt that the workflow may not know (rule 43): a no-op while
 * the first one is being handled, and during a start delay updates are the only messages that get through (rule 15).
 */
export async function repeatClick(
  deps: StarterDeps,
  { checkoutId, claimId }: { readonly checkoutId: string; readonly claimId: string },
): Promise<void> {
  const click = { args: [{ claimId }] as [{ claimId: string }], updateId: claimId };
  await send(deps.client, sessionOf(deps, checkoutId), (run) => run.executeUpdate(payUpdate, click));
}
