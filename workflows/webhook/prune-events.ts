import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { DeliverActivities } from '../../activities/webhook/deliver.ts';

const { pruneOldEvents } = proxyActivities<DeliverActivities>({
  startToCloseTimeout: '1 min',
  retry: { initialInterval: '10 s', backoffCoefficient: 2, maximumInterval: '10 min' },
});

const BATCHES_PER_RUN = 200;

/** Guarantees: events and their delivery log are deleted after 90 days; runs daily. */
export async function pruneEvents(): Promise<void> {
  for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
    if ((await pruneOldEvents()) === 0) return;
  }
  await continueAsNew<typeof pruneEvents>();
}
