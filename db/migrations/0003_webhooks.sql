-- Up Migration
-- Delivery of events: endpoints' settings, the log of attempts, and storage for tables that change fast.

alter table webhook_endpoints
  -- Raised by each change of status; ids of alerts about the endpoint derive from it (rule 21).
  add column version integer not null default 1,
  -- Adds the headers of the Standard Webhooks specification to ours.
  add column standard_headers boolean not null default false,
  -- Sealed. Signs too until previous_secret_until: the overlap of a rotation.
  add column previous_secret bytea,
  add column previous_secret_until timestamptz,
  -- What was held up to this instant was missed while the endpoint was disabled: it waits until a person
  -- recovers it. What is held later waits for the end of a pause only.
  add column held_through timestamptz;

-- When the row was written, by service_clock(): occurred_at may be a sandbox clock's.
alter table events add column created_at timestamptz not null default service_clock();
-- The log lists by it, and pruning goes by it.
drop index events_merchant_id_environment_occurred_at_idx;
create index on events (merchant_id, created_at desc, id desc);
create index events_by_age on events using brin (created_at);

alter table deliveries
  -- Attempts since the last time that a person asked for one: the place on the retry schedule.
  add column round_attempts integer not null default 0;

-- A delivery is updated twice in its life, soon after its insert: room on the page keeps both updates there,
-- and frequent vacuums keep dead entries out of the way of claims.
alter table deliveries set (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
alter table webhook_endpoints set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The sweep asks endpoint by endpoint, by deliveries_due.
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
  -- HTTP status, null when there was no answer.
  status integer,
  -- In words; null when it was delivered.
  error text,
  -- The first 2 KiB of the answer's body.
  response text,
  -- Null when there is no next one.
  next_attempt_at timestamptz,
  primary key (event_id, endpoint_id, attempt)
);
create index on delivery_attempts (endpoint_id, at desc, event_id desc, attempt desc);
