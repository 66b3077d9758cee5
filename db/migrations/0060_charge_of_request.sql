-- Up Migration
-- The open charge that a request to settle was made about: the session or subscription may have another one later.
alter table operator_requests add column payment_id text;
alter table resolve_requests add column payment_id text;
