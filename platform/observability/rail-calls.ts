/** Calls to card processors. */
import { histogram, WAIT_BUCKETS } from './metrics.ts';

const duration = histogram('checkout.rail.call.duration', {
  unit: 's',
  description: 'Duration of calls to a card processor, by operation and outcome.',
  buckets: WAIT_BUCKETS,
});

export interface RailCallEnd {
  readonly rail: string;
  readonly operation: string;
  readonly environment: string;
  readonly outcome: string;
  /** A decline code, or the reason for an unknown outcome. */
  readonly code: string | undefined;
  readonly seconds: number;
}

export function recordRailCall({ seconds, code, ...call }: RailCallEnd): void {
  duration.record(seconds, { ...call, ...(code && { code }) });
}
