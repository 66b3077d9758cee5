-- Up Migration
-- The processor's customer that the attempt was begun for: where to look when the attempt's own id was lost.
alter table payments add column rail_customer_id text;
