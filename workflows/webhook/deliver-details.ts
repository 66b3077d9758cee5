/** What an operator reads about an endpoint in Temporal UI, without the code. Pure. */
import type { EndpointWorkflowStatus } from './endpoint-messages.ts';

const FAILING = 'The endpoint fails. Each event is tried again on the schedule; nothing is lost.';
const IN_WORDS: Readonly<Record<EndpointWorkflowStatus['status'], string>> = {
  enabled: 'Events are delivered as they come.',
  paused: 'Paused by a person: events are held, and sent after the update **resume**.',
  disabled:
    'Switched off, because the endpoint failed for five days or answered 410. Events are held. The merchant has ' +
    'to repair the endpoint; then a person enables it again and may recover what was missed.',
  deleted: 'Deleted. Nothing is sent any more.',
};

export function describeEndpoint(shown: EndpointWorkflowStatus): string {
  const failing = shown.status === 'enabled' && shown.failingSince !== null;
  const lines = [
    `**${failing ? 'failing' : shown.status}**: ${failing ? FAILING : IN_WORDS[shown.status]}`,
    '',
    `- Now: ${now(shown)}`,
    `- Waiting: ${waiting(shown)}`,
    `- Failing since: ${shown.failingSince ?? 'not failing'}`,
    `- Last failure: ${shown.lastError ?? 'none in this run'}`,
    `- In this run: ${shown.delivered} delivered, ${shown.failedAttempts} failed attempts`,
  ];
  return lines.join('\n');
}

function waiting({ waiting, waitingSince }: EndpointWorkflowStatus): string {
  if (waiting === 0) return 'nothing';
  const count = waiting > 10_000 ? 'more than 10,000' : String(waiting);
  return `${count}, the oldest since ${waitingSince}`;
}

function now({ delivering, nextLookAt }: EndpointWorkflowStatus): string {
  if (delivering) return 'delivering; the pending activity tells how far it is';
  return nextLookAt === null
    ? 'asleep until an event or a person wakes it'
    : `asleep until the next attempt at ${nextLookAt}`;
}
