/** Findings of a comparison: matched with what they were charged for, and closed (rule 29). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { type Db, type Pool, sql } from '../core/pool.ts';

const finding = z.object({
  reference: z.string(),
  kind: z.enum(['charge', 'refund']),
  accountId: z.string(),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  amount: z.number(),
  currency: z.string(),
  at: z.string(),
  paymentReference: z.string().nullable(),
  /** The session or subscription of a charge. */
  ownerId: z.string().nullable(),
  /** False for what no adoption can settle: a charge without an owner, and the refunds of such a charge. */
  waits: z.boolean(),
});
export type Finding = z.infer<typeof finding>;

const id = z.object({ reference: z.string() });

/**
 * Finds the owners of charges by the ids that their attempts derive (rule 28), stores the marks of attempts that the
 * rail has, so that they are looked up and never sent, and closes what is settled.
 * @returns how many are settled now
 */
export function matchFindings(pool: Pool, epoch: number): Promise<number> {
  return pool.transaction(async (tx) => {
    const ofThisEpoch = sql.fragment`f.epoch = ${epoch} and f.state in ('open', 'later')`;
    const unmatched = sql.fragment`${ofThisEpoch} and f.kind = 'charge' and f.owner_id is null`;
    await tx.query(sql.unsafe`
      update restore_findings f set owner_id = c.id from checkouts c
      where ${unmatched} and unix_ms(c.created_at) = derived_ms(f.reference)
        and session_payment_id(c.id, c.created_at, derived_ordinal(f.reference)) = f.reference
    `);
    await tx.query(sql.unsafe`
      update restore_findings f set owner_id = i.subscription_id from invoices i
      where ${unmatched} and i.subscription_id is not null and unix_ms(i.period_start) = derived_ms(f.reference)
        and period_payment_id(i.subscription_id, i.period_start, derived_ordinal(f.reference)) = f.reference
    `);
    await tx.query(sql.unsafe`
      update restore_findings f set owner_id = s.id from subscriptions s
      where ${unmatched} and unix_ms(s.current_period_end) = derived_ms(f.reference)
        and period_payment_id(s.id, date_trunc('milliseconds', s.current_period_end), derived_ordinal(f.reference))
          = f.reference
    `);
    await tx.query(sql.unsafe`
      update payments p
      set call_started_at = f.at, call_deadline = least(service_clock(), coalesce(p.call_deadline, 'infinity'))
      from restore_findings f
      where ${ofThisEpoch} and f.kind = 'charge' and p.id = f.reference and p.call_started_at is null
        and p.status in ('processing', 'requires_action')
    `);
    const adopted = await tx.any(sql.type(id)`
      update restore_findings f set state = 'adopted', closed_at = service_clock()
      where ${ofThisEpoch} and (
        f.kind = 'charge' and exists (
          select from payments p where p.id = f.reference and p.status not in ('processing', 'requires_action'))
        or f.kind = 'refund' and exists (
          select from refunds r where r.id = f.reference and r.status = f.outcome))
      returning f.reference
    `);
    return adopted.length;
  });
}

/** Payments that ended here otherwise than at the rail: their `reconcile` judges them. Before `matchFindings`. */
export function disagreements(db: Db, epoch: number) {
  return db.any(sql.type(
    z.object({ paymentId: z.string(), merchantId: z.string(), environment: z.enum(ENVIRONMENTS) }),
  )`
    select p.id as "paymentId", p.merchant_id as "merchantId", p.environment
    from restore_findings f join payments p on p.id = f.reference
    where f.epoch = ${epoch} and f.state = 'open' and f.kind = 'charge' and (
      p.status in ('failed', 'cancelled') and f.outcome = 'approved'
      or p.status in ('succeeded', 'partially_refunded', 'refunded') and f.outcome in ('declined', 'cancelled'))
  `);
}

/** Charges and refunds to adopt, earlier attempts first. */
export function openFindings(db: Db, epoch: number): Promise<readonly Finding[]> {
  return db.any(sql.type(finding)`
    select reference, kind, rail_account_id as "accountId", merchant_id as "merchantId", environment, amount, currency,
      at, payment_reference as "paymentReference", owner_id as "ownerId",
      case kind when 'charge' then owner_id is not null else not exists (
        select from restore_findings c
        where c.rail_account_id = f.rail_account_id and c.kind = 'charge' and c.state = 'open' and c.owner_id is null
          and c.reference in (f.payment_reference, regexp_replace(f.reference, '-return$', ''))) end as waits
    from restore_findings f where epoch = ${epoch} and state = 'open'
    order by kind, derived_ms(reference), derived_ordinal(reference)
  `);
}

/** A charge of a period that begins on a sandbox clock in the future, or of a retry that is not due. */
export async function postpone(db: Db, reference: string): Promise<void> {
  await db.query(sql.unsafe`
    update restore_findings set state = 'later' where reference = ${reference} and state = 'open'
  `);
}

/** A charge that this service returned as an orphan, and its return. With an owner, both are adopted instead. */
const wentBack = sql.fragment`exists (
  select from restore_findings c
  join restore_findings back on back.rail_account_id = c.rail_account_id and back.reference = c.reference || '-return'
  where c.rail_account_id = f.rail_account_id and c.kind = 'charge' and c.owner_id is null
    and back.outcome in ('succeeded', 'pending') and f.reference in (c.reference, back.reference))`;

/**
 * What could not be adopted is listed for an operator, unless it is not about money, or the money of a charge without
 * an owner went back. @returns the listed ones
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

/** An operator has dealt with what is listed. @returns false if nothing with this id is listed */
export function settleFinding(
  pool: Pool,
  by: { readonly reference: string; readonly operator: string; readonly evidence: string },
): Promise<boolean> {
  const { reference, operator, evidence } = by;
  return pool.transaction(async (tx) => {
    const settled = await tx.maybeOne(sql.type(
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
    if (!settled) return false;
    await writeAudit(tx, {
      ...settled,
      actor: `operator:${operator}`,
      action: 'restore.settle',
      subjectId: reference,
      requestId: null,
      before: null,
      after: { evidence },
    });
    return true;
  });
}
