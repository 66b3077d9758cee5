-- Up Migration
-- Life cycle of subscriptions: renewals and dunning, scheduled changes, changes of payment method, sandbox
-- clocks, and invoice links.

alter table subscriptions
  -- When the oldest unpaid invoice is charged next; null when none is unpaid or it waits for a new method.
  add column charge_at timestamptz,
  -- { started_at, retries[] }: the ladder as configured when the oldest unpaid invoice first failed.
  add column dunning jsonb,
  -- Cancellation requested while a charge was open, which is settled first (rule 25).
  add column cancel_requested_at timestamptz,
  -- Since when the open charge is in doubt. Real time, never virtual.
  add column reconciling_since timestamptz;
create index subscriptions_due on subscriptions (next_action_at) where status in ('trialing', 'active', 'past_due');
create index subscriptions_unstarted on subscriptions (id)
  where workflow_started_at is null and status in ('trialing', 'active', 'past_due');

-- The clock of a sandbox subscription that its merchant has moved: its offset from service_clock(), and its
-- target (rule 20). A subscription without a row follows service_clock().
create table subscription_clocks (
  subscription_id text primary key references subscriptions,
  ahead_ms bigint not null default 0 check (ahead_ms >= 0),
  target timestamptz,
  created_at timestamptz not null default service_clock()
);

create function subscription_clock(of_subscription text) returns timestamptz language sql volatile parallel safe as
  $$ select service_clock() + make_interval(secs => coalesce(
       (select ahead_ms from subscription_clocks where subscription_id = of_subscription), 0)::float8 / 1000) $$;

create table subscription_changes (
  id text primary key default new_id('ap_chg_'),
  subscription_id text not null references subscriptions,
  type text not null check (type in ('plan_change', 'offering_change')),
  status text not null default 'scheduled' check (status in ('scheduled', 'applied', 'cancelled')),
  target_plan_id text not null references products,
  target_offering_id text references offerings,
  -- The price when the change was agreed.
  target_price_id text not null references prices,
  amount integer not null,
  effective_at timestamptz not null,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create unique index subscription_changes_one_scheduled on subscription_changes (subscription_id)
  where status = 'scheduled';
create index on subscription_changes (subscription_id, id desc);

-- The answer to an operation, written with its effect: update ids do not survive a new run of the workflow
-- (rule 13).
create table subscription_operations (
  subscription_id text not null references subscriptions,
  operation_key text not null,
  answer jsonb not null,
  created_at timestamptz not null default service_clock(),
  primary key (subscription_id, operation_key)
);

-- A change of payment method is a hosted session of 0 cents with strong authentication. Its result is a new
-- mandate for a subscription instead of a purchase. Its ids begin with ap_pmc_.
alter table checkouts
  add column purpose text not null default 'purchase' check (purpose in ('purchase', 'method_change')),
  add column subscription_id text references subscriptions,
  add check ((purpose = 'method_change') = (subscription_id is not null));
create index on checkouts (subscription_id, id desc) where subscription_id is not null;

-- The token of an invoice's link: 244 random bits, for existing invoices too.
alter table invoices add column pdf_token text not null unique default new_bearer_token('');
create index invoices_unpaid on invoices (subscription_id, period_start)
  where subscription_id is not null and status in ('open', 'payment_failed');
