/** Tells a subscription's workflow that its row has changed. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { wakeSignal } from '../workflows/core/messages.ts';

/** Without a run: the next start reads the row. */
export async function wakeSubscription(client: Client, subscriptionId: string): Promise<void> {
  await client.workflow
    .getHandle(subscriptionId)
    .signal(wakeSignal)
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
}
