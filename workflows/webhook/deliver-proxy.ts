import { proxyActivities } from '@temporalio/workflow';
import type { DeliverActivities } from '../../activities/webhook/deliver.ts';

/** What concerns endpoints. Regular activities: a drain lasts, and its worker may die in the middle. */
export function deliverProxy(merchantId: string) {
  return proxyActivities<DeliverActivities>({
    // A drain ends by itself after five minutes at most.
    startToCloseTimeout: '10 min',
    heartbeatTimeout: '10 s',
    retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
    priority: { fairnessKey: merchantId },
  });
}
