/**
 * Adds links to the view of a subject that waits for an operator. A workflow knows no address, and every other view goes
 * into its history without one.
 */
import type { OperatorPages } from '../../domain/operator-pages.ts';

/** Each without a slash at its end. */
export interface PageAddresses {
  /** Where docs/operations.md is read. */
  readonly runbookUrl?: string | undefined;
  readonly dashboardUrl?: string | undefined;
}

/** The view of a subject that waits for an operator, with the pages about it that are configured. */
export function withPages<View extends { readonly pages?: OperatorPages }>(
  view: View,
  id: string,
  addresses: PageAddresses | undefined,
): View {
  if (!addresses) return view;
  const { runbookUrl, dashboardUrl } = addresses;
  const pages: OperatorPages = {
    ...(runbookUrl && { runbook: `${runbookUrl}#reconciliation_required` }),
    ...(dashboardUrl && { dashboard: `${dashboardUrl}/operations/subjects/${id}` }),
  };
  return { ...view, pages };
}
