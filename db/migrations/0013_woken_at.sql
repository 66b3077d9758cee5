-- Up Migration
-- When a writer last signalled the endpoint's workflow; cleared when the workflow plans its sleep.
alter table webhook_endpoints add column woken_at timestamptz;
