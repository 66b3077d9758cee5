-- Up Migration
create table disputes (
  id text primary key default new_id('dp_'),
  account_id text not null references accounts,
  charge_reference text not null,
  amount integer not null check (amount > 0),
  currency text not null,
  reason text not null,
  status text not null default 'open' check (status in ('open', 'won', 'lost')),
  evidence_due_by timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (account_id, charge_reference) references charges
);
create index on disputes (account_id, charge_reference);
