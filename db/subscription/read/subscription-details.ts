/** One subscription with its dunning and history, for the dashboard. */
import { z } from 'zod';
import { type SubscriptionDetails, subscriptionDetails } from '../../../contract/subscription/details.ts';
import { ENVIRONMENTS, type Environment, type Scope } from '../../../domain/core/environment.ts';
import { type Db, sql } from '../../core/pool.ts';
import { isoInstant } from '../../core/service-clock.ts';
import { UNPAID } from '../../invoice/unpaid.ts';
import { worstDisputeOf } from '../../payment/disputed-part.ts';
import { OPEN_STATUSES } from '../../payment/open-payment.ts';
import { continues, endsUncharged, nextPeriodAt, retriesEnd } from '../core/next-period.ts';
import { renewalTerms, renewalTotalAt, selectRenewalTerms } from '../core/next-renewal.ts';
import { isStranded } from '../core/stranded.ts';
import { type StoredFound, searchSubscriptions } from './search-subscriptions.ts';

const more = subscriptionDetails
  .pick({ checkout_id: true, clock_target: true, cancel_requested_at: true, charging_stopped_at: true })
  .extend({
    is_in_dunning: z.boolean(),
    charge_at: z.string().nullable(),
    is_charging: z.boolean(),
    ends_uncharged: z.boolean(),
    /** Null if the subscription is held. */
    ends_unpaid_at: z.string().nullable(),
    /** Null if no charged period follows. */
    renewal: z.object({ at: z.string().nullable(), terms: renewalTerms }).nullable(),
  });
const unpaid = z.object({
  id: z.string(),
  since: z.string(),
  declines: z.number(),
  failure_code: z.string().nullable(),
});
type StoredDetails = Omit<SubscriptionDetails, 'change'> & Pick<StoredFound, 'change'>;
const happening = subscriptionDetails.shape.timeline.element;

/** @param environment to search in; null means both */
export function environmentOfSubscription(
  db: Db,
  merchantId: string,
  environment: Environment | null,
  id: string,
): Promise<Environment | null> {
  return db.maybeOneFirst(sql.type(z.object({ environment: z.enum(ENVIRONMENTS) }))`
    select environment from subscriptions
    where id = ${id} and merchant_id = ${merchantId}
      and (${environment}::text is null or environment = ${environment})`);
}

export async function findSubscriptionDetails(
  db: Db,
  scope: Scope,
  id: string,
): Promise<StoredDetails | null> {
  const [found] = await searchSubscriptions(db, {
    scope,
    term: { kind: 'id', prefix: 'ap_sub', id },
    status: null,
    from: null,
    to: null,
    after: null,
    limit: 1,
  });
  if (found?.id !== id) return null;
  const { is_in_dunning, renewal, charge_at, is_charging, ends_uncharged, ends_unpaid_at, ...rest } =
    await db.one(sql.type(more)`
    select s.checkout_id, s.cancel_requested_at, s.charging_stopped_at, clock.target as clock_target,
      s.dunning is not null as is_in_dunning, s.charge_at, ${endsUncharged} as ends_uncharged,
      case when s.cancel_at_period_end and not s.collects then s.current_period_end
        when s.charging_stopped_at is null then ${retriesEnd} end as ends_unpaid_at, exists (select from payments p join invoices i on i.id = p.invoice_id
        where i.subscription_id = s.id and p.status in ${OPEN_STATUSES}) as is_charging,
      case when s.status in ('active', 'trialing', 'paused') and ${continues}
        then jsonb_build_object('terms', ${selectRenewalTerms}, 'at',
          ${isoInstant(nextPeriodAt(sql.fragment`s`))}) end as renewal
    from subscriptions s left join subscription_clocks clock on clock.subscription_id = s.id
    left join subscription_changes change on change.subscription_id = s.id and change.status = 'scheduled'
      and change.effective_at <= s.current_period_end
    where s.id = ${id}`);
  return {
    ...found,
    ...rest,
    environment: scope.environment,
    next_renewal: renewal && nextRenewalOf(renewal, found),
    dunning: is_in_dunning
      ? await dunningOf(db, id, { charge_at, is_charging, ends_uncharged, ends_unpaid_at })
      : null,
    timeline: [...(await timelineOf(db, id))],
  };
}

function nextRenewalOf(
  { at, terms }: NonNullable<z.infer<typeof more>['renewal']>,
  { clock }: Pick<StoredFound, 'clock'>,
): SubscriptionDetails['next_renewal'] {
  return { at, total: renewalTotalAt(terms, at ?? clock) };
}

type Waiting = Pick<z.infer<typeof more>, 'charge_at' | 'is_charging' | 'ends_uncharged' | 'ends_unpaid_at'>;

async function dunningOf(
  db: Db,
  id: string,
  { charge_at, is_charging, ends_uncharged, ends_unpaid_at }: Waiting,
): Promise<SubscriptionDetails['dunning']> {
  const invoice = await db.maybeOne(sql.type(unpaid)`
    select i.id, i.period_start as since,
      (select count(*) from payments p where p.invoice_id = i.id and p.status = 'failed') as declines,
      (select p.failure_code from payments p where p.invoice_id = i.id order by p.attempt_no desc limit 1)
        as failure_code
    from invoices i where i.subscription_id = ${id} and i.status in ${UNPAID}
    order by i.period_start limit 1`);
  if (!invoice) return null;
  const needsMethod = charge_at === null || (await isStranded(db, { id }, invoice));
  const next = ends_uncharged ? 'nothing' : needsMethod ? 'payment_method' : 'retry';
  const { since, declines, failure_code } = invoice;
  return {
    unpaid_since: since,
    declines,
    waits_for: is_charging ? 'charge' : next,
    retry_at: next === 'retry' && !is_charging ? charge_at : null,
    ends_at: ends_unpaid_at,
    failure_code,
  };
}

/** Returns the events that merchants received, with their ids, dated by the subscription's clock. */
function timelineOf(db: Db, id: string): Promise<readonly z.infer<typeof happening>[]> {
  return db.any(sql.type(happening)`
    with inv as materialized (select id, checkout_id from (
      select i.id, s.checkout_id from subscriptions s left join invoices i on i.subscription_id = s.id
      where s.id = ${id} order by i.id desc limit 100) latest)
    select occurred_at as at, type as what, change, id as event_id,
      content -> 'subscription' ->> 'status' as status, content -> 'payment' ->> 'id' as payment_id,
      ${worstDisputeOf(sql.fragment`content -> 'payment' ->> 'id'`)} as payment_dispute_status,
      coalesce((content -> 'refund' ->> 'amount')::int,
        (select amount from invoices where id = content -> 'invoice' ->> 'id'),
        (select amount from payments where id = content -> 'payment' ->> 'id')) as amount
    from (
      select e.id, e.type, e.change, e.occurred_at, e.created_at, e.body::jsonb as content
      from events e
      where (e.aggregate_id = ${id}
        or e.aggregate_id in (select id from inv union all select checkout_id from inv
          union all select p.id from payments p join inv on inv.id = p.invoice_id
          union all select p.id from payments p join inv on inv.checkout_id = p.checkout_id
          union all select id from checkouts where subscription_id = ${id}))
        -- Omit the generic event if the change has an event of its own.
        and not (e.type = 'subscription.updated' and exists (select from events said where said.id in (
          event_id('subscription.paused', e.aggregate_id, e.aggregate_version),
          event_id('subscription.resumed', e.aggregate_id, e.aggregate_version))))
      order by e.created_at desc, e.id desc limit 100
    ) latest
    order by created_at, id`);
}
