/** Says what an account can and cannot do, by asking its processor; activates one that waits for that. */
import { checkRailAccount } from '../../api/rail-accounts.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from './command.ts';
import { printProbe } from './rail-findings.ts';
import { operating } from './rail-set.ts';

export const railCheck: OpsCommand = {
  usage: 'rail check <ap_rac_…> [--apply]',

  help: `Asks the processor what the account can do, and says it line by line: + it can, - it cannot and why.
It moves no money; what it makes at the processor to find out, it takes back.

An account that is activating becomes active as soon as it can take cards in EUR. Of an account in use
nothing is changed, unless with --apply: then what it can do now is stored, and counts for new sessions.

"npm run ops -- rail list <ap_mer_…>" shows the ids. Needs SECRETS_KEY where no "npm start" runs.
Exit code: 0 when the account is active and can take money, 1 when not, 2 for wrong arguments.`,

  async run(args, { pool, rails, secretBox }) {
    const { values, positionals } = parseOpsArgs(args, {
      apply: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    });
    const [accountId] = positionals;
    if (!accountId || accountId.startsWith('ap_mer_'))
      throw new WrongArguments('The id of a rail account is needed.');
    const context = { pool, rails: rails(), secretBox: secretBox() };
    const answer = await checkRailAccount(context, {
      accountId,
      ...operating(),
      apply: values.apply,
    });
    if (answer.kind === 'unknown') {
      console.error(`There is no account ${accountId} at a rail that can be asked.`);
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
