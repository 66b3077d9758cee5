/** Writes the audit row of a command about the whole installation. */
import { type AuditEntry, writeAudit } from '../../../db/core/audit.ts';
import type { OpsContext } from './command.ts';

/** @param change outside PostgreSQL; leaves no row if it fails */
export async function audited(
  { pool, actor }: Pick<OpsContext, 'pool' | 'actor'>,
  entry: Pick<AuditEntry, 'action' | 'subjectId' | 'after'>,
  change: () => Promise<unknown> = async () => {},
): Promise<void> {
  const by = await actor();
  await pool.transaction(async (tx) => {
    await writeAudit(tx, { actor: by, merchantId: null, environment: null, before: null, ...entry });
    await change();
  });
}
