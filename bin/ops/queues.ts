/** Shows which workers poll each queue, its backlog, and which runs are stuck. */
import { type FailingRun, readFailingRuns } from '../../platform/temporal/failing-runs.ts';
import {
  POLLED_WITHIN_MS,
  type QueueState,
  readQueues,
  unserved,
} from '../../platform/temporal/queue-states.ts';
import { type OffDatabaseCommand, parseOpsArgs, temporalAnswers } from './core/command.ts';
import { printTable, shortAge } from './core/table.ts';

const TIMEOUT_MS = 5_000;

export const queues: OffDatabaseCommand = {
  usage: 'queues',

  help: `Lists the task queues: how many workers of the current build poll each, when they last did, how many tasks wait, and for how long.
A worker whose slots are all taken does not poll, for example while its tasks wait for PostgreSQL: "health" shows why.
Below, up to ten workflows whose tasks fail, with the error. Needs Temporal, not PostgreSQL.
Exit code: 0 if every queue was polled in the last 75 s and no workflow has failing tasks, 1 if not, 2 for invalid arguments.`,

  async runOffDatabase(args, { temporal }) {
    const { values } = parseOpsArgs(args, 0, {});
    const found = await temporalAnswers(readQueues(temporal, TIMEOUT_MS));
    if (!values.json) printQueues(found);
    const failing = await temporalAnswers(
      temporal.withDeadline(Date.now() + TIMEOUT_MS, () => readFailingRuns(temporal)),
    );
    if (values.json) console.log(JSON.stringify({ queues: found, failing }));
    else printFailing(failing);
    return unserved(found).missing.length === 0 && (failing ?? []).length === 0 ? 0 : 1;
  },
};

function printQueues(found: readonly QueueState[]): void {
  printTable(
    ['QUEUE', 'TASKS', 'POLLING', 'LAST POLL', 'WAITING', 'OLDEST'],
    found.map((each) => [
      each.queue,
      each.tasks,
      each.workers.length > 0 ? `${each.workers.length}` : 'none',
      each.last_poll_at ?? '-',
      `${each.waiting}`,
      shortAge(each.oldest_seconds),
    ]),
  );
  const polled = [...new Set(found.flatMap(({ workers }) => workers))].join(', ');
  console.log(`\nPolled in the last ${POLLED_WITHIN_MS / 1_000} s by: ${polled || 'none'}`);
  if (unserved(found).missing.length > 0)
    console.log(
      'A queue without polls has no worker, or all of them are busy, for example waiting for PostgreSQL: npm run ops -- health',
    );
}

function printFailing(failing: readonly FailingRun[] | null): void {
  if (failing === null) console.log('Temporal does not list failing workflows before release 1.30.');
  else if (failing.length === 0) console.log('No workflow has failing tasks.');
  else
    for (const { workflow_id: id, type, tries, error } of failing)
      console.log(`Tasks of ${type} ${id} have failed ${tries} times: ${error}`);
}
