/**
 * Messages to an endpoint's workflow. A command is one guarded database statement, and does not go through
 * the loop.
 */
import { onBareSignal, onQuery, onUpdate } from '../core/handlers.ts';
import { wakeSignal } from '../core/messages.ts';
import * as messages from './endpoint-messages.ts';
import type { endpointProxy } from './endpoint-proxy.ts';

interface EndpointRun {
  shown(): messages.EndpointWorkflowStatus;
  /** Ends the loop's sleep. */
  wake(): void;
}

/**
 * Call before the first await. Commands do not wait for a running drain: a pause takes effect at the drain's
 * next claim.
 */
export function registerEndpointHandlers(
  input: messages.DeliverEventsInput,
  activities: ReturnType<typeof endpointProxy>,
  { shown, wake }: EndpointRun,
): void {
  onQuery(
    messages.endpointStatusQuery,
    shown,
    'Number of waiting deliveries and since when, last failure, time of the next look. No input.',
  );
  onBareSignal(wakeSignal, wake, 'Something is due: look now. No input.');
  onUpdate(
    messages.pauseUpdate,
    messages.operatorCommand,
    async ({ operator, reason }) => {
      const { status } = await activities.pauseEndpoint({ ...input, operator, reason });
      wake();
      return { status };
    },
    'Holds all events until "resume". Input: {"operator": "who you are", "reason": "why"}.',
  );
  onUpdate(
    messages.resumeUpdate,
    messages.operatorCommand,
    async ({ operator, reason }) => {
      const { status } = await activities.resumeEndpoint({ ...input, operator, reason });
      wake();
      return { status };
    },
    'Enables the endpoint again after a pause, or after it was disabled. Input: {"operator": "who you are", "reason": "why"}.',
  );
  onUpdate(
    messages.redeliverUpdate,
    messages.redeliverCommand,
    async ({ eventId, operator, reason }) => {
      const { found } = await activities.redeliverEvent({ ...input, eventId, operator, reason });
      wake();
      return { found };
    },
    'Sends one event again, now. Input: {"eventId": "evt_…", "operator": "who you are", "reason": "why"}.',
  );
}
