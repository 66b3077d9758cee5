/** Closes differences of a comparison: settled here, listed for an operator, or dealt with by one (rule 29). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { type Db, type Pool, sql } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { OPEN_STATUSES } from '../payment/open-payment.ts';
import { refundsWithheldBy } from '../refund/release-refund.ts';
import { goOnAfter } from './lost-requests.ts';

const id = z.object({ reference: z.string() });

const differs = sql.fragment`
  coalesce((p.amount, p.currency) <> (f.amount, f.currency) and f.outcome = 'approved', false)`;

/**
 * Closes differences that are settled here. A payment or refund with another outcome at the rail becomes rail news in
 * the same statement, so that no crash separates the two; the sweep has it looked up and judged (rule 32). A charge of
 * another amount, as after a lost change of plan, is listed for an operator, and its attempt stays in doubt.
 * @param which condition on the differences `f`
 * @returns what ended differently here than at the rail, or was charged another amount
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
        end as news, ${differs} as differs
      from restore_findings f
      left join payments p
        on f.kind = 'charge' and p.id = f.reference and p.rail_account_id = f.rail_account_id
      left join refunds r
        on f.kind = 'refund' and r.id = f.reference and r.rail_account_id = f.rail_account_id
      where ${which} and (
        p.status not in ${OPEN_STATUSES} or r.status <> 'pending' or ${differs}
        -- The workflow "reconcile" returns the charge, and finds what went back.
        or f.kind = 'refund' and exists (
          select from orphaned_charges o join payments c on c.id = o.payment_id
          where o.payment_id || '-return' = f.reference and c.rail_account_id = f.rail_account_id))
    ), closed as (
      update restore_findings f set state = case when differs then 'person' else 'adopted' end,
        closed_at = case when not differs then service_clock() end
      from ended
      where f.rail_account_id = ended.rail_account_id and f.reference = ended.reference
      returning f.rail_account_id, f.epoch, f.reference, ended.news, ended.differs
    ), asked as (
      insert into rail_news (rail_account_id, rail_event_id, reference, hint)
      select rail_account_id, concat_ws('-', 'restored', epoch, reference), reference, news
      from closed where news is not null
      on conflict do nothing
    )
    select reference from closed where news is not null or differs order by reference
  `);
}

/**
 * After the fence: closes charges that their subscription has adopted, listed ones too. Lists a charge for an operator
 * when its subscription can no longer adopt it, or has not within days although no retry is scheduled.
 */
export async function closeLaterDifferences(
  db: Db,
): Promise<{ readonly otherwise: readonly string[]; readonly leftBehind: readonly string[] }> {
  const otherwise = await closeSettled(
    db,
    sql.fragment`(f.state = 'later' or f.state = 'person' and f.kind = 'charge' and p.amount = f.amount)`,
  );
  const leftBehind = await db.anyFirst(sql.type(id)`
    update restore_findings f set state = 'person'
    where f.state = 'later' and not exists (
        select from payments p where p.id = f.reference and p.rail_account_id = f.rail_account_id) and not exists (
      select from subscriptions s where s.id = f.owner_id and s.status in ('trialing', 'active', 'past_due')
        and (f.found_at > service_clock() - interval '3 days' or s.charge_at > service_clock()))
    returning reference
  `);
  return { otherwise, leftBehind };
}

/**
 * A charge that this service returned as an orphan, and its return, when all of the money is returned. With
 * an owner, both are adopted instead.
 */
const wentBack = sql.fragment`exists (
  select from restore_findings c
  join restore_findings back on back.rail_account_id = c.rail_account_id and back.reference = c.reference || '-return'
  where c.rail_account_id = f.rail_account_id and c.kind = 'charge' and c.owner_id is null
    and back.outcome = 'succeeded' and back.amount >= c.amount and f.reference in (c.reference, back.reference))`;

/**
 * Lists for an operator the differences that could not be adopted. Closes those that moved no money, and
 * those of a charge without an owner whose money was returned. @returns the listed ones
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

export interface ClosedDifference {
  /** False if nothing with this id is listed, or refunds are withheld by it. */
  readonly closed: boolean;
  /** The refunds that an operator has to decide about first. */
  readonly withheld: readonly string[];
}

/**
 * An operator has dealt with the listed object. Refused while refunds are withheld because of it: evidence
 * about one payment says nothing about the others (rule 44). `goesOn`: a subscription that the restore
 * stopped renews again.
 */
export function closeDifference(
  pool: Pool,
  by: {
    readonly reference: string;
    readonly operator: string;
    readonly evidence: string;
    readonly goesOn?: boolean;
  },
): Promise<ClosedDifference> {
  const { reference, operator, evidence, goesOn = false } = by;
  return inTransaction(pool, async (tx) => {
    const withheld = await refundsWithheldBy(tx, reference);
    if (withheld.length > 0) return { closed: false, withheld };
    if (goesOn && !(await goOnAfter(tx, reference))) return { closed: false, withheld };
    const closed = await tx.maybeOne(sql.type(
      z.object({ merchantId: z.string(), environment: z.enum(ENVIRONMENTS) }),
    )`
      with charge as (
        update restore_findings set state = 'settled', closed_at = service_clock()
        where reference = ${reference} and state = 'person' returning merchant_id, environment
      ), account as (
        update restored_accounts r set refusal = null from rail_accounts a
        where r.rail_account_id = ${reference} and a.id = r.rail_account_id and r.refusal is not null
        returning a.merchant_id, a.environment
      )
      select merchant_id as "merchantId", environment from charge
      union select merchant_id, environment from account limit 1
    `);
    if (!closed) return { closed: false, withheld };
    await writeAudit(tx, {
      ...closed,
      actor: operator,
      action: 'restore.settle',
      subjectId: reference,
      requestId: null,
      before: null,
      after: goesOn ? { evidence, goes_on: true } : { evidence },
    });
    return { closed: true, withheld };
  });
}
