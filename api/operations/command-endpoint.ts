/** Operators' commands on a webhook endpoint: one guarded statement each, then a signal to the endpoint's workflow. */
import type { CommandAnswer } from '../../contract/operations/commands.ts';
import { RECOVER } from '../../contract/operations/incident-kinds.ts';
import type { Subject } from '../../contract/operations/subjects.ts';
import type { Actor } from '../../db/core/audit.ts';
import { enableEndpoint, pauseEndpoint } from '../../db/webhook/endpoint-status.ts';
import { oldestHeld } from '../../db/webhook/recover-deliveries.ts';
import { redeliver } from '../../db/webhook/redeliver.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { requestRecovery } from '../../platform/temporal/start-recovery.ts';
import { wakeEndpoint } from '../../platform/temporal/wake-endpoints.ts';
import { type CommandName, type CommandOf, done } from './command-answer.ts';
import type { OperateDeps } from './operate-deps.ts';
import { OperationRefused } from './refused.ts';

type EndpointCommand = Extract<CommandName, `endpoint_${string}`>;

export async function commandEndpoint(
  { pool, client, timeoutMs, note }: OperateDeps,
  { id: endpointId, merchant_id: merchantId, environment: named, state }: Subject,
  command: CommandOf<EndpointCommand>,
  by: Actor,
): Promise<CommandAnswer> {
  if (state === 'deleted') throw new OperationRefused(`${endpointId} has been deleted.`);
  const environment = ENVIRONMENTS.find((each) => each === named) ?? 'sandbox';
  const endpoint = { endpointId, merchantId, environment };
  const actor = { ...by, reason: command.reason };
  const wake = () =>
    wakeEndpoint(client, endpoint, {
      warn: () => note?.('Its workflow was not signalled: the sweep will signal it within a minute.'),
    });
  switch (command.command) {
    case 'endpoint_pause': {
      const { changed, status } = await pauseEndpoint(pool, endpoint, actor);
      if (!changed)
        throw new OperationRefused(`${endpointId} is ${status}: only an enabled endpoint can be paused.`);
      await wake();
      return done(`${endpointId} is ${status}: its events are held.`);
    }
    case 'endpoint_resume': {
      const { changed, status } = await enableEndpoint(pool, endpoint, actor);
      const since = await oldestHeld(pool, endpointId);
      const missed = since
        ? ` Missed events are held until: ${RECOVER.replace('{id}', endpointId).replace('{since}', since)}`
        : '';
      if (!changed) throw new OperationRefused(`${endpointId} is already ${status}.${missed}`);
      await wake();
      return done(`${endpointId} is ${status}.${missed}`);
    }
    case 'endpoint_redeliver': {
      const { event_id: eventId } = command;
      if (!(await redeliver(pool, endpoint, eventId, actor)))
        throw new OperationRefused(`${eventId} was not addressed to this endpoint.`);
      await wake();
      return done(
        `${eventId} is sent again ${state === 'enabled' ? 'now' : 'when the endpoint is enabled'}.`,
      );
    }
    case 'endpoint_recover': {
      if (state !== 'enabled') throw new OperationRefused(`${endpointId} is ${state}: resume it first.`);
      const { since } = command;
      const leftToSweep = () => note?.('Not started: the sweep will start it within two minutes.');
      const deps = { pool, temporal: client, deadlineMs: timeoutMs, leftToSweep };
      const until = await requestRecovery(deps, endpoint, since, actor);
      if (until === null) throw new OperationRefused('A recovery of this endpoint is already running.');
      return done(`Events that ${endpointId} missed from ${since} to ${until} are sent again.`);
    }
  }
}
