/** Compares the rail's lists with the rows of a restored database (rule 29). */
import { z } from 'zod';
import { type Db, type Pool, sql } from '../core/pool.ts';
import { railAccountColumns, railAccountRow } from '../merchant/rail-account-row.ts';
import { OPEN_STATUSES } from '../payment/open-payment.ts';

const account = z.object(railAccountRow);
export type AccountToCompare = z.infer<typeof account>;

const isToCompare = (epoch: number) => sql.fragment`
  not exists (select from restored_accounts done where done.epoch = ${epoch} and done.rail_account_id = a.id)`;

/** The next account whose list has not been compared in this epoch; accounts in use first. */
export function nextAccountToCompare(db: Db, epoch: number): Promise<AccountToCompare | null> {
  return db.maybeOne(sql.type(account)`
    select ${railAccountColumns}
    from rail_accounts a where ${isToCompare(epoch)}
    order by a.status = 'disabled', a.id limit 1
  `);
}

export interface RailList {
  readonly charges: readonly Listed[];
  readonly refunds: readonly (Listed & { readonly payment: string })[];
}

interface Listed {
  readonly reference: string;
  readonly outcome: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly at: string;
}

/**
 * Stores a difference for each charge or refund in the account's list that the rows of this account lack or contradict
 * (rule 32). Idempotent.
 */
export function storeComparison(
  pool: Pool,
  epoch: number,
  { rail_account_id: accountId }: Pick<AccountToCompare, 'rail_account_id'>,
  { charges, refunds }: RailList,
): Promise<void> {
  return pool.transaction(async (tx) => {
    const difference = (kind: 'charge' | 'refund') => sql.fragment`
      insert into restore_findings as known (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome, amount,
        currency, at, payment_reference)
      select distinct on (l.reference) ${epoch}::bigint, a.id, ${kind}, l.reference, a.merchant_id, a.environment,
        l.outcome, l."amountCents", l.currency, l.at, l.payment
      from listed l join rail_accounts a on a.id = ${accountId}`;
    const again = sql.fragment`
      on conflict (rail_account_id, reference) do update
      set epoch = excluded.epoch, outcome = excluded.outcome, amount = excluded.amount, at = excluded.at,
        state = case when known.state = 'settled' and known.outcome = excluded.outcome then 'settled' else 'open' end`;
    await tx.query(sql.typeAlias('void')`
      with ${listed(charges)}
      ${difference('charge')}
      left join payments p on p.id = l.reference and p.rail_account_id = a.id
      where l.outcome in ('approved', 'declined', 'cancelled', 'challenge', 'pending') and (
        p.id is null
        or p.status in ${OPEN_STATUSES} and p.call_started_at is null
        or p.status in ('failed', 'cancelled') and l.outcome = 'approved'
          and not exists (select from orphaned_charges o where o.payment_id = p.id)
        or p.status in ('succeeded', 'partially_refunded', 'refunded') and l.outcome in ('declined', 'cancelled'))
      order by l.reference, l.at desc ${again}
    `);
    await tx.query(sql.typeAlias('void')`
      with ${listed(refunds)}
      ${difference('refund')}
      left join refunds r on r.id = l.reference and r.rail_account_id = a.id
      where case r.status
        when 'failed' then l.outcome = 'succeeded'
        when 'succeeded' then l.outcome = 'failed'
        when 'pending' then false
        else l.outcome <> 'failed'
          and not exists (
            select from orphaned_charges o join payments c on c.id = o.payment_id
            where o.payment_id || '-return' = l.reference and c.rail_account_id = a.id)
        end
      order by l.reference, l.at desc ${again}
    `);
    await closeAccount(tx, { epoch, accountId, listed: charges.length + refunds.length, refusal: null });
  });
}

/** The rail rejects this account's credential, and so its charges, too: an operator must look. */
export function storeRefusal(db: Db, epoch: number, accountId: string, refusal: string): Promise<void> {
  return closeAccount(db, { epoch, accountId, listed: 0, refusal });
}

async function closeAccount(
  db: Db,
  done: {
    readonly epoch: number;
    readonly accountId: string;
    readonly listed: number;
    readonly refusal: string | null;
  },
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into restored_accounts (epoch, rail_account_id, listed, refusal)
    values (${done.epoch}, ${done.accountId}, ${done.listed}, ${done.refusal})
    on conflict do nothing
  `);
}

function listed(rows: readonly object[]) {
  return sql.fragment`listed as (
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as l (reference text, outcome text, "amountCents" integer, currency text, at timestamptz, payment text)
  )`;
}

const progress = z.object({
  accounts: z.number(),
  compared: z.number(),
  listed: z.number(),
  open: z.number(),
  adopted: z.number(),
  later: z.number(),
  forAPerson: z.number(),
});
export type RestoreProgress = z.infer<typeof progress>;

export function readRestoreProgress(db: Db, epoch: number): Promise<RestoreProgress> {
  return db.one(sql.type(progress)`
    select (select count(*) from rail_accounts) as accounts,
      (select count(*) from restored_accounts where epoch = ${epoch}) as compared,
      (select coalesce(sum(listed), 0) from restored_accounts where epoch = ${epoch}) as listed,
      count(*) filter (where state = 'open') as open, count(*) filter (where state = 'adopted') as adopted,
      count(*) filter (where state = 'later') as later,
      count(*) filter (where state = 'person')
        + (select count(*) from restored_accounts where epoch = ${epoch} and refusal is not null) as "forAPerson"
    from restore_findings where epoch = ${epoch}
  `);
}
