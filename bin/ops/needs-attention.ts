/** What waits for a person, from PostgreSQL alone: it answers when Temporal does not. */
import { listNeedsAttention } from '../../db/needs-attention.ts';
import { type OpsCommand, parseOpsArgs } from './command.ts';

export const needsAttention: OpsCommand = {
  usage: 'needs-attention',

  help: `Lists what waits for a person: sessions, charges and refunds in doubt, and what is overdue.
It reads PostgreSQL alone. docs/operations.md says what to do about each. Exit code: 0.`,

  async run(args, { pool }) {
    const { values } = parseOpsArgs(args, { json: { type: 'boolean', default: false } });
    const rows = await listNeedsAttention(pool);
    if (values.json) console.log(JSON.stringify(rows));
    else if (rows.length === 0) console.log('Nothing needs a person.');
    else console.table(rows);
    return 0;
  },
};
