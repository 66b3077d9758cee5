import type { UnreadRow } from '../../../rail/account-source.ts';

/** The report of an import about one object at the processor. */
export interface ImportRow {
  readonly kind: UnreadRow['kind'];
  /** The processor's id. */
  readonly source: string;
  /**
   * `moved` and `there` (moved before) carry a reason if an operator must decide about it. `stays`: cannot be
   * moved. `unknown`: the processor did not answer; run the import again.
   */
  readonly state: 'moves' | 'moved' | 'there' | 'stays' | 'unknown';
  /** Our id; for a payment method, that of its subscription; null if it stays or does not exist yet. */
  readonly id: string | null;
  readonly why: readonly string[];
}
