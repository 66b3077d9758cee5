/** Lists what needs an operator, from PostgreSQL alone, so that it works while Temporal is down. */
import { listNeedsAttention } from '../../db/session/needs-attention.ts';
import { type OpsCommand, parseOpsArgs } from './command.ts';

export const needsAttention: OpsCommand = {
  usage: 'needs-attention',

  help: `Lists what needs an operator: sessions, charges and refunds in doubt, outcomes and documents
that cannot be written, and overdue work.
Reads PostgreSQL only. docs/operations.md says what to do about each. Exit code: 0.`,

  async run(args, { pool }) {
    const { values } = parseOpsArgs(args, { json: { type: 'boolean', default: false } });
    const rows = await listNeedsAttention(pool);
    if (values.json) console.log(JSON.stringify(rows));
    else if (rows.length === 0) console.log('Nothing needs attention.');
    else console.table(rows);
    return 0;
  },
};
