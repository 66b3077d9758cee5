/**
 * Repeats the merchants' requests that a restored database lacks, or lists them for an operator (rule 29). Temporal has
 * kept them since the backup: the updates of subscriptions, with their answers.
 */
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { z } from 'zod';
import { isDatabaseUnavailable } from '../../db/core/unavailable.ts';
import {
  adoptCancellation,
  adoptWithdrawnChange,
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
/** cancelled, deadline exceeded, resource exhausted, unavailable: worth another try of the activity. */
const TRANSIENT: readonly number[] = [1, 4, 8, 14];

const UNREADABLE = 'its history in Temporal cannot be read';

type Deps = Pick<ActivityDeps, 'client' | 'pool' | 'logger'>;
type NamedRequest = RememberedRequest & { readonly name: string };

interface Run {
  readonly workflowId: string;
  readonly runId: string;
}
interface Request extends RememberedRequest {
  readonly name: string;
  readonly command: unknown;
}
type Changed = (subscriptionId: string, what: string) => Promise<void>;

/**
 * A history or request that cannot be read is listed for an operator: it must not keep the others fenced.
 * @param changed called with each subscription whose row changed
 */
export async function adoptLostRequests(
  deps: Deps,
  { epoch, since }: { readonly epoch: number; readonly since: string },
  changed: Changed,
): Promise<void> {
  const { client, pool, logger } = deps;
  const query = `WorkflowType = '${SUBSCRIPTION_WORKFLOW}' and (ExecutionStatus = 'Running' or CloseTime >= '${since}')`;
  const adoptRun = async (run: Run) => {
    const subscriptionId = run.workflowId;
    const orListed = async (act: () => Promise<void>, request: NamedRequest): Promise<void> => {
      try {
        await act();
      } catch (err) {
        if (isTransient(err)) throw err;
        logger.error({ subscriptionId, request: request.name, err }, 'merchant request not adopted');
        await listLostRequest(pool, epoch, request);
      }
    };
    const adoptAll = async () => {
      for (const request of lastingOf(await requestsOf(client, run, since)))
        await orListed(() => adopt(deps, epoch, request, changed), request);
    };
    await orListed(adoptAll, {
      subscriptionId,
      operationKey: `history-${epoch}`,
      at: since,
      name: UNREADABLE,
    });
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

function isTransient(error: unknown): boolean {
  if (isGrpcServiceError(error)) return TRANSIENT.includes(error.code);
  return isDatabaseUnavailable(error);
}

/** Leaves out plan changes that were cancelled later: if both requests are lost, nothing is missing. */
function lastingOf(requests: readonly Request[]): readonly Request[] {
  const withdrawn = new Set(
    requests.flatMap(({ name, changeId }) => (name === cancelChangeUpdate.name ? [changeId] : [])),
  );
  return requests.filter(
    ({ name, changeId }) => name !== scheduleChangeUpdate.name || !withdrawn.has(changeId),
  );
}

const cancellation = z.object({ atPeriodEnd: z.boolean() });

async function adopt(
  { pool, logger }: Deps,
  epoch: number,
  request: Request,
  changed: Changed,
): Promise<void> {
  const { subscriptionId, name, command } = request;
  if (name === cancelSubscriptionUpdate.name) {
    const { atPeriodEnd } = cancellation.parse(command);
    const adopted = await adoptCancellation(pool, { ...request, atPeriodEnd });
    if (adopted === 'ended') await changed(subscriptionId, 'restored subscription had been cancelled: ended');
    else if (adopted) await changed(subscriptionId, 'restored subscription ends with its period again');
    return;
  }
  if (name === cancelChangeUpdate.name) {
    const adopted = await adoptWithdrawnChange(pool, request);
    if (adopted === 'withdrawn') await changed(subscriptionId, 'change of plan withdrawn again');
    if (adopted !== 'too_late') return;
  } else if (name !== scheduleChangeUpdate.name) return;
  if (await listLostRequest(pool, epoch, request))
    logger.error({ subscriptionId, request: name }, 'merchant request lost in the restore');
}

const doneAnswer = z.object({ kind: z.literal('done'), changeId: z.string().nullable().default(null) });

/** The updates since then that were carried out, oldest first. */
async function requestsOf(client: Client, run: Run, since: string): Promise<readonly Request[]> {
  const requests: Request[] = [];
  const done = new Map<string, { readonly changeId: string | null }>();
  for await (const event of eventsBackFrom(client, run)) {
    const ms = Number(event.eventTime?.seconds ?? 0) * 1_000 + (event.eventTime?.nanos ?? 0) / 1e6;
    if (ms < Date.parse(since)) break;
    const completed = event.workflowExecutionUpdateCompletedEventAttributes;
    const answer = doneAnswer.safeParse(decoded(completed?.outcome?.success?.payloads?.[0]));
    if (completed?.meta?.updateId && answer.success) done.set(completed.meta.updateId, answer.data);
    const { meta, input } = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ?? {};
    const answered = done.get(meta?.updateId ?? '');
    if (!meta?.updateId || !input?.name || !answered) continue;
    requests.push({
      subscriptionId: run.workflowId,
      operationKey: meta.updateId,
      at: new Date(ms).toISOString(),
      name: input.name,
      command: decoded(input.args?.payloads?.[0]),
      changeId: answered.changeId,
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
        // The run's history has been deleted since the run was listed.
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
