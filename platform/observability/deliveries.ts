/** Attempts to deliver events to merchants. */
import { histogram, merchantLabel, WAIT_BUCKETS } from './metrics.ts';

const duration = histogram('checkout.webhook.delivery.duration', {
  unit: 's',
  description: 'Duration of attempts to deliver an event, by outcome.',
  buckets: WAIT_BUCKETS,
});

export interface DeliveryEnd {
  readonly merchantId: string;
  readonly environment: string;
  readonly delivered: boolean;
  /** Null without a response. */
  readonly httpStatus: number | null;
  readonly seconds: number;
}

export function recordDelivery(delivery: DeliveryEnd): void {
  duration.record(delivery.seconds, {
    environment: delivery.environment,
    outcome: delivery.delivered ? 'delivered' : 'failed',
    // Only the status class, because receivers choose the code.
    code: delivery.httpStatus === null ? 'no_answer' : `${Math.floor(delivery.httpStatus / 100)}xx`,
    ...merchantLabel(delivery.merchantId),
  });
}
