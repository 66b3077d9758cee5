/**
 * Settles a session that is `reconciliation_required`. The request is stored first, so that it survives a
 * workflow whose queue of updates is full (money-safety rule 14); the workflow asks the rail once more, does
 * not contradict it, and writes the audit row with the state.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { insertResolveRequest, readResolveAnswer, resolution } from '../../db/resolve-requests.ts';
import { resolveRequestedSignal } from '../../workflows/messages.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from './command.ts';

const PATIENCE_MS = 60_000;

export const resolve: OpsCommand = {
  usage:
    'resolve <ap_chk_… | ap_sub_… | ap_ref_…> --outcome succeeded|failed --operator <who> --reason <why> --evidence <what was seen>',

  async run(args, { pool, temporal }) {
    const { values, positionals } = parseOpsArgs(args, {
      outcome: { type: 'string' },
      operator: { type: 'string' },
      reason: { type: 'string' },
      evidence: { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    const [checkoutId] = positionals;
    const request = resolution.safeParse(values);
    if (!checkoutId) throw new WrongArguments('What is to be settled?');
    if (!request.success) {
      throw new WrongArguments(`--${String(request.error.issues[0]?.path[0])} is missing or wrong.`);
    }
    const requestId = await insertResolveRequest(pool, checkoutId, request.data);
    await temporal.workflow.getHandle(checkoutId).signal(resolveRequestedSignal, { requestId });
    const answer = await waitForAnswer(() => readResolveAnswer(pool, requestId));
    const said = answer ?? 'no answer within a minute; the request is stored and will be acted on';
    console.log(values.json ? JSON.stringify({ requestId, answer }) : said);
    return answer?.startsWith('done') ? 0 : 1;
  },
};

async function waitForAnswer(read: () => Promise<string | null>): Promise<string | null> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(250)) {
    const answer = await read();
    if (answer !== null) return answer;
  }
  return null;
}
