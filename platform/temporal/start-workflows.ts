/**
 * Starts workflows that should be running. The relay runs this every second for new sessions, the sweep every minute
 * for all rows. A double start is harmless, because the workflow's id is the row's.
 */
import type { Client, WorkflowStartOptions } from '@temporalio/client';
import { markStarted } from '../../db/core/mark-started.ts';
import type { Pool } from '../../db/core/pool.ts';
import { findStartableRefund, unstartedRefunds } from '../../db/refund/refund-sweep.ts';
import { findSessionToStart, unstartedSessions } from '../../db/session/session-sweep.ts';
import {
  findStartableSubscription,
  unstartedSubscriptions,
} from '../../db/subscription/read/subscription-sweep.ts';
import type { SessionToStart } from '../../domain/session/session.ts';
import {
  RECONCILE_WORKFLOW,
  type ReconcileInput,
  reconcileStart,
  reconcileWebhook,
} from '../../workflows/payment/reconcile-messages.ts';
import { REFUND_WORKFLOW, type RefundToStart, refundStart } from '../../workflows/refund/refund-messages.ts';
import { sessionWorkflow } from '../../workflows/session/session-messages.ts';
import { type SessionRunOptions, sessionStart } from '../../workflows/session/session-start.ts';
import {
  SUBSCRIPTION_WORKFLOW,
  type SubscriptionToStart,
  subscriptionStart,
} from '../../workflows/subscription/subscription-messages.ts';
import { isChoreOver } from './chore-budget.ts';
import { grpcCodeOf } from './grpc-code.ts';
import { endIfTasksFail } from './stuck-runs.ts';
import { unlessStarted } from './unless-started.ts';

export interface StarterDeps {
  readonly pool: Pool;
  readonly client: Client;
  readonly session: SessionRunOptions;
}

const BATCH = 500;
const AT_ONCE = 10;

export const startUnstartedSessions = startsUnstarted(unstartedSessions, startSession);
export const startUnstartedSubscriptions = startsUnstarted(unstartedSubscriptions, startSubscription);
export const startUnstartedRefunds = startsUnstarted(unstartedRefunds, startRefund);

function startsUnstarted<Row>(
  find: (db: Pool, limit: number) => Promise<readonly Row[]>,
  start: (deps: StarterDeps, row: Row) => Promise<void>,
) {
  /** @returns the number of rows that had no workflow */
  return async (deps: StarterDeps): Promise<number> => {
    const rows = await find(deps.pool, BATCH);
    await someAtOnce(rows, (row) => start(deps, row));
    return rows.length;
  };
}

/**
 * Stops when Temporal's server fails, because the other starts would fail too. Other failures do not stop it; the first
 * one is thrown at the end.
 */
export async function someAtOnce<T>(
  items: readonly T[],
  start: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = [...items];
  const failures: unknown[] = [];
  const work = async () => {
    for (let next = left.shift(); next && !isChoreOver(); next = left.shift()) {
      await start(next).catch((error: unknown) => {
        if (grpcCodeOf(error) !== undefined) throw error;
        failures.push(error);
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (failures.length > 0) throw failures[0];
}

/**
 * A completed run over an open row (rule 27) is followed by a new one, which
 * adopts the row's state; the claims in the database keep it harmless.
 */
const ALSO_AFTER_COMPLETION = { workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const;

function startSession(
  deps: StarterDeps,
  session: SessionToStart,
  how: Partial<typeof ALSO_AFTER_COMPLETION & { startDelay: 0 }> = {},
): Promise<void> {
  const options = { ...sessionStart(session, deps.session), ...how };
  return start(deps, 'checkouts', sessionWorkflow(session.id), options);
}

export function startSubscription(
  deps: StarterDeps,
  subscription: SubscriptionToStart,
  how: Partial<typeof ALSO_AFTER_COMPLETION> = {},
): Promise<void> {
  const options = { ...subscriptionStart(subscription, deps.session.timings), ...how };
  return start(deps, 'subscriptions', SUBSCRIPTION_WORKFLOW, options);
}

export function startRefund(
  deps: StarterDeps,
  refund: RefundToStart,
  how: Partial<typeof ALSO_AFTER_COMPLETION> = {},
): Promise<void> {
  const options = { ...refundStart(refund, deps.session.timings), ...how };
  return start(deps, 'refunds', REFUND_WORKFLOW, options);
}

/** Starts the workflow unless it is running or has already run, and marks its row. */
async function start(
  { client, pool }: StarterDeps,
  table: Parameters<typeof markStarted>[1],
  workflow: string,
  options: WorkflowStartOptions,
): Promise<void> {
  await unlessStarted(() => client.workflow.start(workflow, options));
  await markStarted(pool, table, [options.workflowId]);
}

/**
 * Starts a run from the row of a session, subscription or refund, without a start delay: a look-up may be
 * due, and signals are not handled during a start delay (rule 15).
 * @returns whether the row is open
 */
export async function startAgain(deps: StarterDeps, id: string): Promise<boolean> {
  if (id.startsWith('ap_sub_')) {
    const subscription = await findStartableSubscription(deps.pool, id);
    if (subscription) await startSubscription(deps, subscription, ALSO_AFTER_COMPLETION);
    return subscription !== null;
  }
  if (id.startsWith('ap_ref_')) {
    const refund = await findStartableRefund(deps.pool, id);
    if (refund) await startRefund(deps, refund, ALSO_AFTER_COMPLETION);
    return refund !== null;
  }
  const session = await findSessionToStart(deps.pool, id);
  if (session) await startSession(deps, session, { ...ALSO_AFTER_COMPLETION, startDelay: 0 });
  return session !== null;
}

/**
 * Starts the reconciliation of a payment that has ended here, or makes the running one ask the rail now (rule 33).
 * Ends a stuck run first: a start or a signal would only join it, and the buyer would not get the money back (rule
 * 45).
 */
export async function tellReconcile(client: Client, input: ReconcileInput): Promise<void> {
  await endIfTasksFail(client, reconcileStart(input).workflowId);
  await client.workflow.signalWithStart(RECONCILE_WORKFLOW, reconcileWebhook(input));
}

/** Starts the reconciliation without a webhook, or joins the running one, which has its own schedule. */
export async function startReconcile(client: Client, input: ReconcileInput): Promise<void> {
  await endIfTasksFail(client, reconcileStart(input).workflowId);
  await client.workflow.start(RECONCILE_WORKFLOW, reconcileStart(input));
}
