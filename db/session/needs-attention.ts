/** Items that wait for an operator. */
import { z } from 'zod';
import { type Db, sql } from '../core/pool.ts';

const item = z.object({
  what: z.enum([
    'reconciliation_required',
    'orphaned_charge',
    'outcome_not_recorded',
    'document_not_written',
    'overdue',
    'endpoint_disabled',
    'dispute_open',
    'not_in_database',
    'account_not_compared',
  ]),
  id: z.string(),
  merchant: z.string(),
  environment: z.string(),
  since: z.string(),
  amount: z.number().nullable(),
});
export type NeedsAttention = z.infer<typeof item>;

/** A charge that its subscription cannot adopt any more, or did not within days although no retry is scheduled. */
const isLeftBehind = sql.fragment`
  not exists (select from payments where id = f.reference) and not exists (
    select from subscriptions s where s.id = f.owner_id and s.status in ('trialing', 'active', 'past_due')
      and (f.found_at > service_clock() - interval '3 days' or s.charge_at > service_clock()))`;

export function listNeedsAttention(db: Db): Promise<readonly NeedsAttention[]> {
  return db.any(sql.type(item)`
    select 'reconciliation_required' as what, id, merchant_id as merchant, environment, created_at as since, amount
    from checkouts where state = 'reconciliation_required'
    union all
    select 'orphaned_charge', payment_id, merchant_id, environment, found_at, amount
    from orphaned_charges where returned_at is null
    union all
    select 'dispute_open', id, merchant_id, environment, opened_at, amount
    from disputes where status = 'open'
    union all
    select 'outcome_not_recorded', reference, merchant_id, environment, found_at, amount
    from unrecorded_outcomes
    union all
    select 'document_not_written', d.reference, d.merchant_id, d.environment, min(d.found_at), p.amount
    from documents_due d left join payments p on p.id = d.reference
    group by d.reference, d.merchant_id, d.environment, p.amount
    union all
    select 'overdue', id, merchant_id, environment, next_action_at, amount
    from checkouts
    where state not in ('succeeded', 'failed', 'reconciliation_required')
      and next_action_at < service_clock() - interval '5 minutes'
    union all
    select 'not_in_database', reference, merchant_id, environment, at, amount
    from restore_findings f where state = 'person' or state = 'later' and ${isLeftBehind}
    union all
    select 'account_not_compared', a.id, a.merchant_id, a.environment, r.compared_at, null
    from restored_accounts r join rail_accounts a on a.id = r.rail_account_id
    where r.refusal is not null
    union all
    select 'endpoint_disabled', id, merchant_id, environment, updated_at, null
    from webhook_endpoints where status = 'disabled'
    union all
    select 'reconciliation_required', id, merchant_id, environment, reconciling_since, amount
    from subscriptions where reconciling_since is not null
    union all
    select 'overdue', id, merchant_id, environment, next_action_at, amount
    from subscriptions
    where status in ('trialing', 'active', 'past_due') and reconciling_since is null
      and next_action_at < subscription_clock(id) - interval '5 minutes'
    union all
    select 'reconciliation_required', id, merchant_id, environment, reconciling_since, amount
    from refunds where reconciling_since is not null
    union all
    select 'overdue', id, merchant_id, environment, next_action_at, amount
    from refunds
    where status = 'pending' and reconciling_since is null
      and next_action_at < service_clock() - interval '5 minutes'
    order by since
  `);
}
