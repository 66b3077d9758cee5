/** Who changed what, for all merchants. */
import { listOperatorAudit } from '../../db/operations/audit.ts';
import { type OpsCommand, parseOpsArgs } from './command.ts';
import { printTable } from './table.ts';

export const audit: OpsCommand = {
  usage: 'audit [<id>] [--actor <who>] [--merchant <ap_mer_…>]',

  help: `The latest hundred entries of the audit log, newest first: of everything, of one id, of one person.
--json has the states before and after.
Exit code: 0, 2 for invalid arguments.`,

  async run(args, { pool }) {
    const { values, positionals } = parseOpsArgs(args, {
      actor: { type: 'string' },
      merchant: { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    const [subjectId] = positionals;
    const entries = await listOperatorAudit(pool, {
      subjectId,
      actor: values.actor,
      merchantId: values.merchant,
    });
    if (values.json) console.log(JSON.stringify(entries));
    else
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
    return 0;
  },
};

function reasonOf(after: unknown): string {
  const { reason } = Object(after) as { readonly reason?: unknown };
  return typeof reason === 'string' ? reason : '';
}
