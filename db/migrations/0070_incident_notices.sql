-- Up Migration
-- What operators are sent about each incident: a row from its opening to its end. An incident that comes back has
-- another row.
create table incident_notices (
  id text primary key default new_id('ap_ntc_'),
  kind text not null,
  subject_id text not null,
  -- As it was found.
  incident jsonb not null,
  opened_at timestamptz not null default service_clock(),
  cleared_at timestamptz,
  -- When the receiver accepted each of the two.
  opened_sent_at timestamptz,
  cleared_sent_at timestamptz,
  -- Of the one that is due.
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default service_clock(),
  last_error text
);

create unique index incident_notices_open on incident_notices (kind, subject_id) where cleared_at is null;
create index incident_notices_due on incident_notices (next_attempt_at)
  where opened_sent_at is null or (cleared_at is not null and cleared_sent_at is null);
