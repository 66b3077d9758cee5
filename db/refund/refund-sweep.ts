/** Refunds for the sweep: those without a workflow, and those with unapplied rail webhooks. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { camelCased, type Db, type Pool, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { inTransaction } from '../core/transaction.ts';
import { reverseCreditNote } from '../invoice/reverse-credit-note.ts';
import { applyWebhooks, SETTLED_BY_OPERATOR } from '../payment/rail-webhooks.ts';
import { roundRobin } from '../payment/round-robin.ts';
import { recordEvent } from '../webhook/events.ts';

const startable = camelCased({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  amount: z.number(),
  currency: z.string(),
});
type StartableRefund = z.infer<typeof startable>;

const columns = sql.fragment`id, merchant_id, environment, amount, currency`;

/** Refunds older than a second without a workflow; normally the API has started it by then. */
export function unstartedRefunds(db: Db, limit: number): Promise<readonly StartableRefund[]> {
  return db.any(sql.type(startable)`
    select ${columns} from refunds
    where workflow_started_at is null and status = 'pending' and created_at < ${NOW} - interval '1 second'
    order by id limit ${limit}
  `);
}

/** Null unless the refund is pending. */
export function findStartableRefund(db: Db, id: string): Promise<StartableRefund | null> {
  return db.maybeOne(sql.type(startable)`
    select ${columns} from refunds where id = ${id} and status = 'pending'
  `);
}

/** Pending refunds with rail webhooks that their workflows do not know: these are signalled to look the refunds up. */
export function refundsWithWebhooks(db: Db): Promise<readonly string[]> {
  return db.anyFirst(sql.type(z.object({ id: z.string() }))`
    select distinct r.id
    from rail_webhooks n join refunds r on r.id = n.reference and r.rail_account_id = n.rail_account_id
    where n.applied_at is null and n.presented_at is null and r.status = 'pending'
  `);
}

/** @param before an instant before the webhooks were listed: later ones are presented in the next round */
export async function markRefundWebhooksPresented(db: Db, refundId: string, before: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update rail_webhooks n set presented_at = service_clock() from refunds r
    where r.id = ${refundId} and n.reference = r.id and n.rail_account_id = r.rail_account_id
      and n.applied_at is null and n.presented_at is null and n.received_at <= ${before}
  `);
}

/** Marks webhooks that agree with their settled refunds as applied. */
export async function applyWebhooksOfSettledRefunds(db: Db): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update rail_webhooks n set applied_at = service_clock()
    from refunds r
    where r.id = n.reference and r.rail_account_id = n.rail_account_id and n.applied_at is null
      and r.status <> 'pending' and (r.status = 'failed') = (n.hint = 'refund_failed')
      and n.hint <> ${SETTLED_BY_OPERATOR}
  `);
}

const contradicted = camelCased({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  status: z.enum(['succeeded', 'failed']),
  rail_account_id: z.string(),
  /** The ids of the webhooks received so far; one received during the look-up causes another look-up. */
  rail_event_ids: z.array(z.string()),
});
export type ContradictedRefund = z.infer<typeof contradicted>;

/**
 * Settled refunds to look up: a webhook from their rail account contradicts the settlement, or an operator settled them
 * without the rail's answer.
 */
export function refundsContradictedByWebhooks(db: Db, limit: number): Promise<readonly ContradictedRefund[]> {
  return db.any(sql.type(contradicted)`
    ${roundRobin(
      sql.fragment`
        select r.id, r.merchant_id, r.environment, r.status, r.rail_account_id,
          array_agg(n.rail_event_id) as rail_event_ids, max(n.presented_at) as asked_at
        from rail_webhooks n join refunds r on r.id = n.reference and r.rail_account_id = n.rail_account_id
        where n.applied_at is null and r.status <> 'pending'
          and ((r.status = 'failed') <> (n.hint = 'refund_failed') or n.hint = ${SETTLED_BY_OPERATOR})
        group by r.id`,
      limit,
    )}
  `);
}

/**
 * Records the result of a look-up: marks the refund's webhooks as applied, and alerts once if the rail contradicts the
 * stored status (rule 32). If the rail reversed the refund, its credit note is reversed.
 * @returns whether the rail contradicts the stored status
 */
export function applyRefundLookup(
  pool: Pool,
  { id, status, railAccountId, railEventIds, ...scope }: ContradictedRefund,
  atRail: 'carriedOut' | 'notCarriedOut' | 'otherAmount',
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    await applyWebhooks(tx, railAccountId, railEventIds);
    if (atRail === (status === 'succeeded' ? 'carriedOut' : 'notCarriedOut')) return false;
    const [code, suffix] =
      status === 'failed' ? ['refund_carried_out', 'carried-out'] : ['refund_reversed_by_rail', 'reversed'];
    const alert = { code, reference: id };
    const type = 'billing.operational_alert';
    await recordEvent(tx, { scope, type, aggregateId: `${id}-${suffix}`, aggregateVersion: 1, alert });
    if (status === 'succeeded' && atRail === 'notCarriedOut')
      await reverseCreditNote(tx, scope, { refundId: id });
    return true;
  });
}
