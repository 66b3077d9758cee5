-- Up Migration
-- Alerts and messages to operators, and operators' decisions.

-- Alerts as operators see them; some incidents have no other state from which to list them.
create table operator_alerts (
  event_id text primary key,
  code text not null,
  reference text not null,
  merchant_id text not null references merchants,
  environment text not null,
  at timestamptz not null default service_clock(),
  -- When a person handled it; null until then. The audit log records who and how.
  closed_at timestamptz
);
create index operator_alerts_open on operator_alerts (code, at) where closed_at is null;
create index operator_alerts_reference_idx on operator_alerts (reference);

-- Operators' commands about large amounts wait for a second person.
create table operator_requests (
  id text primary key default new_id('ap_opr_'),
  subject_id text not null,
  merchant_id text not null references merchants,
  environment text,
  amount integer not null,
  currency text,
  -- The command as requested.
  command jsonb not null,
  asked_by text not null,
  asked_at timestamptz not null default service_clock(),
  confirmed_by text,
  confirmed_at timestamptz,
  -- A confirmed command stays open until its execution, because its process may die before it begins.
  carried_out_at timestamptz,
  -- Withdrawing also sets `carried_out_at`, so no worker, old or new, executes the request.
  withdrawn_by text,
  -- When the account or keys of a confirmed request were set, which is allowed once.
  used_at timestamptz,
  -- The charge that was open when its settlement was requested; the session or subscription may have another one
  -- later.
  payment_id text,
  check ((confirmed_by is null) = (confirmed_at is null)),
  check (confirmed_by <> asked_by)
);
create index operator_requests_open on operator_requests (subject_id) where carried_out_at is null;

-- Messages to operators about groups of incidents that probably have one cause: a kind in one environment, at merchants
-- where it began within minutes. One row from the first incident to the end of the last; a recurrence gets another row.
create table incident_notices (
  id text primary key default new_id('ap_ntc_'),
  kind text not null,
  environment text,
  -- Merchants with open incidents of the group; a subject is in at most one open group of a kind. Without a merchant,
  -- the incident's id.
  subjects text[] not null,
  opened_at timestamptz not null default service_clock(),
  -- The oldest incident and the worst, as found, and the sums.
  content jsonb not null,
  -- Those open at `counted_at`, when the due or the last message about them became due.
  ids text[] not null,
  counted_at timestamptz not null default service_clock(),
  -- When the receiver accepted the last message about them.
  notified_at timestamptz,
  cleared_at timestamptz,
  cleared_sent_at timestamptz,
  -- The lease of the due message.
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default service_clock(),
  last_error text
);
create index incident_notices_open on incident_notices (opened_at, id) where cleared_at is null;
create index incident_notices_due on incident_notices (next_attempt_at)
  where notified_at is null or (cleared_at is null and notified_at < counted_at)
    or (cleared_at is not null and cleared_sent_at is null);

-- Requests to workflows that must survive a full update queue (rule 14).
create table resolve_requests (
  id text primary key,
  subject_id text not null,
  outcome text not null check (outcome in ('succeeded', 'failed')),
  operator text not null,
  reason text not null,
  evidence text not null,
  created_at timestamptz not null default service_clock(),
  answered_at timestamptz,
  answer text,
  -- The confirmer, if the amount requires a second person.
  confirmed_by text,
  payment_id text
);
create index resolve_requests_subject_id_idx on resolve_requests (subject_id) where answered_at is null;

-- Outcomes that a workflow could not record and keeps trying to record.
create table unrecorded_outcomes (
  workflow_id text not null,
  -- The call's payment, otherwise its refund, subscription or session.
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
