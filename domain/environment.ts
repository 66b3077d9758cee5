/** The two worlds that never mix: `sandbox` (keys `ap_test_…`) and `production` (keys `ap_live_…`). */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** What every query about a merchant's data takes first, so that scoping cannot be forgotten. */
export interface Scope {
  readonly merchantId: string;
  readonly environment: Environment;
}
