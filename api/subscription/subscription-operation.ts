/**
 * Sends an operation to a subscription: one update of its workflow, under an id that a retry repeats. The response is
 * read from PostgreSQL, not from the update's reply. The workflow decides rejections under the subscription's lock;
 * rejections for a finished subscription are read from its row.
 */
import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { type UpdateDefinition, WorkflowNotFoundError } from '@temporalio/common';
import type { Request, Response } from 'express';
import type { Subscription } from '../../contract/subscription/resources.ts';
import { MOST_AT_ONCE, MOST_BOUNDARIES } from '../../db/subscription/advance-subscription.ts';
import { readSubscriptionClock } from '../../db/subscription/core/sandbox-clock.ts';
import {
  findOperationAnswer,
  type OperationAnswer,
} from '../../db/subscription/core/subscription-operations.ts';
import { LONGEST_PAUSE_YEARS } from '../../db/subscription/pause-subscription.ts';
import { ATTEMPTS_A_DAY } from '../../db/subscription/pay-invoice.ts';
import { findSubscription } from '../../db/subscription/read/find-subscription.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { LONGEST_TRIAL_DAYS } from '../../domain/subscription/first-period.ts';
import { refusalOfAll } from '../../domain/subscription/operations.ts';
import { updateIdOf } from '../../platform/temporal/messages.ts';
import { send } from '../../platform/temporal/send.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError, invalidRequest, serviceUnavailable } from '../http/errors.ts';
import { scopeOf } from '../http/exchange.ts';
import { pathId } from '../http/request/path-id.ts';
import { shownSubscription } from './shown-subscription.ts';

/** Includes the time for a workflow that is calling the rail. */
const UPDATE_DEADLINE_MS = 10_000;

export interface SubscriptionUpdate<Command> {
  readonly scope: Scope;
  readonly subscriptionId: string;
  /** Derived from the idempotency key; null without a key, in which case each request is a separate operation. */
  readonly operationId: string | null;
  readonly update: UpdateDefinition<unknown, [Command]>;
  readonly command: Command;
  /** Returns a rejection that the rows already imply, before the workflow is called. */
  readonly foreseen?: () => Promise<OperationAnswer | null>;
}

export function subscriptionIdOf(request: Request): string {
  return pathId(request, 'id');
}

/** @throws ApiError 404 if the subscription is not the merchant's */
export async function readSubscription(context: ApiContext, scope: Scope, id: string): Promise<Subscription> {
  const subscription = await findSubscription(context.pool, scope, id);
  if (!subscription) throw new ApiError('subscription_not_found');
  return shownSubscription(context, subscription);
}

/**
 * Returns a reader of the path's subscription, which must belong to the key's merchant and environment.
 *
 * @throws ApiError 404
 */
export function subscriptionOfKey(context: ApiContext) {
  return (request: Request, response: Response): Promise<Subscription> =>
    readSubscription(context, scopeOf(response), subscriptionIdOf(request));
}

type Done = Extract<OperationAnswer, { readonly kind: 'done' }>;

/**
 * @returns the change or the attempt that the operation concerned, if any
 * @throws ApiError with the reason for the rejection
 */
export async function operateSubscription<Command>(
  context: ApiContext,
  operation: SubscriptionUpdate<Command>,
): Promise<Pick<Done, 'changeId' | 'paymentId'>> {
  const operationKey = operation.operationId ?? `req:${randomUUID()}`;
  const answer = await decide(context, operation, operationKey);
  if (answer.kind === 'done') return answer;
  throw await refusalOf(context, operation, answer);
}

type Target = Pick<SubscriptionUpdate<unknown>, 'scope' | 'subscriptionId' | 'operationId'>;
/** Sends the update that a request describes to its subscription. */
export type Sending = (context: ApiContext, target: Target) => ReturnType<typeof operateSubscription>;

export function sending<Command>(update: UpdateDefinition<unknown, [Command]>, command: Command): Sending {
  return (context, target) => operateSubscription(context, { ...target, update, command });
}

/** `wasForeseen`: the rows alone imply the rejection, regardless of any earlier update. */
type Decision = OperationAnswer & { readonly wasForeseen?: boolean };

async function decide<Command>(
  context: ApiContext,
  operation: SubscriptionUpdate<Command>,
  operationKey: string,
): Promise<Decision> {
  const { pool, temporal, config } = context;
  const { scope, subscriptionId, update, command } = operation;
  const fromRows = async (): Promise<OperationAnswer | null> => {
    const earlier = await findOperationAnswer(pool, { subscriptionId, operationKey });
    if (earlier) return earlier;
    const { status } = await readSubscription(context, scope, subscriptionId);
    const reason = refusalOfAll(status);
    return reason && { kind: 'refused', reason };
  };
  const known = await fromRows();
  if (known) return known;
  const foreseen = await operation.foreseen?.();
  if (foreseen) return { ...foreseen, wasForeseen: true };

  const deps = { pool, client: temporal, session: config.session };
  const updated = { args: [command] as [Command], updateId: await updateIdOf(pool, operationKey) };
  try {
    const answer = (await send(
      deps,
      subscriptionId,
      (run) => run.executeUpdate(update, updated),
      UPDATE_DEADLINE_MS,
    )) as OperationAnswer;
    // Temporal may answer an operation that the database has lost and that is not listed yet (rule 29).
    const isLost = answer.kind === 'done' && !(await fromRows());
    if (!isLost) return answer;
  } catch (error) {
    // The workflow ended before it accepted the update: the rows show the result (rule 16).
    const over = error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError;
    const answer = over ? await fromRows() : null;
    if (answer) return answer;
    // The update may have arrived: a retry under the same key joins it or reads its result.
    const inTheDark = over || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
    throw inTheDark ? serviceUnavailable() : error;
  }
  throw serviceUnavailable();
}

/** Returns the error for a rejection, with the subscription's state if that is the cause. */
export async function refusalOf(
  context: ApiContext,
  { scope, subscriptionId }: { readonly scope: Scope; readonly subscriptionId: string },
  { reason, total, wasForeseen = false }: Extract<Decision, { kind: 'refused' }>,
): Promise<ApiError> {
  switch (reason) {
    case 'advance_target_past': {
      const now = await readSubscriptionClock(context.pool, subscriptionId);
      return invalidRequest(
        `to is in the past: the clock is at ${now}.`,
        { field: 'to', reason: 'too_early' },
        !wasForeseen,
      );
    }
    case 'pause_date_invalid':
      return invalidRequest(
        `resumes_at must be after the end of the period, and at most ${LONGEST_PAUSE_YEARS} years later.`,
        { field: 'resumes_at', reason: 'out_of_range' },
      );
    case 'trial_end_invalid': {
      const now = await readSubscriptionClock(context.pool, subscriptionId);
      return invalidRequest(
        `ends_at must be "now", or later than the subscription’s clock (${now}) by at most ${LONGEST_TRIAL_DAYS} days.`,
        { field: 'ends_at', reason: 'out_of_range' },
      );
    }
    case 'advance_too_far':
      return invalidRequest(
        `\`to\` is more than ${MOST_BOUNDARIES} billing boundaries ahead; advance in smaller steps.`,
        { field: 'to', reason: 'too_late' },
        !wasForeseen,
      );
    case 'advances_running':
      return new ApiError('rate_limited', {
        message:
          'Sandbox clocks of this merchant are moving: wait until one has reached its target, and repeat the request. At most ' +
          `${MOST_AT_ONCE} move at once, each over at most ${MOST_BOUNDARIES} billing boundaries.`,
        headers: { 'Retry-After': '5' },
        endsOperation: !wasForeseen,
      });
    case 'attempts_of_today':
      return new ApiError('rate_limited', {
        message: `At most ${ATTEMPTS_A_DAY} attempts a day can be requested: try again later.`,
        headers: { 'Retry-After': '3600' },
        endsOperation: true,
      });
    case 'payment_rail_unavailable':
    case 'subscription_charge_pending':
      return new ApiError(reason, { endsOperation: true });
    case 'change_needs_period_end':
    case 'preview_outdated':
      return new ApiError(reason, { total: total ?? null });
    case 'subscription_finished': {
      const { status } = await readSubscription(context, scope, subscriptionId);
      return new ApiError(reason, { message: `The subscription is ${status}.` });
    }
    default:
      return new ApiError(reason);
  }
}
