/** The Temporal namespace; its search attributes and schedules, created at every start (rule 27). */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { taskQueue } from '../workflows/core/task-queues.ts';
import { SWEEP_SCHEDULE_ID, SWEEP_WORKFLOW } from '../workflows/sweep/sweep-messages.ts';
import { PRUNE_EVENTS_SCHEDULE_ID, PRUNE_EVENTS_WORKFLOW } from '../workflows/webhook/prune-messages.ts';

/** Values of temporal.api.enums.v1.IndexedValueType. */
const KEYWORD = 2;
const BOOL = 5;
const DATETIME = 6;

const SEARCH_ATTRIBUTES = {
  MerchantId: KEYWORD,
  Environment: KEYWORD,
  LifecycleState: KEYWORD,
  NeedsOperator: BOOL,
  NextActionAt: DATETIME,
};

/** gRPC's NOT_FOUND and ALREADY_EXISTS. */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
/** Every part of the cluster knows a new namespace within about ten seconds; this time includes a margin. */
const KNOWN_WITHIN_MS = 30_000;

/** gRPC's PERMISSION_DENIED and UNIMPLEMENTED. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([7, 12]);

/** @returns true if this call created the namespace. On Temporal Cloud, create it in the console first. */
export async function ensureNamespace(client: Client, namespace: string, days: number): Promise<boolean> {
  const { workflowService } = client.connection;
  try {
    await workflowService.describeNamespace({ namespace });
    return false;
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== NOT_FOUND) throw error;
  }
  try {
    const workflowExecutionRetentionPeriod = msToTs(days * 86_400_000);
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== ALREADY_EXISTS) throw error;
  }
  return true;
}

/** Repeats `work` until every part of the cluster knows a new namespace. */
export async function onceKnown<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + KNOWN_WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const cause = (error as Error).cause ?? error;
      if (!isGrpcServiceError(cause) || cause.code !== NOT_FOUND || Date.now() > deadline) throw error;
      await pause(200);
    }
  }
}

/**
 * Registers missing search attributes.
 * @returns false if the cluster forbids it, as hosted ones may; an operator must then have registered them
 */
export async function ensureSearchAttributes(client: Client, namespace: string): Promise<boolean> {
  const { operatorService } = client.connection;
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    const missing = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => !(name in (customAttributes ?? {})));
    if (missing.length === 0) return true;
    await operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing) });
    return true;
  } catch (error) {
    if (isGrpcServiceError(error) && NOT_ALLOWED.has(error.code)) return false;
    throw error;
  }
}

/**
 * The sweep runs every minute, the deletion of old events every night. While a run is open, its Schedule starts no
 * other one, so the server ends a run that is stuck at its time limit.
 */
export async function ensureSchedules(client: Client): Promise<void> {
  const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' } as const;
  await ensureSchedule(client, {
    scheduleId: SWEEP_SCHEDULE_ID,
    spec: { intervals: [{ every: '1 minute' }] },
    policies,
    action: {
      type: 'startWorkflow',
      workflowType: SWEEP_WORKFLOW,
      workflowId: SWEEP_WORKFLOW,
      taskQueue: taskQueue('billing', 'production'),
      workflowExecutionTimeout: '3 minutes',
      args: [],
    },
  });
  await ensureSchedule(client, {
    scheduleId: PRUNE_EVENTS_SCHEDULE_ID,
    spec: { calendars: [{ hour: 3, minute: 17 }] },
    policies,
    action: {
      type: 'startWorkflow',
      workflowType: PRUNE_EVENTS_WORKFLOW,
      workflowId: PRUNE_EVENTS_SCHEDULE_ID,
      taskQueue: taskQueue('webhooks', 'production'),
      workflowExecutionTimeout: '20 hours',
      args: [],
    },
  });
}

async function ensureSchedule(client: Client, schedule: ScheduleOptions): Promise<void> {
  try {
    await client.schedule.create(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
