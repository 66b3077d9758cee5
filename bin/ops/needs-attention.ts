/** What waits for a person, from PostgreSQL alone: it answers when Temporal does not. */
import { listNeedsAttention } from '../../db/needs-attention.ts';
import type { OpsCommand } from './command.ts';

export const needsAttention: OpsCommand = {
  usage: 'needs-attention',

  async run(args, { pool }) {
    const rows = await listNeedsAttention(pool);
    if (args.includes('--json')) console.log(JSON.stringify(rows));
    else if (rows.length === 0) console.log('Nothing needs a person.');
    else console.table(rows);
    return 0;
  },
};
