/** Lists the audit log across merchants. */
import { operatorAuditEntry } from '../../contract/operations/audit.ts';
import { listAudit } from '../../db/operations/audit.ts';
import { environmentOf, type OpsCommand, parseOpsArgs, WrongArguments } from './core/command.ts';
import { printTable } from './core/table.ts';

const SHOWN = 100;

export const audit: OpsCommand = {
  usage:
    'audit [<id>] [--actor <who>] [--merchant <ap_mer_…>] [--environment sandbox|production] [--cursor <id>]',

  help: `The latest hundred entries of the audit log, newest first: all, or those of one id or one person.
--json has the states before and after, and the id of each entry: --cursor lists those before it.
Exit code: 0, 2 for invalid arguments.`,

  async run(args, { pool }) {
    const { values, positionals } = parseOpsArgs(args, 1, {
      actor: { type: 'string' },
      merchant: { type: 'string' },
      environment: { type: 'string' },
      cursor: { type: 'string' },
    });
    const [subjectId] = positionals;
    const { actor, merchant: merchantId, cursor: before } = values;
    const environment = environmentOf(values.environment);
    if (before !== undefined && !/^\d{1,15}$/.test(before))
      throw new WrongArguments('--cursor must be the id of an entry.');
    const filter = { subjectId, actor, merchantId, environment, before, limit: SHOWN };
    const entries = await listAudit(pool, filter, operatorAuditEntry);
    if (values.json) console.log(JSON.stringify(entries));
    else {
      printTable(
        ['AT', 'WHO', 'WHAT', 'ID', 'REASON'],
        entries.map(({ at, actor, action, subject_id, after }) => [
          at,
          actor,
          action,
          subject_id,
          reasonOf(after),
        ]),
      );
      if (entries.length === SHOWN) console.log(`\nOlder entries: --cursor ${entries.at(-1)?.id}`);
    }
    return 0;
  },
};

function reasonOf(after: unknown): string {
  const { reason } = Object(after) as { readonly reason?: unknown };
  return typeof reason === 'string' ? reason : '';
}
