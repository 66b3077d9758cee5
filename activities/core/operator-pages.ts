/** Adds operator links to the results and failures of activities: workflows do not know URLs. */
import type { OperatorPages } from '../../domain/core/operator-pages.ts';

/** URLs without a trailing slash. */
export interface PageAddresses {
  /** Where docs/operations.md is read. */
  readonly runbookUrl?: string | undefined;
  readonly dashboardUrl?: string | undefined;
}

/** Anchors in docs/operations.md. */
export const LINKED_SECTIONS = [
  'reconciliation_required',
  'orphaned_charge',
  'outcome_not_recorded',
  'webhook_endpoint_disabled',
  'webhook-endpoints',
] as const;
export type LinkedSection = (typeof LINKED_SECTIONS)[number];

/** The pages about an id that are configured. */
export function pagesAbout(
  id: string,
  section: LinkedSection,
  { runbookUrl, dashboardUrl }: PageAddresses = {},
) {
  const pages: OperatorPages = {
    ...(runbookUrl && { runbook: `${runbookUrl}#${section}` }),
    ...(dashboardUrl && { dashboard: `${dashboardUrl}/operations/subjects/${id}` }),
  };
  return pages;
}

/** Adds operator links to the view of a subject whose outcome is unknown; other views stay link-free in histories. */
export function withPages<View extends { readonly pages?: OperatorPages }>(
  view: View,
  id: string,
  addresses: PageAddresses | undefined,
): View {
  return addresses ? { ...view, pages: pagesAbout(id, 'reconciliation_required', addresses) } : view;
}
