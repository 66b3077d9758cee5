/** An endpoint's details for operators in Temporal UI. Pure. */
import type { DrainReport } from '../../activities/webhook/deliver.ts';
import { describeLinks } from '../core/subject-links.ts';

/** The latest drain's report, with the counts and the last failure of the whole run. */
export interface ShownEndpoint extends DrainReport {
  readonly delivering: boolean;
  /** When the workflow looks for due deliveries next; null if it waits for a signal. */
  readonly nextLookAt: string | null;
}

const FAILING = 'The endpoint is failing. Events are retried on the schedule; nothing is lost.';
const IN_WORDS: Readonly<Record<ShownEndpoint['status'], string>> = {
  enabled: 'Events are delivered as they occur.',
  paused: 'Paused by the merchant or an operator: events are held until it is enabled again.',
  disabled:
    'Disabled: the endpoint failed for five days or answered 410. Events are held. The merchant has ' +
    'to repair the endpoint; the merchant or an operator can then enable it and recover missed deliveries.',
  deleted: 'Deleted. No more events are sent.',
};

export function describeEndpoint(shown: ShownEndpoint): string {
  const failing = shown.status === 'enabled' && shown.failingSince !== null;
  const lines = [
    `**${failing ? 'failing' : shown.status}**: ${failing ? FAILING : IN_WORDS[shown.status]}`,
    ...describeLinks(shown.pages),
    '',
    `- Now: ${now(shown)}`,
    `- Waiting: ${waiting(shown)}`,
    `- Failing since: ${shown.failingSince ?? 'not failing'}`,
    `- Last failure: ${shown.lastError ?? 'none in this run'}`,
    `- In this run: ${shown.delivered} delivered, ${shown.failed} failed attempts`,
  ];
  return lines.join('\n');
}

function waiting({ waiting, waitingSince }: ShownEndpoint): string {
  if (waiting === 0) return 'nothing';
  const count = waiting > 10_000 ? 'more than 10,000' : String(waiting);
  return `${count}, the oldest since ${waitingSince}`;
}

function now({ delivering, nextLookAt }: ShownEndpoint): string {
  if (delivering) return 'delivering; the pending activity shows the progress';
  return nextLookAt === null
    ? 'idle until an event or a command arrives'
    : `idle until the next attempt at ${nextLookAt}`;
}
