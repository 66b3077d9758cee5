import { onBareSignal, onUpdate } from '../core/handlers.ts';
import { wakeSignal } from '../core/messages.ts';
import * as endpoint from './endpoint-messages.ts';
import type { endpointProxy } from './endpoint-proxy.ts';

/**
 * Call before the first await. A command is one guarded database statement that bypasses the loop, so it does not
 * wait for a running drain. A pause takes effect at the drain's next claim.
 *
 * @param wake ends the loop's sleep
 */
export function registerEndpointHandlers(
  input: endpoint.DeliverEventsInput,
  activities: ReturnType<typeof endpointProxy>,
  wake: () => void,
): void {
  onBareSignal(wakeSignal, wake, 'Something is due: look now. No input.');
  onUpdate(endpoint.pauseUpdate, async (command) => {
    const { status } = await activities.pauseEndpoint({ ...input, ...command });
    wake();
    return { status };
  });
  onUpdate(endpoint.resumeUpdate, async (command) => {
    const { status } = await activities.resumeEndpoint({ ...input, ...command });
    wake();
    return { status };
  });
  onUpdate(endpoint.redeliverUpdate, async (command) => {
    const { found } = await activities.redeliverEvent({ ...input, ...command });
    wake();
    return { found };
  });
}
