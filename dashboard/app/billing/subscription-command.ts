import type { Operations, Schemas } from '../api/description.ts';
import { useChange } from '../api/use.ts';

export interface ActionProps {
  readonly subscription: Schemas['SubscriptionDetailsAnswer'];
  readonly onClose: () => void;
}

/** Each command has the same effect when it is sent twice, or is refused: every click has a key of its own. */
export function useCommand({ subscription: { id }, onClose }: ActionProps) {
  const change = useChange('commandSubscription');
  const send = (body: Operations['commandSubscription']['body']) =>
    change.mutate(
      { path: { subscriptionId: id }, body, idempotencyKey: crypto.randomUUID() },
      { onSuccess: onClose },
    );
  return { send, busy: change.isPending, error: change.error };
}
