/** An operator's settlement of an attempt, a charge or a refund whose outcome the rail does not report. */

export const RESOLUTION_OUTCOMES = ['succeeded', 'failed'] as const;

export interface ResolveCommand {
  readonly outcome: (typeof RESOLUTION_OUTCOMES)[number];
  readonly operator: string;
  readonly reason: string;
  /** The evidence, for example the charge's reference in the processor's dashboard. */
  readonly evidence: string;
}

/** The stored form (`resolve_requests`): free text stays in the database, because histories keep activity results. */
export interface StoredResolution {
  readonly outcome: ResolveCommand['outcome'];
  readonly requestId: string;
}

/**
 * The part that a workflow carries. Older histories, and updates from Temporal UI, hold the request itself.
 */
export type Resolution = ResolveCommand | StoredResolution;
