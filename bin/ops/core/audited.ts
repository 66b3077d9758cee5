/** Writes the audit row of a command about the whole installation. */
import { type AuditEntry, writeAudit } from '../../../db/core/audit.ts';
import { DEADLINE_EXCEEDED, grpcCodeOf } from '../../../platform/temporal/grpc-code.ts';
import type { OpsContext } from './command.ts';

/** @param change at Temporal; leaves no row if it fails, but one if it times out, because it may still take effect */
export async function audited(
  { pool, actor }: Pick<OpsContext, 'pool' | 'actor'>,
  entry: Pick<AuditEntry, 'action' | 'subjectId' | 'after'>,
  change: () => Promise<unknown> = async () => {},
): Promise<void> {
  const by = await actor();
  let timeout: unknown;
  await pool.transaction(async (tx) => {
    await writeAudit(tx, { actor: by, merchantId: null, environment: null, before: null, ...entry });
    await change().catch((error: unknown) => {
      if (grpcCodeOf(error) !== DEADLINE_EXCEEDED) throw error;
      timeout = error;
    });
  });
  if (timeout) throw timeout;
}
