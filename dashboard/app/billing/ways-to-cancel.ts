import type { Schemas } from '../api/description.ts';

export type CancelWhen = 'end' | 'now';
type Cancellable = Pick<Schemas['SubscriptionDetailsAnswer'], 'status' | 'cancel_at_period_end'>;

/**
 * The first is preselected. A paused subscription has no period to end with, so every cancellation ends it
 * immediately.
 */
export function waysToCancel(
  { status, cancel_at_period_end: ends }: Cancellable,
  mayEndNow: boolean,
): readonly CancelWhen[] {
  if (status === 'paused') return ['now'];
  return [...(ends ? [] : (['end'] as const)), ...(mayEndNow ? (['now'] as const) : [])];
}
