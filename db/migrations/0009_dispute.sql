-- Up Migration

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
  -- Null if evidence can no longer be submitted.
  evidence_due_by timestamptz,
  opened_at timestamptz not null,
  -- When the rail was last queried: it is queried daily about an open dispute, because webhooks can be lost.
  asked_at timestamptz not null default service_clock(),
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  -- Raised by each change of the status, for the ids of events: a dispute may be opened and lost again.
  version integer not null default 1,
  -- True if the status was set by an operator, not by the rail.
  closed_by_operator boolean not null default false,
  -- The merchant's settings when it was lost: whether its amount is credited, and its subscription stops renewing.
  credits boolean not null default false,
  ends_renewal boolean not null default false,
  unique (rail_account_id, rail_dispute_id)
);
create index disputes_merchant_id_environment_id_idx on disputes (merchant_id, environment, id desc);
create index disputes_asked_at_idx on disputes (asked_at) where status = 'open';
create index disputes_by_payment on disputes (payment_id);
-- Without this index, each round of the sweep would read all disputes to find those due for a look-up.
create index disputes_to_ask on disputes (asked_at) where status = 'open' or closed_by_operator;
create index disputes_by_date on disputes (merchant_id, environment, status, unix_ms(opened_at) desc, id desc);

-- A dispute that was lost, won and lost again has several credit notes; all but the last are reversed.
alter table credit_notes add foreign key (dispute_id) references disputes;
create index credit_notes_by_dispute on credit_notes (dispute_id) where dispute_id is not null;
