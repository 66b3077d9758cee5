/** Operators' commands on a webhook endpoint: the updates of its workflow, as Temporal UI sends them. */
import type { CommandAnswer, OperatorCommand } from '../../contract/operations/commands.ts';
import type { Subject } from '../../contract/operations/subjects.ts';
import type { Actor } from '../../db/core/audit.ts';
import { beginRecovery } from '../../db/webhook/recover-deliveries.ts';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { unlessStarted } from '../../temporal/unless-started.ts';
import * as messages from '../../workflows/webhook/endpoint-messages.ts';
import type { OperateDeps } from './operate-deps.ts';
import { OperationRefused } from './refused.ts';

export async function commandEndpoint(
  { pool, temporal, patienceMs }: OperateDeps,
  { id: endpointId, merchant_id: merchantId, environment: named, state }: Subject,
  command: OperatorCommand,
  actor: Actor,
): Promise<CommandAnswer> {
  const environment = ENVIRONMENTS.find((each) => each === named) ?? 'sandbox';
  const endpoint = { endpointId, merchantId, environment };
  const said = (message: string): CommandAnswer => ({ done: true, message, waiting_request: null });
  // Starts the workflow of an endpoint that had nothing to deliver yet.
  const handle = await temporal.workflow.start(
    messages.DELIVER_EVENTS_WORKFLOW,
    messages.deliverEventsStart(endpoint),
  );
  const inTime = <Answer>(work: () => Promise<Answer>) =>
    temporal.withDeadline(Date.now() + patienceMs, work);
  const operator = actor.actor;
  switch (command.command) {
    case 'endpoint_pause': {
      if (state !== 'enabled')
        throw new OperationRefused(`${endpointId} is ${state}: only an enabled one is paused.`);
      const args: [messages.OperatorCommand] = [{ operator, reason: command.reason }];
      const { status } = await inTime(() => handle.executeUpdate(messages.pauseUpdate, { args }));
      return said(`${endpointId} is ${status}: its events are held.`);
    }
    case 'endpoint_resume': {
      if (state === 'enabled') throw new OperationRefused(`${endpointId} is enabled already.`);
      const args: [messages.OperatorCommand] = [{ operator, reason: command.reason }];
      const { status } = await inTime(() => handle.executeUpdate(messages.resumeUpdate, { args }));
      return said(`${endpointId} is ${status}. What it missed while disabled waits for endpoint recover.`);
    }
    case 'endpoint_redeliver': {
      const { event_id: eventId, reason } = command;
      const args: [messages.RedeliverCommand] = [{ operator, reason, eventId }];
      const { found } = await inTime(() => handle.executeUpdate(messages.redeliverUpdate, { args }));
      if (!found) throw new OperationRefused(`${eventId} was not for this endpoint.`);
      return said(`${eventId} is sent again now.`);
    }
    case 'endpoint_recover': {
      if (state !== 'enabled') throw new OperationRefused(`${endpointId} is ${state}: resume it first.`);
      const since = new Date(command.since).toISOString();
      const { until } = await beginRecovery(pool, endpoint, since, actor);
      const options = messages.recoverDeliveriesStart(endpoint, since, until);
      const started = await unlessStarted(() =>
        inTime(() => temporal.workflow.start(messages.RECOVER_DELIVERIES_WORKFLOW, options)),
      );
      if (!started) throw new OperationRefused('A recovery of this endpoint is already running.');
      return said(`What ${endpointId} missed from ${since} up to ${until} is sent again.`);
    }
    default:
      throw new Error('another command');
  }
}
