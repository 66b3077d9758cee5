-- Up Migration
-- The attempt's customer at the processor: where to search when the attempt's own id is lost.
alter table payments add column rail_customer_id text;
