-- Up Migration
-- Subscriptions: periods, dunning, scheduled changes, operations and sandbox clocks.

-- Moves of a price's subscribers to the price that replaced it. Prices of one product, interval and currency.
create table price_moves (
  id text primary key default new_id('ap_pm_'),
  merchant_id text not null references merchants,
  environment text not null check (environment in ('sandbox', 'production')),
  product_id text not null references products,
  old_price_id text not null references prices,
  new_price_id text not null references prices,
  -- The new price applies from the first renewal that is neither before this instant nor within the notice period.
  from_at timestamptz not null,
  notice_days integer not null check (notice_days >= 0),
  created_at timestamptz not null default service_clock(),
  cancelled_at timestamptz
);
create unique index price_moves_one_open on price_moves (old_price_id, environment) where cancelled_at is null;
create index price_moves_merchant_id_id_idx on price_moves (merchant_id, id desc);

create table subscriptions (
  id text primary key default new_id('ap_sub_'),
  merchant_id text not null references merchants,
  environment text not null,
  checkout_id text unique references checkouts,
  customer_id text not null references customers,
  product_id text not null references products,
  price_id text not null references prices,
  offering_id text references offerings,
  rail_account_id text not null references rail_accounts,
  status text not null check (status in
    ('incomplete', 'trialing', 'active', 'past_due', 'cancelled', 'expired', 'paused')),
  version integer not null default 1,
  -- The price of a period: unit price times quantity.
  amount integer not null,
  quantity integer not null default 1 check (quantity >= 1),
  currency text not null,
  -- First day of billing: periods are counted from here, so that 31 January leads to 28 February and 31
  -- March.
  billing_anchor timestamptz,
  current_period_start timestamptz,
  current_period_end timestamptz,
  trial_start timestamptz,
  trial_end timestamptz,
  -- Keyed hash of the card that began the trial, if the product gives each customer only one trial.
  trial_card bytea,
  cancel_at_period_end boolean not null default false,
  -- Cancelled under `collect_after_cancellation`: it ends once its unpaid invoices are paid or their retries are over.
  collects boolean not null default false,
  pause_at_period_end boolean not null default false,
  -- When its pause ends: the next period begins then.
  resumes_at timestamptz,
  -- How many more periods are charged after the current one (during a trial: all periods); null: no limit.
  billing_cycles_left integer check (billing_cycles_left >= 0),
  -- The coupon of the current period, or of the first one after a trial; null once it is used up.
  coupon_id text references coupons,
  -- Charged periods to which the coupon was applied, including the current one; 0 in a trial.
  coupon_used_periods integer not null default 0 check (coupon_used_periods >= 0),
  -- The latest price move that was announced to it, and the instant from which its periods may be charged at the new
  -- price; the instant is null once the move has applied.
  price_move_id text references price_moves,
  price_moves_from timestamptz,
  ends_with_period boolean not null
    generated always as (cancel_at_period_end or coalesce(billing_cycles_left = 0, false)) stored,
  cancelled_at timestamptz,
  -- { type, brand, last4 } and the encrypted reference of the mandate at the rail.
  payment_method jsonb,
  credential_secret_ref bytea,
  -- The latest method change. Ids do not show the order, because the clock may be set back. Abandoned ones are
  -- deleted.
  newest_method_change_id text,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  workflow_started_at timestamptz,
  next_action_at timestamptz,
  -- When the oldest unpaid invoice is charged next; null if none is unpaid or it waits for a new method.
  charge_at timestamptz,
  -- When the end of the trial or the next renewal is announced; null if no endpoint asks for it, or once it has been.
  announce_at timestamptz,
  -- { started_at, retries[] }: the retry schedule as configured when the oldest unpaid invoice first failed.
  dunning jsonb,
  -- { start, end, paid, tax_rate }: the amount that an import read as paid for the current period; null if it could
  -- not read it.
  imported_period jsonb,
  -- Cancellation requested while a charge was open, which is settled first (rule 25).
  cancel_requested_at timestamptz,
  -- Start of the open charge's doubt, in real time even on a sandbox clock.
  reconciling_since timestamptz,
  -- Nothing is charged from then on, whatever an open charge's outcome would schedule: a dispute was lost, and it ends
  -- with its period; or, without `cancel_at_period_end`, a lost request about a pause holds it (rule 29).
  charging_stopped_at timestamptz,
  -- A plan shorter than its dunning schedule is not invoiced again while an older invoice is unpaid.
  next_period_waits boolean not null default false,
  -- The issuer declined the stored method for good, and has approved no charge since.
  method_declined boolean not null default false
);
alter table subscriptions set (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02
);
alter table checkouts add foreign key (subscription_id) references subscriptions;
create index subscriptions_merchant_id_environment_id_idx on subscriptions (merchant_id, environment, id desc);
-- The soonest periods without an announcement (db/webhook/announce-running.ts).
create index subscriptions_unannounced on subscriptions (merchant_id, environment, status, current_period_end)
  where announce_at is null;
create index subscriptions_due on subscriptions (next_action_at) where status in ('trialing', 'active', 'past_due', 'paused');
create index subscriptions_unstarted on subscriptions (id)
  where workflow_started_at is null and status in ('trialing', 'active', 'past_due', 'paused');
create index subscriptions_unix_ms_idx on subscriptions (unix_ms(current_period_end));
create index subscriptions_resuming on subscriptions (unix_ms(resumes_at)) where resumes_at is not null;
-- For metrics that count without scanning whole tables (db/operations/business-figures.ts). Each row of the next two
-- indexes is an exception: a charge in doubt, or an unpaid subscription.
create index subscriptions_reconciling on subscriptions (reconciling_since) where reconciling_since is not null;
create index subscriptions_past_due on subscriptions (id) where status = 'past_due';
create index subscriptions_by_customer on subscriptions (customer_id, id desc);
create index subscriptions_by_trial_card on subscriptions (merchant_id, trial_card) where trial_card is not null;
create index subscriptions_by_price on subscriptions (price_id, environment, price_move_id)
  where status in ('trialing', 'active', 'past_due', 'paused');
create index subscriptions_by_price_move on subscriptions (price_move_id)
  where price_moves_from is not null and status in ('trialing', 'active', 'past_due', 'paused');
create index subscriptions_by_status on subscriptions (merchant_id, environment, status, id desc);

-- The clock of a sandbox subscription that its merchant has moved: its offset from service_clock(), and its
-- target (rule 20). A subscription without a row follows service_clock().
create table subscription_clocks (
  subscription_id text primary key references subscriptions,
  ahead_ms bigint not null default 0 check (ahead_ms >= 0),
  target timestamptz,
  created_at timestamptz not null default service_clock(),
  -- When a sandbox subscription's clock last got a target or jumped; a clock with a target that does not progress is
  -- late.
  moved_at timestamptz not null default service_clock()
);
create index subscription_clocks_moving on subscription_clocks (moved_at) where target is not null;

create function subscription_clock(of_subscription text) returns timestamptz language sql volatile parallel safe as
  $$ select service_clock() + make_interval(secs => coalesce(
       (select ahead_ms from subscription_clocks where subscription_id = of_subscription), 0)::float8 / 1000) $$;

create table subscription_changes (
  id text primary key default new_id('ap_chg_'),
  subscription_id text not null references subscriptions,
  type text not null check (type in ('plan_change', 'offering_change', 'quantity_change')),
  status text not null default 'scheduled' check (status in
    ('scheduled', 'pending', 'requires_action', 'applied', 'cancelled', 'failed')),
  target_plan_id text not null references products,
  target_offering_id text references offerings,
  -- The price when the change was agreed.
  target_price_id text not null references prices,
  -- The price of a period: unit price times quantity.
  amount integer not null,
  quantity integer not null default 1 check (quantity >= 1),
  effective_at timestamptz not null,
  -- For an immediate change, which is applied once this invoice is paid, and otherwise fails. The invoice stays a draft
  -- until it is paid, even while the change waits for its buyer (`requires_action`).
  invoice_id text,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create unique index subscription_changes_one_open on subscription_changes (subscription_id)
  where status in ('scheduled', 'pending', 'requires_action');
create index subscription_changes_subscription_id_id_idx on subscription_changes (subscription_id, id desc);

-- The answer to an operation, written with its effect: update ids do not survive a new run of the workflow
-- (rule 13).
create table subscription_operations (
  subscription_id text not null references subscriptions,
  operation_key text not null,
  answer jsonb not null,
  created_at timestamptz not null default service_clock(),
  primary key (subscription_id, operation_key)
);
