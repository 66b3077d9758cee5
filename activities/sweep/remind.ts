/** Weekly alerts about outcomes still in doubt. */
import { inTransaction } from '../../db/core/transaction.ts';
import { doubtsToRemindOf } from '../../db/sweep/late-rows.ts';
import { recordEvent } from '../../db/webhook/events.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

/** One alert a week per `doubt`, which identifies the cause; a new doubt starts a new series. */
export async function remindOfReconciliations({ pool, logger }: ActivityDeps): Promise<void> {
  await eachAlone(logger, await doubtsToRemindOf(pool), ({ id, weeks, doubt, ...scope }) =>
    inTransaction(pool, (tx) =>
      recordEvent(tx, {
        scope,
        type: 'billing.operational_alert',
        aggregateId: `${doubt}-reconciliation`,
        aggregateVersion: weeks,
        alert: { code: 'reconciliation_required', reference: id },
      }),
    ),
  );
}
