/** Outcomes that a workflow fails to record and keeps retrying (rule 40): listed, and alerted once. */
import { z } from 'zod';
import { ENVIRONMENTS, type Scope } from '../../domain/core/environment.ts';
import { camelCased, type Db, type Pool, sql } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { recordEvent } from '../webhook/events.ts';

export interface FailedTry {
  readonly workflowId: string;
  /** The payment's id; without a payment, the refund's, subscription's or session's. */
  readonly reference: string;
  readonly activity: string;
  readonly error: string;
}

const noted = camelCased({
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  alerted: z.boolean(),
});

/** Records a failure in a separate statement that does not touch the rows concerned. Null for an unknown reference. */
export function noteFailedTry(
  db: Db,
  { workflowId, reference, activity, error }: FailedTry,
): Promise<z.infer<typeof noted> | null> {
  return db.maybeOne(sql.type(noted)`
    insert into unrecorded_outcomes (workflow_id, reference, merchant_id, environment, amount, activity, error)
    select ${workflowId}, id, merchant_id, environment, amount, ${activity}, ${error}
    from (
      select id, merchant_id, environment, amount from payments
      union all select id, merchant_id, environment, amount from refunds
      union all select id, merchant_id, environment, amount from subscriptions
      union all select id, merchant_id, environment, amount from checkouts
    ) as known
    where id = ${reference}
    on conflict (workflow_id, reference)
      do update set tried_at = service_clock(), activity = excluded.activity, error = excluded.error
    returning merchant_id, environment, alerted_at is not null as alerted
  `);
}

/** Alerts once per incident, however often the activity fails. A subscription can have several incidents. */
export function alertOfFailedTry(
  pool: Pool,
  scope: Scope,
  { workflowId, reference }: FailedTry,
): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query(sql.typeAlias('void')`
      update unrecorded_outcomes set alerted_at = service_clock()
      where workflow_id = ${workflowId} and reference = ${reference} and alerted_at is null`);
    if (rowCount === 0) return;
    const earlier = await tx.oneFirst(sql.type(z.object({ alerts: z.number() }))`
      select count(*)::integer as alerts from operator_alerts
      where reference = ${reference} and code = 'outcome_not_recorded'`);
    await recordEvent(tx, {
      scope,
      type: 'billing.operational_alert',
      aggregateId: `${reference}-unrecorded`,
      aggregateVersion: 1 + earlier,
      alert: { code: 'outcome_not_recorded', reference },
    });
  });
}

export async function deleteFailedTries(db: Db, workflowId: string, reference: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    delete from unrecorded_outcomes where workflow_id = ${workflowId} and reference = ${reference}`);
}

/** Deletes the failures of terminated runs; the next run records its own failures. */
export async function deleteAbandonedTries(db: Db): Promise<void> {
  await db.query(sql.typeAlias('void')`
    delete from unrecorded_outcomes where tried_at < service_clock() - interval '10 minutes'`);
}
