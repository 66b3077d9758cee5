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

type Activity = (...args: readonly unknown[]) => Promise<unknown>;
type Result = Readonly<Record<string, unknown>>;

export function withPages<Calls extends object>(
  addresses: PageAddresses | undefined,
  activities: Calls,
): Calls {
  if (!addresses) return activities;
  const wrapped = Object.entries(activities).map(([name, activity]: [string, Activity]) => [
    name,
    async (...args: readonly unknown[]) => {
      const result = await activity(...args);
      if (typeof result !== 'object' || result === null) return result;
      const { view } = result as { view?: Result };
      return view ? { ...result, view: linked(view, addresses) } : linked(result as Result, addresses);
    },
  ]);
  return Object.fromEntries(wrapped) as Calls;
}

function linked(view: Result, { runbookUrl, dashboardUrl }: PageAddresses): Result {
  const id = view.refundId ?? view.subscriptionId ?? view.checkoutId;
  const waits = view.state === 'reconciliation_required' || view.reconciling === true;
  if (!waits || typeof id !== 'string') return view;
  const pages: OperatorPages = {
    ...(runbookUrl && { runbook: `${runbookUrl}#reconciliation_required` }),
    ...(dashboardUrl && { dashboard: `${dashboardUrl}/operations/subjects/${id}` }),
  };
  return { ...view, pages };
}
