-- Up Migration
-- Subscriptions' lives: renewals and dunning, scheduled changes, changes of the payment method, sandbox clocks,
-- and the links of invoices.

alter table subscriptions
  -- When the oldest unpaid invoice is charged (again); null when none is, or when it waits for a new method.
  add column charge_at timestamptz,
  -- { started_at, retries[] }: the ladder as it was when the first charge of the oldest unpaid invoice failed.
  add column dunning jsonb,
  -- Asked to end at once while a charge was open: it is settled first (rule 25).
  add column cancel_requested_at timestamptz,
  -- Since when the look-ups of the open charge have outlasted their patience. The rail's time, never virtual.
  add column reconciling_since timestamptz;
create index subscriptions_due on subscriptions (next_action_at) where status in ('trialing', 'active', 'past_due');
create index subscriptions_unstarted on subscriptions (id)
  where workflow_started_at is null and status in ('trialing', 'active', 'past_due');

-- The clock of a sandbox subscription that its merchant has moved: how far it is ahead of service_clock(), and
-- where it is going (rule 20). A subscription without a row lives by service_clock().
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
  -- The price as it stood when the change was agreed.
  target_price_id text not null references prices,
  amount integer not null,
  effective_at timestamptz not null,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create unique index subscription_changes_one_scheduled on subscription_changes (subscription_id)
  where status = 'scheduled';
create index on subscription_changes (subscription_id, id desc);

-- What was answered to an operation, written with its effect: update ids do not survive a new run of the
-- workflow (rule 13).
create table subscription_operations (
  subscription_id text not null references subscriptions,
  operation_key text not null,
  answer jsonb not null,
  created_at timestamptz not null default service_clock(),
  primary key (subscription_id, operation_key)
);

-- A change of the payment method is a hosted session too: 0 cents, with strong authentication, and what it
-- leads to is a new mandate for a subscription instead of a purchase. Its ids begin with ap_pmc_.
alter table checkouts
  add column purpose text not null default 'purchase' check (purpose in ('purchase', 'method_change')),
  add column subscription_id text references subscriptions,
  add check ((purpose = 'method_change') = (subscription_id is not null));
create index on checkouts (subscription_id, id desc) where subscription_id is not null;

-- The link of an invoice: 244 random bits, for the invoices that exist too.
alter table invoices add column pdf_token text not null unique default new_bearer_token('');
create index invoices_unpaid on invoices (subscription_id, period_start)
  where subscription_id is not null and status in ('open', 'payment_failed');
