/**
 * The two environments, strictly separate: `sandbox` (keys `ap_test_…`) and `production` (keys `ap_live_…`).
 */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** First argument of every query on a merchant's data, so that scoping cannot be forgotten. */
export interface Scope {
  readonly merchantId: string;
  readonly environment: Environment;
}

/** One merchant in one environment, or in both if `environment` is null. */
export interface AnyScope {
  readonly merchantId: string;
  readonly environment: Environment | null;
}
