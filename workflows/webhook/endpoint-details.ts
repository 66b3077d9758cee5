/** An endpoint's details for operators in Temporal UI. Pure. */
import type { SubjectLinks } from '../../domain/core/subject-links.ts';
import { describeLinks } from '../core/subject-links.ts';
import type { EndpointWorkflowStatus } from './endpoint-messages.ts';

const FAILING = 'The endpoint is failing. Events are retried on the schedule; nothing is lost.';
const IN_WORDS: Readonly<Record<EndpointWorkflowStatus['status'], string>> = {
  enabled: 'Events are delivered as they occur.',
  paused: 'Paused by the merchant or an operator: events are held until the update **resume**.',
  disabled:
    'Disabled: the endpoint failed for five days or answered 410. Events are held. The merchant has ' +
    'to repair the endpoint; the merchant or an operator can then enable it and recover missed deliveries.',
  deleted: 'Deleted. No more events are sent.',
};

export function describeEndpoint(shown: EndpointWorkflowStatus, pages?: SubjectLinks): string {
  const failing = shown.status === 'enabled' && shown.failingSince !== null;
  const lines = [
    `**${failing ? 'failing' : shown.status}**: ${failing ? FAILING : IN_WORDS[shown.status]}`,
    ...describeLinks(pages),
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
  if (delivering) return 'delivering; the pending activity shows the progress';
  return nextLookAt === null
    ? 'asleep until an event or an update wakes it'
    : `asleep until the next attempt at ${nextLookAt}`;
}
