/** Probes a rail account at its processor and prints the findings; activates an account that waits for the probe. */
import { checkRailAccount } from '../../../api/merchant/rail-accounts/account-changes.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from '../core/command.ts';
import { printProbe } from './findings.ts';
import { operating } from './set.ts';

export const railCheck: OpsCommand = {
  usage: 'rail check <ap_rac_…> [--apply]',

  help: `Asks the processor what the account can do and prints the findings: + possible, - not possible, and why.
Moves no money, and removes the objects that it creates at the processor for the probe.

An activating account becomes active if it can take cards. An account in use stays unchanged without
--apply, which stores its current capabilities for new sessions, and enables a disabled one that was repaired.

"npm run ops -- rail list <ap_mer_…>" shows the ids. Needs SECRETS_KEY unless "npm start" is running.
Exit code: 0 if the account is active and can take money, 1 if not, 2 for invalid arguments.`,

  async run(args, ops) {
    const { pool, rails, secretBox } = ops;
    const { values, positionals } = parseOpsArgs(args, 1, {
      apply: { type: 'boolean', default: false },
    });
    const [accountId] = positionals;
    if (!accountId || accountId.startsWith('ap_mer_'))
      throw new WrongArguments('A rail account id (ap_rac_…) is required.');
    const context = { pool, rails: await rails(), secretBox: secretBox() };
    const answer = await checkRailAccount(context, {
      accountId,
      ...(await operating(ops)),
      apply: values.apply,
    });
    if (answer.kind === 'unknown') {
      console.error(`${accountId} does not exist, or its rail cannot be probed.`);
      return 1;
    }
    if (answer.kind === 'refused') {
      console.error(answer.why.replaceAll('(replace)', '(--replace)'));
      return 1;
    }
    const { account, status, probe } = answer;
    printProbe({ accountId: account.id, rail: account.rail, status, probe, json: values.json });
    return probe.usable && status === 'active' ? 0 : 1;
  },
};
