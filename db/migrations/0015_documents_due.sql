-- Up Migration
-- Events and invoices that could not be written with their change. The sweep writes them.
create table documents_due (
  id bigint generated always as identity primary key,
  -- The event's id, or the payment of the invoice: each is set aside once.
  key text not null unique,
  kind text not null check (kind in ('event', 'invoice')),
  merchant_id text not null references merchants,
  environment text not null,
  reference text not null,
  -- Frozen. Not jsonb, which would reorder the keys of an event's body.
  draft json not null,
  error text not null,
  found_at timestamptz not null default service_clock(),
  tried_at timestamptz not null default service_clock()
);
create index on documents_due (tried_at);
