import type { Operations, Schemas } from '../api/description.ts';
import { useKeyedChange } from '../api/use.ts';

export interface ActionProps {
  readonly subscription: Schemas['SubscriptionDetailsAnswer'];
  readonly onClose: () => void;
}

/** True for a scheduled change or one that waits for the buyer's payment: it blocks other operations until undone. */
export function isToUndo(change: ActionProps['subscription']['change']): boolean {
  return change?.status === 'scheduled' || change?.status === 'requires_action';
}

export function useCommand({ subscription: { id }, onClose }: ActionProps) {
  const { change, send: sendKeyed } = useKeyedChange('commandSubscription');
  const send = (body: Operations['commandSubscription']['body']) =>
    sendKeyed({ path: { subscriptionId: id }, body }, onClose);
  return { send, busy: change.isPending, error: change.error, isSent: change.isPending || change.isSuccess };
}

/** True if the period has ended, even if an unpaid invoice may still be retried. */
export function isOver({ current_period_end: end, clock }: ActionProps['subscription']): boolean {
  return end !== null && Date.parse(end) <= Date.parse(clock);
}
