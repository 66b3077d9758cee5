import type { UnreadRow } from '../../../rail/account-source.ts';

/** An import's report about one object at the processor. */
export interface ImportRow {
  readonly kind: UnreadRow['kind'];
  /** The processor's id. */
  readonly source: string;
  /**
   * `moved` and `there` (moved by an earlier import) have a reason if an operator must act. `stays`: cannot be moved.
   * `unknown`: the processor did not answer; run the import again.
   */
  readonly state: 'moves' | 'moved' | 'there' | 'stays' | 'unknown';
  /** The id here; for a payment method, its subscription's; null if the object stays or does not exist here yet. */
  readonly id: string | null;
  readonly why: readonly string[];
}
