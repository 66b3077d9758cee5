/** An operator's settlement of an attempt, charge or refund whose outcome the rail does not report. */

export const RESOLUTION_OUTCOMES = ['succeeded', 'failed'] as const;

export interface ResolveCommand {
  readonly outcome: (typeof RESOLUTION_OUTCOMES)[number];
  readonly operator: string;
  readonly reason: string;
  /** The evidence, for example the charge's reference in the processor's dashboard. */
  readonly evidence: string;
}

/** A stored request (`resolve_requests`). Its free text stays in the database, because histories keep messages. */
export interface StoredRequest {
  readonly requestId: string;
}

export interface StoredResolution extends StoredRequest {
  readonly outcome: ResolveCommand['outcome'];
}

/** An update sent from Temporal UI contains the request itself. */
export type Resolution = ResolveCommand | StoredResolution;
