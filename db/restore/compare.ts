/** Compares the rail's lists with the rows of a restored database (rule 29). */
import { z } from 'zod';
import { camelCased, type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { railAccountColumns, railAccountRow } from '../merchant/rail-account-row.ts';
import { OPEN_STATUSES } from '../payment/open-payment.ts';
import { adopting, webhookPrefixOf } from './fence.ts';

const account = z.object(railAccountRow);
export type AccountToCompare = z.infer<typeof account>;

const isToCompare = (epoch: number) => sql.fragment`
  not exists (select from restored_accounts done where done.epoch = ${epoch} and done.rail_account_id = a.id)`;

/**
 * Returns the next account whose list has not been compared in this epoch; accounts in use come first.
 * @param failed accounts to skip
 */
export function nextAccountToCompare(
  db: Db,
  epoch: number,
  failed: readonly string[] = [],
): Promise<AccountToCompare | null> {
  return db.maybeOne(sql.type(account)`
    select ${railAccountColumns}
    from rail_accounts a where ${isToCompare(epoch)} and a.id <> all (${sql.array([...failed], 'text')})
    order by a.status = 'disabled', a.id limit 1
  `);
}

export interface RailList {
  readonly charges: readonly Listed[];
  readonly refunds: readonly (Listed & { readonly payment: string })[];
  readonly disputes: readonly ListedDispute[];
}

interface ListedDispute {
  readonly railDisputeId: string;
  readonly reference: string | null;
  readonly railReference: string | null;
}

interface Listed {
  readonly reference: string;
  readonly outcome: string;
  readonly amountCents: number;
  readonly currency: string;
  /** The quantity of a charge that its buyer chose. */
  readonly quantity?: number | null;
  readonly at: string;
}

/**
 * Stores a difference for each charge or refund in the account's list that is missing from this account's rows or
 * contradicts them (rule 32). Idempotent.
 */
export function storeComparison(
  pool: Pool,
  epoch: number,
  { rail_account_id: accountId }: Pick<AccountToCompare, 'rail_account_id'>,
  { charges, refunds, disputes }: RailList,
): Promise<void> {
  return pool.transaction(async (tx) => {
    const difference = (kind: 'charge' | 'refund') => sql.fragment`
      insert into restore_findings as known (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome, amount,
        currency, quantity, at, payment_reference)
      select distinct on (l.reference) ${epoch}::bigint, a.id, ${kind}, l.reference, a.merchant_id, a.environment,
        l.outcome, l."amountCents", l.currency, l.quantity, l.at, l.payment
      from listed l join rail_accounts a on a.id = ${accountId}`;
    const again = sql.fragment`
      on conflict (rail_account_id, reference) do update
      set epoch = excluded.epoch, outcome = excluded.outcome, amount = excluded.amount,
        quantity = excluded.quantity, at = excluded.at,
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
    await askAboutUnknown(tx, epoch, accountId, disputes);
    await closeAccount(tx, epoch, accountId, charges.length + refunds.length);
  });
}

/** Stores a webhook for each dispute unknown here: the rail does not repeat those that the lost copy received. */
async function askAboutUnknown(
  tx: Transaction,
  epoch: number,
  railAccountId: string,
  disputes: readonly ListedDispute[],
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into rail_webhooks (rail_account_id, rail_event_id, reference, rail_reference, hint)
    select ${railAccountId}, ${webhookPrefixOf(epoch)} || l."railDisputeId", l.reference, l."railReference", 'dispute'
    from jsonb_to_recordset(${JSON.stringify(disputes)}::jsonb)
      as l ("railDisputeId" text, reference text, "railReference" text)
    -- Without a reference of either kind, no payment can be found.
    where coalesce(l.reference, l."railReference") is not null and not exists (
      select from disputes where rail_account_id = ${railAccountId} and rail_dispute_id = l."railDisputeId")
    on conflict do nothing
  `);
}

/**
 * Pauses an account whose list the rail refuses, or whose list cannot be read, until an operator has compared it by
 * hand (`resume-rail`). The lost copy may have sent earlier claims: they are looked up and never sent.
 */
export async function storeRefusal(
  pool: Pool,
  epoch: number,
  { rail_account_id: accountId }: Pick<AccountToCompare, 'rail_account_id'>,
  refusal: string,
): Promise<void> {
  await pool.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      insert into rail_breakers (scope, rail, environment, rail_account_id, state, reason, paused_by)
      select 'account:' || id, rail, environment, id, 'paused', ${`not compared after a restore: ${refusal}`}, 'restore'
      from rail_accounts where id = ${accountId}
      on conflict (scope) do update set state = 'paused', since = service_clock(), probe_until = null,
        reason = excluded.reason, paused_by = excluded.paused_by
    `);
    await adopting(tx);
    await tx.query(sql.typeAlias('void')`
      update payments set call_started_at = created_at, call_deadline = service_clock() + interval '1 hour'
      where rail_account_id = ${accountId} and call_started_at is null and status in ${OPEN_STATUSES}
    `);
    await closeAccount(tx, epoch, accountId, 0);
  });
}

async function closeAccount(
  tx: Transaction,
  epoch: number,
  accountId: string,
  listed: number,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into restored_accounts (epoch, rail_account_id, listed) values (${epoch}, ${accountId}, ${listed})
    on conflict do nothing
  `);
}

function listed(rows: readonly object[]) {
  return sql.fragment`listed as (
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as l (reference text, outcome text, "amountCents" bigint, currency text, quantity integer, at timestamptz, payment text)
  )`;
}

const progress = camelCased({
  accounts: z.number(),
  compared: z.number(),
  listed: z.number(),
  open: z.number(),
  adopted: z.number(),
  for_a_person: z.number(),
});
export type RestoreProgress = z.infer<typeof progress>;

export function readRestoreProgress(db: Db, epoch: number): Promise<RestoreProgress> {
  return db.one(sql.type(progress)`
    select (select count(*) from rail_accounts) as accounts,
      (select count(*) from restored_accounts where epoch = ${epoch}) as compared,
      (select coalesce(sum(listed), 0) from restored_accounts where epoch = ${epoch}) as listed,
      count(*) filter (where state = 'open') as open, count(*) filter (where state = 'adopted') as adopted,
      count(*) filter (where state = 'person')
        + (select count(*) from rail_breakers where paused_by = 'restore') as for_a_person
    from restore_findings where epoch = ${epoch}
  `);
}
