/** Lists a merchant's rail accounts. */
import { listRailAccounts } from '../../../db/merchant/rail-accounts.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from '../core/command.ts';

export const railList: OpsCommand = {
  usage: 'rail list <ap_mer_…>',

  help: `Lists a merchant's rail accounts: id (for "rail check"), environment, rail and status.
Exit code: 0, 2 for invalid arguments.`,

  async run(args, { pool }) {
    const { values, positionals } = parseOpsArgs(args, 1, {});
    const [merchantId] = positionals;
    if (!merchantId) throw new WrongArguments('A merchant id (ap_mer_…) is required.');
    const accounts = await listRailAccounts(pool, merchantId, null);
    if (values.json) console.log(JSON.stringify(accounts));
    else if (accounts.length === 0) console.log(`${merchantId} has no rail account.`);
    for (const { id, environment, rail, status } of values.json ? [] : accounts) {
      console.log(`${id}  ${environment}  ${rail}  ${status}`);
    }
    return 0;
  },
};
