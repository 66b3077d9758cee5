/** Records how a dispute ended, where the rail can no longer be asked. */
import { z } from 'zod';
import { closeDispute } from '../../db/dispute/close-dispute.ts';
import { wakeSubscription } from '../../temporal/wake-subscription.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from './command.ts';
import { confirmed } from './confirm.ts';
import { OPERATOR_OPTIONS, operatorWords, parseWords } from './operator-words.ts';

const decision = operatorWords.extend({ status: z.enum(['won', 'lost']) });

export const disputeClose: OpsCommand = {
  usage:
    'dispute close <ap_dis_…> --status won|lost --operator <who> --reason <why> --evidence <what was seen> [--yes]',

  help: `Records how a dispute ended whose rail account can no longer be asked. Normally the rail's answer closes it.
"lost" ends the renewals of its subscription, as the rail's word does. Operator, reason and evidence go into the
audit log: do not enter buyers' names. The ids are in list.

Asks first; --yes answers for scripts.
Exit code: 0 if it is recorded, 1 if not or if it was closed before, 2 for invalid arguments.`,

  async run(args, { pool, temporal, input }) {
    const { values, positionals } = parseOpsArgs(args, {
      status: { type: 'string' },
      ...OPERATOR_OPTIONS,
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    });
    const [disputeId] = positionals;
    if (!disputeId) throw new WrongArguments('The id of a dispute (ap_dis_…) is required.');
    const words = parseWords(decision, values);
    const question = `Record dispute ${disputeId} as ${words.status}?`;
    if (!(await confirmed(question, input, values.yes))) return 1;
    const { answer, stopped } = await closeDispute(pool, disputeId, words);
    if (answer === 'unknown') throw new Error(`No dispute has the id ${disputeId}.`);
    if (stopped !== null)
      await wakeSubscription(temporal, stopped).catch((error: Error) =>
        console.error(
          `Its workflow could not be signalled (${error.message}); it will read the record later.`,
        ),
      );
    const sentence = answer === 'recorded' ? `Recorded as ${words.status}.` : 'It was closed before.';
    console.log(values.json ? JSON.stringify({ disputeId, answer }) : sentence);
    return answer === 'recorded' ? 0 : 1;
  },
};
