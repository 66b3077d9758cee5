/**
 * Messages to operators when an incident begins and when it ends (docs/operations.md#incidents-as-webhooks).
 */
import type { Incident } from './incidents.ts';

export interface IncidentNotice {
  /** Identifies this message; stays the same in each delivery attempt. */
  readonly id: string;
  readonly type: 'incident.opened' | 'incident.cleared';
  readonly created_at: string;
  /** Identifies the incident: a pager closes an alert by the key with which it was opened. */
  readonly key: string;
  /** The incident as it was first listed. */
  readonly incident: Incident;
}
