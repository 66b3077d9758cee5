/** The restore workflow's name, input, progress and start options. */
import { count, message } from '../core/parse-message.ts';
import { taskQueue } from '../core/task-queues.ts';

export const RESTORE_WORKFLOW = 'restore';

export interface RestoreInput {
  /** The epoch of the restored database. */
  readonly epoch: number;
}

export const restoreInput = message<RestoreInput>({ epoch: count });

export interface RestoreStatus {
  readonly step: 'waiting' | 'comparing' | 'adopting' | 'lifted';
  readonly accounts: number;
  /** Accounts whose list was compared. */
  readonly compared: number;
  /** Charges and refunds in the rail's lists. */
  readonly listed: number;
  readonly open: number;
  readonly adopted: number;
  readonly forAPerson: number;
}

export function restoreStart(epoch: number) {
  return {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `restore-${epoch}`,
    // Allows another run to be started if the run of a fenced database is lost.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    args: [{ epoch }] as [RestoreInput],
    staticSummary: 'Compares a restored database with the rail',
  };
}
