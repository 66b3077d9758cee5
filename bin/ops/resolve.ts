/**
 * Settles what is in doubt: a session, a subscription's charge, a refund. The request is stored first, so that
 * it survives a workflow whose queue of updates is full (rule 14); the workflow asks the rail once
 * more, does not contradict it, and writes the audit row with the state.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { insertResolveRequest, isSubject, readResolveAnswer, resolution } from '../../db/resolve-requests.ts';
import { resolveRequestedSignal } from '../../workflows/messages.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from './command.ts';

const PATIENCE_MS = 60_000;
/** The sweep runs each minute, and presents what has been stored for a minute. */
const SWEEP_PATIENCE_MS = 180_000;

export const resolve: OpsCommand = {
  usage:
    'resolve <ap_chk_… | ap_sub_… | ap_ref_…> --outcome succeeded|failed --operator <who> --reason <why> --evidence <what was seen>',

  help: `Settles by hand what the rail cannot tell: a session, a subscription's charge, a refund in doubt.
The rail is asked once more first, and is not contradicted: if it says otherwise, that is recorded and the
request is refused. "failed" ends the attempt at the rail before. Who, why and what was seen stand in the
audit log; no names of buyers, please.

The request is stored before the workflow is told, so that it is acted on whatever dies meanwhile.
Exit code: 0 when it was done as asked, 1 when it was refused or not answered yet, 2 for wrong arguments.`,

  async run(args, { pool, temporal }) {
    const { values, positionals } = parseOpsArgs(args, {
      outcome: { type: 'string' },
      operator: { type: 'string' },
      reason: { type: 'string' },
      evidence: { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    const [subjectId] = positionals;
    const request = resolution.safeParse(values);
    if (!subjectId) throw new WrongArguments('What is to be settled?');
    if (!request.success) {
      throw new WrongArguments(`--${String(request.error.issues[0]?.path[0])} is missing or wrong.`);
    }
    if (!(await isSubject(pool, subjectId))) {
      throw new Error(`There is no session, subscription or refund ${subjectId}.`);
    }
    const requestId = await insertResolveRequest(pool, subjectId, request.data);
    const notTold = await tellWorkflow(temporal, subjectId, requestId);
    if (notTold) console.error(`${notTold} The request is stored; the sweep acts on it in a minute or two …`);
    const patienceMs = notTold ? SWEEP_PATIENCE_MS : PATIENCE_MS;
    const answer = await waitForAnswer(() => readResolveAnswer(pool, requestId), patienceMs);
    const said = answer ?? 'no answer yet; the request is stored and will be acted on';
    console.log(values.json ? JSON.stringify({ requestId, answer }) : said);
    return answer?.startsWith('done') ? 0 : 1;
  },
};

/** @returns why it could not be told, in a sentence; undefined when it was */
async function tellWorkflow(
  temporal: Client,
  subjectId: string,
  requestId: string,
): Promise<string | undefined> {
  try {
    await temporal.workflow.getHandle(subjectId).signal(resolveRequestedSignal, { requestId });
    return undefined;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'Its workflow does not run.';
    return `Its workflow could not be told (${(error as Error).message}).`;
  }
}

async function waitForAnswer(read: () => Promise<string | null>, patienceMs: number): Promise<string | null> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await pause(250)) {
    const answer = await read();
    if (answer !== null) return answer;
  }
  return null;
}
