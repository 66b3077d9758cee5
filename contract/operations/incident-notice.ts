/**
 * Messages sent to operators when an incident begins and when it ends
 * (docs/operations.md#incidents-as-webhooks).
 */
import type { Incident } from './incidents.ts';

export interface IncidentNotice {
  /** Identifies this message: the same in each attempt. */
  readonly id: string;
  readonly type: 'incident.opened' | 'incident.cleared';
  readonly created_at: string;
  /** Identifies the incident: a pager closes an alert by the key that opened it. */
  readonly key: string;
  /** The incident as first listed. */
  readonly incident: Incident;
}
