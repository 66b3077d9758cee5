/** Weekly alerts about outcomes still in doubt. */
import type { Pool } from '../../db/core/pool.ts';
import { inTransaction } from '../../db/core/transaction.ts';
import { refundsToRemindOf } from '../../db/refund/refund-sweep.ts';
import { type Reminder, reconciliationsToRemindOf } from '../../db/session/session-sweep.ts';
import { chargesInDoubtToRemindOf } from '../../db/subscription/subscription-sweep.ts';
import { recordEvent } from '../../db/webhook/events.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

export async function remindOfReconciliations({ pool, logger }: ActivityDeps): Promise<void> {
  await eachAlone(logger, await reconciliationsToRemindOf(pool), (session) =>
    remind(pool, session, session.id),
  );
  await eachAlone(logger, await chargesInDoubtToRemindOf(pool), (charge) =>
    remind(pool, charge, charge.paymentId),
  );
  await eachAlone(logger, await refundsToRemindOf(pool), (refund) => remind(pool, refund, refund.id));
}

/** Once a week per `doubt`, which identifies the cause; a new doubt starts a new series of alerts. */
async function remind(pool: Pool, { id, weeks, ...scope }: Reminder, doubt: string): Promise<void> {
  await inTransaction(pool, (tx) =>
    recordEvent(tx, {
      scope,
      type: 'billing.operational_alert',
      aggregateId: `${doubt}-reconciliation`,
      aggregateVersion: weeks,
      alert: { code: 'reconciliation_required', reference: id },
    }),
  );
}
