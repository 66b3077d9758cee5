-- Up Migration
-- Operators' commands about large amounts wait for a second person.
create table operator_requests (
  id text primary key default new_id('ap_opr_'),
  subject_id text not null,
  merchant_id text not null references merchants,
  environment text,
  amount integer not null,
  currency text,
  -- The command as it was asked for.
  command jsonb not null,
  asked_by text not null,
  asked_at timestamptz not null default service_clock(),
  confirmed_by text,
  confirmed_at timestamptz,
  check ((confirmed_by is null) = (confirmed_at is null)),
  check (confirmed_by <> asked_by)
);
create index operator_requests_waiting on operator_requests (subject_id) where confirmed_at is null;
