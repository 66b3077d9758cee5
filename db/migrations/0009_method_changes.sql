-- Up Migration
-- The operation that requested a change of payment method: a repeated request finds the existing one.
alter table checkouts add column operation_id text unique;
