-- Up Migration
-- One merchant's audit log, newest first.
create index audit_log_by_merchant on audit_log (merchant_id, id desc);
