import { proxyActivities } from '@temporalio/workflow';
import type { DeliverActivities } from '../../activities/webhook/deliver.ts';

/**
 * Activities of an endpoint. Regular activities instead of local ones, because a drain is long and its worker may die.
 */
export function endpointProxy(merchantId: string) {
  return proxyActivities<DeliverActivities>({
    // A drain takes at most five minutes.
    startToCloseTimeout: '10 min',
    heartbeatTimeout: '10 s',
    retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
    priority: { fairnessKey: merchantId },
  });
}
