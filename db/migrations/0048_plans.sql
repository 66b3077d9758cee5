-- Up Migration
-- Indexes for what is asked each minute or on an operator's page, and storage options of tables that change fast.
-- docs/performance.md has the measurements.

-- Keys that are kept for ever are never looked for by age.
create index idempotency_keys_by_age on idempotency_keys (created_at) where not keep_for_ever;
create index checkouts_in_doubt on checkouts (expires_at) where state = 'reconciliation_required';
-- The event log by type, and the log of attempts that failed.
create index events_by_type on events (merchant_id, type, created_at desc, id desc);
create index delivery_attempts_failed on delivery_attempts (endpoint_id, at desc, event_id desc, attempt desc)
  where error is not null;

-- Covered by checkouts_by_customer and subscriptions_by_customer.
drop index checkouts_customer_id_idx;
drop index subscriptions_customer_id_idx;

-- Rows that are updated within seconds of their insert. Free space keeps the new version on its page, and an update of
-- columns that no index names leaves the indexes alone (HOT): that of a call's mark, for example. Each update of a
-- session changes a column of an index. By default, autovacuum waits for a fifth of a table to change: of ten million
-- rows, two million dead ones.
alter table payments set (fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table checkouts set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table subscriptions set (fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02);
alter table orders set (fillfactor = 90,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02);
alter table rail_news set (fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02);
alter table idempotency_keys set (fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);
alter table customers set (fillfactor = 90,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);
