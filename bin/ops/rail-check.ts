/** Says what an account can and cannot do, by asking its processor; activates one that waits for that. */
import { parseArgs } from 'node:util';
import { checkRailAccount } from '../../api/rail-accounts.ts';
import type { OpsCommand } from './command.ts';
import { printProbe } from './rail-findings.ts';
import { operator } from './rail-set.ts';

export const railCheck: OpsCommand = {
  usage: 'rail check <rail account id> [--apply: also store what it can do now]',

  async run(args, { pool, rails, secretBox }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { apply: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    });
    const [accountId] = positionals;
    if (!accountId) {
      console.error(`Usage: npm run ops -- ${railCheck.usage}`);
      return 2;
    }
    const context = { pool, rails: rails(), secretBox: secretBox() };
    const answer = await checkRailAccount(context, { accountId, actor: operator(), apply: values.apply });
    if (answer.kind === 'unknown') {
      console.error(`There is no account ${accountId} at a rail that can be asked.`);
      return 1;
    }
    const { account, status, probe } = answer;
    printProbe({ accountId: account.id, rail: account.rail, status, probe, json: values.json });
    return probe.usable && status === 'active' ? 0 : 1;
  },
};
