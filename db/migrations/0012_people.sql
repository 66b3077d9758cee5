-- Up Migration
-- The audit log of one merchant, newest first, as its people read it.
create index audit_log_by_merchant on audit_log (merchant_id, id desc);
