/** Matches a comparison's differences with their sessions and subscriptions (rule 29). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { camelCased, type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { OPEN_STATUSES } from '../payment/open-payment.ts';
import { closeSettled } from './close-differences.ts';
import { adopting } from './fence.ts';

const difference = camelCased({
  reference: z.string(),
  kind: z.enum(['charge', 'refund']),
  account_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  amount: z.number(),
  currency: z.string(),
  quantity: z.number().nullable(),
  at: z.string(),
  payment_reference: z.string().nullable(),
  /** The session or subscription to which a charge belongs. */
  owner_id: z.string().nullable(),
  /**
   * False for differences that no adoption can settle: a charge without an owner, and the refunds of such a charge.
   */
  waits: z.boolean(),
  /** True if no listed charge of the owner has a price, which would show whether a coupon reduced it. */
  is_free: z.boolean(),
});
export type Difference = z.infer<typeof difference>;

/**
 * Finds the owners of charges by the ids that their attempts would get (rule 28). Marks attempts that the rail has, and
 * earlier attempts for the same invoice, as called, so that they are looked up and never sent. Closes settled
 * differences.
 * @returns charges and refunds that ended differently here than at the rail
 */
export function matchDifferences(pool: Pool, epoch: number): Promise<readonly string[]> {
  return pool.transaction(async (tx) => {
    const ofThisEpoch = sql.fragment`f.epoch = ${epoch} and f.state = 'open'`;
    const unmatched = sql.fragment`${ofThisEpoch} and f.kind = 'charge' and f.owner_id is null`;
    await tx.query(sql.typeAlias('void')`
      update restore_findings f set owner_id = p.checkout_id from payments p
      where ${unmatched} and p.id = f.reference and p.checkout_id is not null and p.rail_account_id = f.rail_account_id
    `);
    await tx.query(sql.typeAlias('void')`
      update restore_findings f set owner_id = c.id from checkouts c
      where ${unmatched} and unix_ms(c.created_at) = derived_ms(f.reference)
        and session_payment_id(c.id, c.created_at, derived_ordinal(f.reference)) = f.reference
        and c.rail_account_id = f.rail_account_id
    `);
    await tx.query(sql.typeAlias('void')`
      update restore_findings f set owner_id = i.subscription_id from invoices i
      where ${unmatched} and i.subscription_id is not null and unix_ms(i.period_start) = derived_ms(f.reference)
        and period_payment_id(i.subscription_id, i.period_start, derived_ordinal(f.reference)) = f.reference
        and i.merchant_id = f.merchant_id and i.environment = f.environment
    `);
    await tx.query(sql.typeAlias('void')`
      update restore_findings f set owner_id = s.id from subscriptions s
      where ${unmatched} and unix_ms(s.current_period_end) = derived_ms(f.reference)
        and period_payment_id(s.id, date_trunc('milliseconds', s.current_period_end), derived_ordinal(f.reference))
          = f.reference
        and s.merchant_id = f.merchant_id and s.environment = f.environment
    `);
    await tx.query(sql.typeAlias('void')`
      update restore_findings f set owner_id = s.id from subscriptions s
      where ${unmatched} and s.resumes_at is not null and unix_ms(s.resumes_at) = derived_ms(f.reference)
        and period_payment_id(s.id, s.resumes_at, derived_ordinal(f.reference)) = f.reference
        and s.merchant_id = f.merchant_id and s.environment = f.environment
    `);
    await moveToTheirAccounts(tx, ofThisEpoch);
    await adopting(tx);
    await tx.query(sql.typeAlias('void')`
      update payments p
      set call_started_at = f.at, call_deadline = greatest(service_clock(), f.at + interval '1 hour')
      from restore_findings f
      where ${ofThisEpoch} and f.kind = 'charge' and p.id = f.reference and p.rail_account_id = f.rail_account_id
        and p.call_started_at is null and p.status in ${OPEN_STATUSES}
    `);
    await tx.query(sql.typeAlias('void')`
      update payments p
      set call_started_at = f.at, call_deadline = greatest(service_clock(), f.at + interval '1 hour')
      from restore_findings f join invoices i on i.subscription_id = f.owner_id
      where ${ofThisEpoch} and f.kind = 'charge' and p.invoice_id = i.id and is_later_attempt(f.reference, p.id)
        and p.call_started_at is null and p.status in ${OPEN_STATUSES}
    `);
    return closeSettled(tx, ofThisEpoch);
  });
}

/**
 * Moves renewals to the account that has their charge. A renewal claimed before the lists were read uses the account of
 * the restored subscription; if the method was changed in the lost interval, the charge is at another account. It is
 * looked up there and never sent.
 */
async function moveToTheirAccounts(
  tx: Transaction,
  ofThisEpoch: ReturnType<typeof sql.fragment>,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update payments p set rail_account_id = made.rail_account_id, rail = made.rail
    from (
      select distinct on (f.reference) f.reference, f.merchant_id, f.environment, f.rail_account_id, a.rail
      from restore_findings f join rail_accounts a on a.id = f.rail_account_id
      where ${ofThisEpoch} and f.kind = 'charge' order by f.reference, f.outcome = 'approved' desc, f.at
    ) made
    where p.id = made.reference and p.merchant_id = made.merchant_id and p.environment = made.environment
      and p.rail_account_id <> made.rail_account_id and p.checkout_id is null and p.call_started_at is null
      and p.status = 'processing' and not exists (
        select from restore_findings own
        where own.rail_account_id = p.rail_account_id and own.reference = p.id and own.kind = 'charge')
  `);
}

/** Returns the charges and refunds to adopt; those of early attempts come first. */
export function openDifferences(db: Db, epoch: number): Promise<readonly Difference[]> {
  return db.any(sql.type(difference)`
    select reference, kind, rail_account_id as account_id, merchant_id, environment, amount, currency, quantity,
      at, payment_reference, owner_id,
      case kind when 'charge' then owner_id is not null else not exists (
        select from restore_findings c
        where c.rail_account_id = f.rail_account_id and c.kind = 'charge' and c.state = 'open' and c.owner_id is null
          and c.reference in (f.payment_reference, regexp_replace(f.reference, '-return$', ''))) end as waits,
      kind = 'charge' and max(amount) over (partition by kind, owner_id) = 0 as is_free
    from restore_findings f where epoch = ${epoch} and state = 'open'
    order by kind, derived_ms(reference), derived_ordinal(reference)
  `);
}

/**
 * Lists a charge for a period that begins on a sandbox clock in the future, or for a retry that is not due yet. The
 * charge leaves the list once its subscription has adopted it.
 */
export async function postpone(db: Db, reference: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update restore_findings set state = 'person' where reference = ${reference} and state = 'open'
  `);
}
