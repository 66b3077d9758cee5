-- Up Migration
-- Disputes (chargebacks), as the rail reports them. The payment's status does not change.
create table disputes (
  id text primary key default new_id('ap_dis_'),
  merchant_id text not null references merchants,
  environment text not null,
  payment_id text not null references payments,
  -- The subscription that the payment was made for.
  subscription_id text references subscriptions,
  rail_account_id text not null references rail_accounts,
  -- The processor's id.
  rail_dispute_id text not null,
  status text not null check (status in ('open', 'won', 'lost')),
  amount integer not null,
  currency text not null,
  reason text not null,
  -- Null when no evidence can be submitted (any more).
  evidence_due_by timestamptz,
  opened_at timestamptz not null,
  -- When the rail was last asked: an open one is asked about daily, because webhooks can be lost.
  asked_at timestamptz not null default service_clock(),
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  unique (rail_account_id, rail_dispute_id)
);
create index on disputes (merchant_id, environment, id desc);
create index on disputes (asked_at) where status = 'open';

-- Some rails name a disputed payment by their own id only.
create index on payments (rail_account_id, rail_order_id);

alter table merchants
  -- The merchant's decision; by default a subscription with a lost dispute ends with its period.
  add column renew_after_lost_dispute boolean not null default false;
