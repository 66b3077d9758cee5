/**
 * Records that a person gave an orphaned charge back in a way that the rail does not show, and ends the workflow that
 * would go on returning it.
 */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { findOrphan, recordReturnedByOperator } from '../../db/payment/orphaned-charges.ts';
import { plainAmount } from '../../domain/money.ts';
import { railNewsSignal } from '../../workflows/core/messages.ts';
import { reconcileStart } from '../../workflows/payment/reconcile-messages.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from './command.ts';
import { confirmed } from './confirm.ts';
import { OPERATOR_OPTIONS, operatorWords, parseWords } from './operator-words.ts';

export const returned: OpsCommand = {
  usage: 'returned <ap_pay_…> --operator <who> --reason <why> --evidence <what was seen> [--yes]',

  help: `Records that you gave an orphaned charge back to the buyer yourself, for example by bank transfer.
Refunds and cancellations made in the rail's dashboard are found without this command.
From then on the charge is no longer returned automatically. Operator, reason and evidence go into the
audit log: do not enter buyers' names.

Asks first; --yes answers for scripts.
Exit code: 0 if the charge is recorded as returned, also if it was before; 1 if not; 2 for invalid arguments.`,

  async run(args, { pool, temporal, input }) {
    const { values, positionals } = parseOpsArgs(args, {
      ...OPERATOR_OPTIONS,
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    });
    const [paymentId] = positionals;
    if (!paymentId) throw new WrongArguments('The id of a payment (ap_pay_…) is required.');
    const words = parseWords(operatorWords, values);
    const orphan = await findOrphan(pool, paymentId);
    if (!orphan) throw new Error(`${paymentId} is not an orphaned charge.`);
    const { amount, currency, merchantId, environment } = orphan;
    const question = `Record ${plainAmount(amount, currency)} of ${paymentId} (${merchantId}, ${environment}) as given back?`;
    if (!orphan.returnedBy && !(await confirmed(question, input, values.yes))) return 1;
    const { recorded, returnedBy } = await recordReturnedByOperator(pool, paymentId, words);
    await tell(temporal, { paymentId, merchantId, environment });
    const sentence = recorded
      ? 'Recorded: the charge is no longer returned automatically.'
      : `Nothing to record: it was returned before (${returnedBy}).`;
    console.log(values.json ? JSON.stringify({ paymentId, recorded, returnedBy }) : sentence);
    return 0;
  },
};

/** Ends the workflow's sleep, if it runs: it finds the charge returned. */
async function tell(temporal: Client, orphan: Parameters<typeof reconcileStart>[0]): Promise<void> {
  const { workflowId } = reconcileStart(orphan);
  try {
    await temporal.workflow.getHandle(workflowId).signal(railNewsSignal, { paymentId: orphan.paymentId });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return;
    console.error(
      `Its workflow could not be signalled (${(error as Error).message}); it will read the record later.`,
    );
  }
}
