/**
 * Settles a session, a subscription's charge or a refund in doubt. The request is stored first, so that it
 * survives a workflow whose update queue is full (rule 14); the workflow asks the rail once more, never
 * contradicts it, and writes the audit row with the state.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import {
  insertResolveRequest,
  isSubject,
  readResolveAnswer,
  resolution,
} from '../../db/payment/resolve-requests.ts';
import { resolveRequestedSignal } from '../../workflows/core/messages.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from './command.ts';
import { OPERATOR_OPTIONS, parseWords } from './operator-words.ts';

const PATIENCE_MS = 60_000;
/** The sweep runs every minute and picks up requests older than a minute. */
const SWEEP_PATIENCE_MS = 180_000;

export const resolve: OpsCommand = {
  usage:
    'resolve <ap_chk_… | ap_sub_… | ap_ref_…> --outcome succeeded|failed --operator <who> --reason <why> --evidence <what was seen>',

  help: `Settles by hand what the rail cannot answer: a session, a subscription's charge or a refund in doubt.
The rail is asked once more and never contradicted: if its answer differs, it is recorded and the request is
refused. "failed" first cancels the attempt at the rail. Operator, reason and evidence go into the audit log:
do not enter buyers' names.

The request is stored before the workflow is signalled, so that it survives any crash.
Exit code: 0 if settled as requested, 1 if refused or not answered yet, 2 for invalid arguments.`,

  async run(args, { pool, temporal }) {
    const { values, positionals } = parseOpsArgs(args, {
      outcome: { type: 'string' },
      ...OPERATOR_OPTIONS,
      json: { type: 'boolean', default: false },
    });
    const [subjectId] = positionals;
    if (!subjectId) throw new WrongArguments('The id of a session, subscription or refund is required.');
    const request = parseWords(resolution, values);
    if (!(await isSubject(pool, subjectId))) {
      throw new Error(`No session, subscription or refund has the id ${subjectId}.`);
    }
    const requestId = await insertResolveRequest(pool, subjectId, request);
    const problem = await signalWorkflow(temporal, subjectId, requestId);
    if (problem)
      console.error(`${problem} The request is stored; the sweep will act on it in a minute or two …`);
    const patienceMs = problem ? SWEEP_PATIENCE_MS : PATIENCE_MS;
    const answer = await waitForAnswer(() => readResolveAnswer(pool, requestId), patienceMs);
    const said = answer ?? 'no answer yet; the request is stored and will be acted on';
    console.log(values.json ? JSON.stringify({ requestId, answer }) : said);
    return answer?.startsWith('done') ? 0 : 1;
  },
};

/** @returns a sentence with the problem; undefined on success */
async function signalWorkflow(
  temporal: Client,
  subjectId: string,
  requestId: string,
): Promise<string | undefined> {
  try {
    await temporal.workflow.getHandle(subjectId).signal(resolveRequestedSignal, { requestId });
    return undefined;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'Its workflow is not running.';
    return `Its workflow could not be signalled (${(error as Error).message}).`;
  }
}

async function waitForAnswer(read: () => Promise<string | null>, patienceMs: number): Promise<string | null> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await pause(250)) {
    const answer = await read();
    if (answer !== null) return answer;
  }
  return null;
}
