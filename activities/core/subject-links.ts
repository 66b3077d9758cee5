/** Adds operator links to the results and failures of activities: workflows do not know URLs. */
import type { SubjectLinks } from '../../domain/core/subject-links.ts';

/** Base URLs without a trailing slash. */
export interface PageAddresses {
  /** Base URL of docs/on-call.md. */
  readonly runbookUrl?: string | undefined;
  readonly dashboardUrl?: string | undefined;
}

/** Anchors in docs/on-call.md. */
export const LINKED_SECTIONS = [
  'reconciliation_required',
  'orphaned_charge',
  'outcome_not_recorded',
  'endpoint_failing',
  'endpoint_disabled',
] as const;
export type LinkedSection = (typeof LINKED_SECTIONS)[number];

/** The configured operator links for a subject: the section of the runbook, and its page in the dashboard. */
export function linksAbout(
  id: string,
  section: LinkedSection,
  { runbookUrl, dashboardUrl }: PageAddresses = {},
) {
  const pages: SubjectLinks = {
    ...(runbookUrl && { runbook: `${runbookUrl}#${section}` }),
    ...(dashboardUrl && { dashboard: `${dashboardUrl}/operations/subjects/${id}` }),
  };
  return pages;
}

/** Adds operator links to the view of a subject. Call only if the subject's outcome is unknown. */
export function withLinks<View extends { readonly pages?: SubjectLinks }>(
  view: View,
  id: string,
  addresses: PageAddresses | undefined,
): View {
  return addresses ? { ...view, pages: linksAbout(id, 'reconciliation_required', addresses) } : view;
}
