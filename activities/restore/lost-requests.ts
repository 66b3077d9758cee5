/**
 * Lists the subscription requests that a restored database has lost (rule 29). Temporal has recorded them since the
 * backup: in completed runs, and in the updates of other runs with their answers.
 */
import { type Client, isGrpcServiceError, type WorkflowExecutionInfo } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { z } from 'zod';
import { knownOperations, type LostRequest, listLostRequest } from '../../db/restore/lost-requests.ts';
import { operationKeyOf } from '../../platform/temporal/messages.ts';
import {
  cancelSubscriptionUpdate,
  changeNowUpdate,
  moveTrialUpdate,
  pauseSubscriptionUpdate,
  resumeSubscriptionUpdate,
  SUBSCRIPTION_WORKFLOW,
  undoCancelUpdate,
} from '../../workflows/subscription/subscription-messages.ts';
import type { ActivityDeps } from '../core/deps.ts';

/** Runs that are read concurrently. Reading one page of a run's newest events takes about 5 ms. */
const RUNS_AT_ONCE = 20;
const EVENTS_OF_PAGE = 50;
const NOT_FOUND = 5;
/** Updates whose loss would make the next charge happen at a different time, or bill time that is already paid for. */
const CHARGES_OTHERWISE = new Set<string>([changeNowUpdate.name, moveTrialUpdate.name]);
const ABOUT_PAUSES = new Set<string>([pauseSubscriptionUpdate.name, resumeSubscriptionUpdate.name]);

export type LostUpdate = Omit<LostRequest, 'effect'> & {
  /** The update's name in Temporal; `name` is the text for operators. */
  readonly update: string;
};

type Deps = Pick<ActivityDeps, 'client' | 'pool' | 'logger'>;

export async function listLostRequests(
  { client, pool, logger }: Deps,
  { epoch, since }: { readonly epoch: number; readonly since: string },
): Promise<void> {
  const ofSubscriptions = `WorkflowType = '${SUBSCRIPTION_WORKFLOW}'`;
  const replaced = await replacedRuns(client, `${ofSubscriptions} and CloseTime >= '${since}'`);
  const listAll = async (run: WorkflowExecutionInfo) => {
    for (const request of await lostIn({ client, pool }, run, replaced.get(run.workflowId) ?? [], since))
      if (await listLostRequest(pool, epoch, request))
        logger.error({ ...request }, 'merchant request lost in the restore');
  };
  const query = `${ofSubscriptions} and (ExecutionStatus = 'Running' or CloseTime >= '${since}')`;
  let runs: WorkflowExecutionInfo[] = [];
  const read = new Set<string>();
  for await (const run of client.workflow.list({ query })) {
    // One run stands for all uncompleted runs of its subscription, because their requests are read together.
    if (run.status.name !== 'COMPLETED' && read.has(run.workflowId)) continue;
    if (run.status.name !== 'COMPLETED') read.add(run.workflowId);
    runs.push(run);
    if (runs.length < RUNS_AT_ONCE) continue;
    await Promise.all(runs.map(listAll));
    runs = [];
  }
  await Promise.all(runs.map(listAll));
}

/** Returns, by subscription, the runs that neither completed nor were continued: the sweep has replaced them. */
async function replacedRuns(client: Client, closed: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const replaced = new Map<string, string[]>();
  const query = `${closed} and ExecutionStatus in ('Terminated', 'Failed', 'TimedOut', 'Canceled')`;
  for await (const { workflowId, runId } of client.workflow.list({ query }))
    replaced.set(workflowId, [...(replaced.get(workflowId) ?? []), runId]);
  return replaced;
}

/** A completed run means that the subscription has ended; its history is not read. */
async function lostIn(
  deps: Omit<Deps, 'logger'>,
  { workflowId, runId, status, closeTime }: WorkflowExecutionInfo,
  replaced: readonly string[],
  since: string,
): Promise<readonly LostRequest[]> {
  if (status.name !== 'COMPLETED') return requestsOf(deps, workflowId, replaced, since);
  const at = (closeTime ?? new Date(since)).toISOString();
  const operationKey = `ended-${runId}`;
  const ended = {
    subscriptionId: workflowId,
    operationKey,
    at,
    name: 'it had ended',
    effect: 'stops',
  } as const;
  return [{ ...ended, resumesAt: null }];
}

/**
 * The accepted updates since the backup that the copy does not have, oldest first. All runs are evaluated together,
 * because their requests have a combined effect.
 */
async function requestsOf(
  { client, pool }: Omit<Deps, 'logger'>,
  workflowId: string,
  replaced: readonly string[],
  since: string,
): Promise<readonly LostRequest[]> {
  const requests = new Map<string, LostUpdate>();
  for (const runId of [undefined, ...replaced])
    for (const update of await updatesIn(client, { workflowId, ...(runId && { runId }) }, since))
      requests.set(update.operationKey, update);
  const known = await knownOperations(pool, workflowId, [...requests.keys()]);
  const lost = [...requests.values()].filter(({ operationKey }) => !known.has(operationKey));
  return withEffects(lost.toSorted((one, other) => one.at.localeCompare(other.at)));
}

/** Returns the updates of a run, by default the last one, and of the runs that it continues. */
async function updatesIn(
  client: Client,
  run: { readonly workflowId: string; readonly runId?: string },
  since: string,
): Promise<readonly LostUpdate[]> {
  const { workflowId } = run;
  const requests: LostUpdate[] = [];
  const done = new Set<string>();
  for await (const event of eventsBackFrom(client, run)) {
    const ms = Number(event.eventTime?.seconds ?? 0) * 1_000 + (event.eventTime?.nanos ?? 0) / 1e6;
    if (ms < Date.parse(since)) break;
    const { meta: of, outcome } = event.workflowExecutionUpdateCompletedEventAttributes ?? {};
    if (of?.updateId && mayBeDone(outcome?.success?.payloads?.[0])) done.add(of.updateId);
    const { meta, input } = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ?? {};
    if (!meta?.updateId || !input?.name || !done.has(meta.updateId)) continue;
    const isPause = input.name === pauseSubscriptionUpdate.name;
    requests.push({
      subscriptionId: workflowId,
      operationKey: operationKeyOf(meta.updateId),
      at: new Date(ms).toISOString(),
      update: input.name,
      name: input.name,
      resumesAt: null,
      ...(isPause && pauseIn(input.args?.payloads?.[0])),
    });
  }
  return requests.reverse();
}

/** Yields the events of a run, by default the last one, and of the runs that it continues, newest first. */
async function* eventsBackFrom(
  { workflowService, options: { namespace } }: Client,
  { workflowId, runId }: { readonly workflowId: string; readonly runId?: string },
) {
  let execution = { workflowId, ...(runId && { runId }) };
  for (let nextPageToken = new Uint8Array(); ; ) {
    const request = { namespace, execution, maximumPageSize: EVENTS_OF_PAGE };
    const page = await workflowService
      .getWorkflowExecutionHistoryReverse({ ...request, nextPageToken })
      .catch((error: unknown) => {
        // The run's history has been deleted since the run was listed.
        if (isGrpcServiceError(error) && error.code === NOT_FOUND) return null;
        throw error;
      });
    const events = page?.history?.events ?? [];
    yield* events;
    nextPageToken = new Uint8Array(page?.nextPageToken ?? []);
    if (nextPageToken.length > 0) continue;
    const continued = events.at(-1)?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    if (!continued) return;
    execution = { workflowId, runId: continued };
  }
}

const pauseInput = z.object({ resumesAt: z.iso.datetime().nullable() });

/** Returns the resume date of a lost pause, and the text for the operator's list, which mentions an unknown date. */
function pauseIn(payload: Payload | undefined): Pick<LostRequest, 'name' | 'resumesAt'> {
  const input = pauseInput.safeParse(payload && readable(payload));
  const { name } = pauseSubscriptionUpdate;
  if (!input.success)
    return { name: `${name}, resume date unknown: ask the merchant for it`, resumesAt: null };
  const { resumesAt } = input.data;
  return { name: `${name}, ${resumesAt ? `resumes at ${resumesAt}` : 'no resume date'}`, resumesAt };
}

/** An answer that cannot be read counts as done: it must neither hide a cancellation nor keep the database fenced. */
function mayBeDone(payload: Payload | null | undefined): boolean {
  if (!payload) return false;
  const answer = readable(payload);
  return answer === undefined || (answer as { kind?: unknown } | null)?.kind === 'done';
}

/** Returns undefined for an encoding that cannot be read. */
function readable(payload: Payload): unknown {
  try {
    return defaultPayloadConverter.fromPayload(payload);
  } catch {
    return undefined;
  }
}

/**
 * The combined effect of one subscription's lost requests: a later request undoes or replaces an earlier one. A
 * cancellation that was undone stops nothing. Every request about a pause pauses, because the copy cannot know what was
 * charged in between; only the last one's date counts.
 * @param updates oldest first
 */
export function withEffects(updates: readonly LostUpdate[]): readonly LostRequest[] {
  const lastUndo = updates.findLastIndex(({ update }) => update === undoCancelUpdate.name);
  const lastPause = updates.findLastIndex(({ update }) => ABOUT_PAUSES.has(update));
  const lastCancel = updates.findLastIndex(isCancellation);
  return updates.map(({ update, ...asked }, index) => ({
    ...asked,
    effect: effectOf(update, { isUndone: index < lastUndo, isCancelled: lastCancel > lastUndo }),
    resumesAt: index === lastPause ? asked.resumesAt : null,
  }));
}

/** A cancellation in force stops by itself, so that no decision about an earlier request can undo it. */
function effectOf(
  update: string,
  { isUndone, isCancelled }: { readonly isUndone: boolean; readonly isCancelled: boolean },
): LostRequest['effect'] {
  if (ABOUT_PAUSES.has(update)) return 'pauses';
  const stops = isCancellation({ update }) ? !isUndone : CHARGES_OTHERWISE.has(update) && !isCancelled;
  return stops ? 'stops' : null;
}

function isCancellation({ update }: Pick<LostUpdate, 'update'>): boolean {
  return update === cancelSubscriptionUpdate.name;
}
