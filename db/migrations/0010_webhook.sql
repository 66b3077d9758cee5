-- Up Migration
-- Events and their deliveries.

create table events (
  -- evt_ + hash of (type, aggregate id, aggregate version).
  id text primary key,
  merchant_id text not null references merchants,
  environment text not null,
  type text not null,
  aggregate_id text not null,
  aggregate_version integer not null,
  occurred_at timestamptz not null default service_clock(),
  -- The exact bytes that every delivery sends.
  body text not null,
  -- What changed, where the type does not say it: for the dashboard's history, never sent.
  change text,
  -- When the row was written, by service_clock(); occurred_at may follow a sandbox clock.
  created_at timestamptz not null default service_clock(),
  -- The trace that was active when the event was recorded, if tracing was on; its deliveries join it.
  trace jsonb,
  erased_at timestamptz
);
create index events_aggregate_id_idx on events (aggregate_id);
create index events_merchant_id_created_at_id_idx on events (merchant_id, created_at desc, id desc);
create index events_by_age on events using brin (created_at);
-- The event log, filtered by type.
create index events_by_type on events (merchant_id, type, created_at desc, id desc);

-- `content` is the rest of the body, a JSON object.
create function event_body(id text, type text, at timestamptz, content text) returns text language sql stable as $$
  select '{"id":"' || id || '","type":"' || type || '","occurred_at":"'
    || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '",' || substr(content, 2)
$$;

create table webhook_endpoints (
  id text primary key default new_id('ap_whe_'),
  merchant_id text not null references merchants,
  environment text not null,
  url text not null,
  -- Null means every type.
  event_types text[],
  -- Encrypted.
  secret bytea not null,
  -- The latest operations with an idempotency key that rotated the secret: a retry gets the current secret.
  rotated_by text[] not null default '{}',
  status text not null default 'enabled' check (status in ('enabled', 'paused', 'disabled', 'deleted')),
  disabled_reason text,
  -- When the endpoint's workflow checks next: minus infinity while it drains, an instant, or infinity (rule 22).
  wakes_at timestamptz not null default 'infinity',
  -- Start of the period in which all attempts have failed; null after a success.
  failing_since timestamptz,
  last_failing_alert_at timestamptz,
  last_exhausted_alert_at timestamptz,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  -- Raised by each change of status; ids of alerts about the endpoint derive from it (rule 21).
  version integer not null default 1,
  -- Also sends the headers of the Standard Webhooks specification.
  standard_headers boolean not null default false,
  -- Encrypted. Also signs until previous_secret_until, during a rotation's overlap.
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- Deliveries held up to this instant were missed while the endpoint was disabled: they wait until a person
  -- recovers them. Later ones wait only for the end of a pause.
  held_through timestamptz,
  -- True while running periods may lack an announcement that the endpoint has begun to list.
  announces_running boolean not null default false,
  -- When a writer last signalled the endpoint's workflow; cleared when the workflow plans its sleep.
  woken_at timestamptz,
  -- The unfinished recovery of an endpoint: the range of its missed events. Null if there is none.
  recover_since timestamptz,
  recover_until timestamptz,
  -- When the endpoint was disabled. Deliveries that were pending then are held in batches, and none is leased until
  -- all are held; null once none can be left.
  hold_before timestamptz,
  constraint webhook_endpoints_recovery check ((recover_since is null) = (recover_until is null))
);
alter table webhook_endpoints set (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500
);
create index webhook_endpoints_merchant_id_environment_idx on webhook_endpoints (merchant_id, environment);
-- Few rows: endpoints whose recovery the sweep checks.
create index webhook_endpoints_recovering on webhook_endpoints (recover_until) where recover_until is not null;

create table deliveries (
  endpoint_id text not null references webhook_endpoints,
  event_id text not null references events,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'exhausted', 'held')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default service_clock(),
  lease_token text,
  leased_until timestamptz,
  last_attempt_at timestamptz,
  -- HTTP status of the last attempt; null, with an error text, if there was no response.
  last_status integer,
  last_error text,
  succeeded_at timestamptz,
  created_at timestamptz not null default service_clock(),
  -- Attempts since the last manual redelivery: the position on the retry schedule.
  round_attempts integer not null default 0,
  primary key (endpoint_id, event_id)
);
-- A delivery is updated twice, soon after its insert: free space on the page keeps both updates there (HOT),
-- and frequent vacuums keep dead index entries away from leases.
alter table deliveries set (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02
);
create index deliveries_due on deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index deliveries_event_id_idx on deliveries (event_id);
create index deliveries_exhausted on deliveries (endpoint_id, created_at, event_id) where status = 'exhausted';
create index deliveries_held on deliveries (endpoint_id, created_at, event_id) where status = 'held';

-- One row per attempt. No foreign key: rows are written in the statement that updates their delivery, and
-- pruned with it.
create table delivery_attempts (
  endpoint_id text not null,
  event_id text not null,
  attempt integer not null,
  -- When the attempt ended.
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
  -- The headers of each attempt as sent, signature included. They reveal no secret, and are deleted with their row.
  request_headers jsonb not null default '{}',
  primary key (event_id, endpoint_id, attempt)
);
create index delivery_attempts_endpoint_id_at_event_id_attempt_idx on delivery_attempts (endpoint_id, at desc, event_id desc, attempt desc);
create index delivery_attempts_failed on delivery_attempts (endpoint_id, at desc, event_id desc, attempt desc)
  where error is not null;

-- How many days before the end of a period an event announces it; null if no endpoint lists the event.
create function announcement_days(merchant text, env text, event_type text) returns integer language sql stable as $$
  select case event_type when 'subscription.trial_ending' then trial_ending_days else renewal_upcoming_days end
  from merchants
  where id = merchant and exists (select from webhook_endpoints
    where merchant_id = merchant and environment = env and status <> 'deleted' and event_type = any (event_types))
$$;
