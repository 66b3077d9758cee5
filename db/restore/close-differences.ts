/** Closes differences that a comparison found: settled here, listed for an operator, or handled by one (rule 29). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { camelCased, type Db, type Pool, sql } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { OPEN_STATUSES } from '../payment/open-payment.ts';
import { continueAfter, staysHeld } from './lost-requests.ts';

const id = z.object({ reference: z.string() });

const differs = sql.fragment`
  coalesce((p.amount, p.currency) <> (f.amount, f.currency) and f.outcome = 'approved', false)`;

/**
 * Closes differences that are settled here. A payment or refund with another outcome at the rail becomes a row of
 * `rail_webhooks` in the same statement, so that no crash separates the two; the sweep makes the workflow look it up (rule
 * 32). A charge with another amount, as after a lost plan change, is listed for an operator, and its attempt stays
 * in doubt.
 *
 * @param which condition on the differences `f`
 * @returns charges that ended differently here than at the rail, or have another amount
 */
export function closeSettled(db: Db, which: ReturnType<typeof sql.fragment>): Promise<readonly string[]> {
  return db.anyFirst(sql.type(id)`
    with ended as (
      select f.rail_account_id, f.reference, case
          when p.status in ('failed', 'cancelled') and f.outcome = 'approved' then 'approved'
          when p.status in ('succeeded', 'partially_refunded', 'refunded') and f.outcome in ('declined', 'cancelled')
            then f.outcome
          when r.status = 'failed' and f.outcome = 'succeeded' then 'refunded'
          when r.status = 'succeeded' and f.outcome = 'failed' then 'refund_failed'
        end as webhook, ${differs} as differs
      from restore_findings f
      left join payments p
        on f.kind = 'charge' and p.id = f.reference and p.rail_account_id = f.rail_account_id
      left join refunds r
        on f.kind = 'refund' and r.id = f.reference and r.rail_account_id = f.rail_account_id
      where ${which} and (
        p.status not in ${OPEN_STATUSES} or r.status <> 'pending' or ${differs}
        -- The workflow "reconcile" returns the charge, and finds earlier returns.
        or f.kind = 'refund' and exists (
          select from orphaned_charges o join payments c on c.id = o.payment_id
          where o.payment_id || '-return' = f.reference and c.rail_account_id = f.rail_account_id))
    ), closed as (
      update restore_findings f set state = case when differs then 'person' else 'adopted' end,
        closed_at = case when not differs then service_clock() end
      from ended
      where f.rail_account_id = ended.rail_account_id and f.reference = ended.reference
      returning f.rail_account_id, f.epoch, f.reference, ended.webhook, ended.differs
    ), asked as (
      insert into rail_webhooks (rail_account_id, rail_event_id, reference, hint)
      select rail_account_id, concat_ws('-', 'restored', epoch, reference), reference, webhook
      from closed where webhook is not null
      on conflict do nothing
    )
    select reference from closed where webhook is not null or differs order by reference
  `);
}

/** Closes listed charges that their subscription or session has adopted after the fence was lifted. */
export function closeAdopted(db: Db): Promise<readonly string[]> {
  return closeSettled(db, sql.fragment`f.state = 'person' and f.kind = 'charge' and p.amount = f.amount`);
}

/**
 * Matches a charge that this service returned as an orphan, and its return, if the whole amount was returned. If the
 * charge has an owner, both are adopted instead.
 */
const wentBack = sql.fragment`exists (
  select from restore_findings c
  join restore_findings back on back.rail_account_id = c.rail_account_id and back.reference = c.reference || '-return'
  where c.rail_account_id = f.rail_account_id and c.kind = 'charge' and c.owner_id is null
    and back.outcome = 'succeeded' and back.amount >= c.amount and f.reference in (c.reference, back.reference))`;

/**
 * Lists for an operator the differences that could not be adopted. Closes differences that moved no money, and those
 * about a charge without an owner whose money was returned.
 * @returns the listed differences
 */
export async function listForAPerson(db: Db, epoch: number): Promise<readonly string[]> {
  const listed = await db.any(sql.type(id.extend({ state: z.string() }))`
    update restore_findings f
    set state = case when outcome in ('declined', 'cancelled') or ${wentBack} then 'settled' else 'person' end
    where epoch = ${epoch} and state = 'open'
    returning reference, state
  `);
  return listed.filter(({ state }) => state === 'person').map(({ reference }) => reference);
}

/**
 * Closes a listed difference that an operator has handled. `continues`: a subscription that the restore stopped, paused or
 * held renews again.
 *
 * @returns false if no difference with this id is listed, the subscription cannot continue, or it would stay held
 */
export function closeDifference(
  pool: Pool,
  by: {
    readonly reference: string;
    readonly operator: string;
    readonly evidence: string;
    readonly continues?: boolean;
  },
): Promise<boolean> {
  const { reference, operator, evidence, continues = false } = by;
  return inTransaction(pool, async (tx) => {
    if (continues ? !(await continueAfter(tx, reference)) : await staysHeld(tx, reference)) return false;
    const closed = await tx.maybeOne(sql.type(
      camelCased({ merchant_id: z.string(), environment: z.enum(ENVIRONMENTS) }),
    )`
      update restore_findings set state = 'settled', closed_at = service_clock()
      where reference = ${reference} and state = 'person'
      returning merchant_id, environment
    `);
    if (!closed) return false;
    await writeAudit(tx, {
      ...closed,
      actor: operator,
      action: 'restore.settle',
      subjectId: reference,
      before: null,
      after: continues ? { evidence, continues: true } : { evidence },
    });
    return true;
  });
}
