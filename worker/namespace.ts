/** Search attributes and schedules in the Temporal namespace, created at every start (rule 27). */
import {
  type Client,
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { taskQueue } from '../workflows/core/messages.ts';
import { SWEEP_SCHEDULE_ID, SWEEP_WORKFLOW } from '../workflows/core/sweep-messages.ts';
import { PRUNE_EVENTS_SCHEDULE_ID, PRUNE_EVENTS_WORKFLOW } from '../workflows/webhook/endpoint-messages.ts';

/** temporal.api.enums.v1.IndexedValueType */
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

/** gRPC's PERMISSION_DENIED and UNIMPLEMENTED. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([7, 12]);

/**
 * Registers missing search attributes.
 * @returns false if the cluster does not allow it, as hosted ones may not: an operator must have registered them
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

/** The sweep runs every minute, the pruning of old events every night. */
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
