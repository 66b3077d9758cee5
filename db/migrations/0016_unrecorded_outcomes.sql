-- Up Migration
-- Outcomes that their workflow could not record, while it keeps trying.
create table unrecorded_outcomes (
  workflow_id text not null,
  -- The payment, else the refund, subscription or session that the call is about.
  reference text not null,
  merchant_id text not null references merchants,
  environment text not null,
  amount integer,
  activity text not null,
  -- PostgreSQL's SQLSTATE, or the name of the error.
  error text not null,
  found_at timestamptz not null default service_clock(),
  tried_at timestamptz not null default service_clock(),
  alerted_at timestamptz,
  primary key (workflow_id, reference)
);
