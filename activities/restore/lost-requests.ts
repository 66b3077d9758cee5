/**
 * Temporal remembers what merchants have asked for since the backup: the updates of subscriptions, with their answers.
 * What the restored database lacks is repeated, or listed for an operator (rule 29).
 */
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { z } from 'zod';
import {
  adoptCancellation,
  listLostRequest,
  type RememberedRequest,
} from '../../db/restore/lost-requests.ts';
import {
  cancelChangeUpdate,
  cancelSubscriptionUpdate,
  SUBSCRIPTION_WORKFLOW,
  scheduleChangeUpdate,
} from '../../workflows/subscription/subscription-messages.ts';
import type { ActivityDeps } from '../core/deps.ts';

/** Each needs a page of its newest events: some 5 ms. */
const RUNS_AT_ONCE = 20;
const EVENTS_OF_PAGE = 50;
const NOT_FOUND = 5;

interface Run {
  readonly workflowId: string;
  readonly runId: string;
}
interface Request extends RememberedRequest {
  readonly name: string;
  readonly command: unknown;
}

/** @param changed called with each subscription whose row changed */
export async function adoptLostRequests(
  deps: ActivityDeps,
  { epoch, since }: { readonly epoch: number; readonly since: string },
  changed: (subscriptionId: string, what: string) => Promise<void>,
): Promise<void> {
  const { client } = deps;
  const query = `WorkflowType = '${SUBSCRIPTION_WORKFLOW}' and (ExecutionStatus = 'Running' or CloseTime >= '${since}')`;
  const adoptRun = async (run: Run) => {
    for (const request of await requestsOf(client, run, since)) await adopt(deps, epoch, request, changed);
  };
  let runs: Run[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    runs.push({ workflowId, runId });
    if (runs.length < RUNS_AT_ONCE) continue;
    await Promise.all(runs.map(adoptRun));
    runs = [];
  }
  await Promise.all(runs.map(adoptRun));
}

const cancellation = z.object({ atPeriodEnd: z.boolean() });
const LISTED: readonly string[] = [scheduleChangeUpdate.name, cancelChangeUpdate.name];

async function adopt(
  { pool, logger }: ActivityDeps,
  epoch: number,
  request: Request,
  changed: (subscriptionId: string, what: string) => Promise<void>,
): Promise<void> {
  const { subscriptionId, name, command } = request;
  if (name === cancelSubscriptionUpdate.name) {
    const { atPeriodEnd } = cancellation.parse(command);
    const adopted = await adoptCancellation(pool, { ...request, atPeriodEnd });
    if (adopted === 'ended') await changed(subscriptionId, 'restored subscription had been cancelled: ended');
    else if (adopted) await changed(subscriptionId, 'restored subscription ends with its period again');
  } else if (LISTED.includes(name) && (await listLostRequest(pool, epoch, request))) {
    logger.error({ subscriptionId, request: name }, 'restored database lacks what a merchant asked for');
  }
}

/** The updates since then that were carried out, oldest first. */
async function requestsOf(client: Client, run: Run, since: string): Promise<readonly Request[]> {
  const requests: Request[] = [];
  const doneIds = new Set<string>();
  for await (const event of eventsBackFrom(client, run)) {
    const ms = Number(event.eventTime?.seconds ?? 0) * 1_000 + (event.eventTime?.nanos ?? 0) / 1e6;
    if (ms < Date.parse(since)) break;
    const completed = event.workflowExecutionUpdateCompletedEventAttributes;
    const answer = decoded(completed?.outcome?.success?.payloads?.[0]) as { readonly kind?: unknown } | null;
    if (completed?.meta?.updateId && answer?.kind === 'done') doneIds.add(completed.meta.updateId);
    const { meta, input } = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ?? {};
    if (!meta?.updateId || !input?.name || !doneIds.has(meta.updateId)) continue;
    requests.push({
      subscriptionId: run.workflowId,
      operationKey: meta.updateId,
      at: new Date(ms).toISOString(),
      name: input.name,
      command: decoded(input.args?.payloads?.[0]),
    });
  }
  return requests.reverse();
}

async function* eventsBackFrom({ workflowService, options: { namespace } }: Client, execution: Run) {
  const request = { namespace, execution, maximumPageSize: EVENTS_OF_PAGE };
  for (let nextPageToken = new Uint8Array(); ; ) {
    const page = await workflowService
      .getWorkflowExecutionHistoryReverse({ ...request, nextPageToken })
      .catch((error: unknown) => {
        // Its history has been deleted since it was listed.
        if (isGrpcServiceError(error) && error.code === NOT_FOUND) return null;
        throw error;
      });
    yield* page?.history?.events ?? [];
    if (!page?.nextPageToken?.length) return;
    nextPageToken = new Uint8Array(page.nextPageToken);
  }
}

function decoded(payload: Payload | null | undefined): unknown {
  return payload ? defaultPayloadConverter.fromPayload(payload) : null;
}
