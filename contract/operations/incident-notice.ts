/**
 * Messages to operators when incidents of one cause open, grow in number and clear
 * (docs/operations.md#incidents-as-webhooks).
 */
import type { Incident } from './incidents.ts';

/** Once the incidents are over, `means` says so, and `next` is null. */
type NoticedIncident = Omit<Incident, 'next'> & { readonly next: string | null };

export interface IncidentNotice {
  /** Identifies this message; stays the same in each delivery attempt. */
  readonly id: string;
  readonly type: 'incident.opened' | 'incident.grown' | 'incident.cleared';
  readonly created_at: string;
  /** Identifies the cause: a pager closes an alert by the key with which it was opened. */
  readonly key: string;
  /** Number of open incidents when this message became due; in a cleared message, when the previous one did. */
  readonly count: number;
  /** The number of merchants with such incidents. */
  readonly merchants: number;
  /** The amounts at stake in them, in cents, by currency. */
  readonly amounts: readonly { readonly amount: number; readonly currency: string }[];
  /** The oldest incident. If there are several, its next command lists them. */
  readonly incident: NoticedIncident;
  /** Up to five of several incidents: those with the largest amounts, then the oldest. */
  readonly worst: readonly NoticedIncident[];
}
