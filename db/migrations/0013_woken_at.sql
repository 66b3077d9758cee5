-- Up Migration
-- When a writer last signalled the endpoint's workflow; null once it has planned its sleep since.
alter table webhook_endpoints add column woken_at timestamptz;
