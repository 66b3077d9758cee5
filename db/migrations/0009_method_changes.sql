-- Up Migration
-- The operation that asked for a change of the payment method: asked again, it finds what it has made.
alter table checkouts add column operation_id text unique;
