/** Links about what waits for an operator, in the results and failures of activities: a workflow knows no address. */
import type { OperatorPages } from '../../domain/core/operator-pages.ts';

/** Each without a slash at its end. */
export interface PageAddresses {
  /** Where docs/operations.md is read. */
  readonly runbookUrl?: string | undefined;
  readonly dashboardUrl?: string | undefined;
}

/** Of docs/operations.md. */
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

/** The view of a subject whose outcome is unknown, with its pages; every other view goes into its history without. */
export function withPages<View extends { readonly pages?: OperatorPages }>(
  view: View,
  id: string,
  addresses: PageAddresses | undefined,
): View {
  return addresses ? { ...view, pages: pagesAbout(id, 'reconciliation_required', addresses) } : view;
}
