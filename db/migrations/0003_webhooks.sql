-- Up Migration
-- Event delivery: endpoint settings, the log of attempts, and storage options of fast-changing tables.

alter table webhook_endpoints
  -- Raised by each change of status; ids of alerts about the endpoint derive from it (rule 21).
  add column version integer not null default 1,
  -- Also sends the headers of the Standard Webhooks specification.
  add column standard_headers boolean not null default false,
  -- Sealed. Also signs until previous_secret_until, during a rotation's overlap.
  add column previous_secret bytea,
  add column previous_secret_until timestamptz,
  -- Deliveries held up to this instant were missed while the endpoint was disabled: they wait until a person
  -- recovers them. Later ones wait only for the end of a pause.
  add column held_through timestamptz;

-- When the row was written, by service_clock(): occurred_at may follow a sandbox clock.
alter table events add column created_at timestamptz not null default service_clock();
-- The log and pruning sort by it.
drop index events_merchant_id_environment_occurred_at_idx;
create index on events (merchant_id, created_at desc, id desc);
create index events_by_age on events using brin (created_at);

alter table deliveries
  -- Attempts since the last manual redelivery: the position on the retry schedule.
  add column round_attempts integer not null default 0;

-- A delivery is updated twice, soon after its insert: free space on the page keeps both updates there (HOT),
-- and frequent vacuums keep dead index entries away from claims.
alter table deliveries set (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
alter table webhook_endpoints set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The sweep queries endpoint by endpoint, by deliveries_due.
drop index deliveries_overdue;
create index deliveries_exhausted on deliveries (endpoint_id, created_at, event_id) where status = 'exhausted';
create index deliveries_held on deliveries (endpoint_id, created_at, event_id) where status = 'held';

-- One row per attempt. No foreign key: rows are written in the statement that updates their delivery, and
-- pruned with it.
create table delivery_attempts (
  endpoint_id text not null,
  event_id text not null,
  attempt integer not null,
  -- When it ended.
  at timestamptz not null,
  duration_ms integer not null,
  -- HTTP status; null without a response.
  status integer,
  -- Error text; null when delivered.
  error text,
  -- The first 2 KiB of the response body.
  response text,
  -- Null after the last attempt.
  next_attempt_at timestamptz,
  primary key (event_id, endpoint_id, attempt)
);
create index on delivery_attempts (endpoint_id, at desc, event_id desc, attempt desc);
