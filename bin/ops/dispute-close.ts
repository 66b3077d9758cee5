/** Records how a dispute ended, where the rail can no longer be asked. */
import { z } from 'zod';
import { closeDispute } from '../../db/dispute/close-dispute.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from './command.ts';
import { confirmed } from './confirm.ts';

const text = z.string().trim().min(1);
const words = z.object({ status: z.enum(['won', 'lost']), operator: text, reason: text, evidence: text });

export const disputeClose: OpsCommand = {
  usage:
    'dispute close <ap_dis_…> --status won|lost --operator <who> --reason <why> --evidence <what was seen> [--yes]',

  help: `Records how a dispute ended whose rail account can no longer be asked. Normally the rail's answer closes it.
"lost" ends the renewals of its subscription, as the rail's word does. Operator, reason and evidence go into the
audit log: do not enter buyers' names. The ids are in needs-attention.

Asks first; --yes answers for scripts.
Exit code: 0 if it is recorded, 1 if not or if it was closed before, 2 for invalid arguments.`,

  async run(args, { pool, input }) {
    const { values, positionals } = parseOpsArgs(args, {
      status: { type: 'string' },
      operator: { type: 'string' },
      reason: { type: 'string' },
      evidence: { type: 'string' },
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    });
    const [disputeId] = positionals;
    if (!disputeId) throw new WrongArguments('The id of a dispute (ap_dis_…) is required.');
    const said = words.safeParse(values);
    if (!said.success)
      throw new WrongArguments(`--${String(said.error.issues[0]?.path[0])} is missing or invalid.`);
    const question = `Record dispute ${disputeId} as ${said.data.status}?`;
    if (!(await confirmed(question, input, values.yes))) return 1;
    const answer = await closeDispute(pool, disputeId, said.data);
    if (answer === 'unknown') throw new Error(`No dispute has the id ${disputeId}.`);
    const sentence = answer === 'recorded' ? `Recorded as ${said.data.status}.` : 'It was closed before.';
    console.log(values.json ? JSON.stringify({ disputeId, answer }) : sentence);
    return answer === 'recorded' ? 0 : 1;
  },
};
