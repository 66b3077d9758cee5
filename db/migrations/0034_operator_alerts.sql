-- Up Migration
-- Alerts as operators see them: some incidents leave no state by which they could be listed.
create table operator_alerts (
  event_id text primary key,
  code text not null,
  reference text not null,
  merchant_id text not null references merchants,
  environment text not null,
  at timestamptz not null default service_clock(),
  -- A person has dealt with it; the audit log says who, and how.
  closed_at timestamptz
);
create index operator_alerts_open on operator_alerts (code, at) where closed_at is null;
create index on operator_alerts (reference);

insert into operator_alerts (event_id, code, reference, merchant_id, environment, at)
select id, body::jsonb #>> '{alert,code}', body::jsonb #>> '{alert,reference}', merchant_id, environment, occurred_at
from events where type = 'billing.operational_alert' and body::jsonb #>> '{alert,code}' is not null;
