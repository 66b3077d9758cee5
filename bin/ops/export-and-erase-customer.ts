/** Exports or erases a customer's personal data, for requests under Articles 15 and 17 of the GDPR. */

import type { Actor } from '../../db/core/audit.ts';
import { CustomerRefusal } from '../../db/operations/customer-data.ts';
import { eraseCustomer } from '../../db/operations/erase-customer.ts';
import { exportCustomer } from '../../db/operations/export-customer.ts';
import { confirmed } from './core/ask-to-confirm.ts';
import { type OpsCommand, type OpsContext, parseOpsArgs, WrongArguments } from './core/command.ts';

const IDS = 'Use the id of this service (ap_cus_…): "search <email>" and the dashboard show it.';
const EXIT_CODES = 'Exit code: 0 if done, 1 if refused, 2 for invalid arguments.';

export const exportCustomerCommand: OpsCommand = {
  usage: 'export-customer <ap_cus_…> --reason <…>',
  help: `Prints everything that is stored about a customer as JSON, and writes an audit row. ${IDS}\n${EXIT_CODES}`,
  run: (args, context) =>
    onCustomer(args, context, async (id, by) => {
      console.log(JSON.stringify(await exportCustomer(context.pool, id, by), null, 2));
    }),
};

export const eraseCustomerCommand: OpsCommand = {
  usage: 'erase-customer <ap_cus_…> --reason <…> [--yes]',
  help: `Erases the personal data of a customer: email, name, address, tax number and the merchant's id, including in stored
events and clicks. Amounts, states, references of orders and issued invoices are kept, as the law requires. This cannot
be undone. ${IDS}
Refused while a session, a subscription, a refund or a dispute of the customer is open. Asks for confirmation; --yes
skips it, for scripts.
${EXIT_CODES}`,
  run: (args, context) =>
    onCustomer(args, context, async (id, by, { yes, json }) => {
      const question = `Erase the personal data of ${id}? This cannot be undone.`;
      if (!(await confirmed(question, context.input, yes))) throw new CustomerRefusal('Nothing was erased.');
      const erased = await eraseCustomer(context.pool, id, by);
      const { events, clicks, invoices_kept: kept } = erased;
      console.log(
        json
          ? JSON.stringify(erased)
          : `Erased, including ${events} events and ${clicks} clicks. ${kept} issued invoices stay as issued.`,
      );
    }),
};

async function onCustomer(
  args: readonly string[],
  { actor }: OpsContext,
  work: (id: string, by: Actor, options: { readonly yes: boolean; readonly json: boolean }) => Promise<void>,
): Promise<number> {
  const { values, positionals } = parseOpsArgs(args, 1, {
    reason: { type: 'string' },
    yes: { type: 'boolean', default: false },
  });
  const [id] = positionals;
  if (!id?.startsWith('ap_cus_')) throw new WrongArguments('The id of the customer (ap_cus_…) is required.');
  const reason = values.reason?.trim();
  if (!reason)
    throw new WrongArguments(
      '--reason is required, for example the number of the customer’s request or ticket.',
    );
  try {
    await work(id, { actor: await actor(), reason }, values);
    return 0;
  } catch (error) {
    if (!(error instanceof CustomerRefusal)) throw error;
    console.error(error.message);
    return 1;
  }
}
