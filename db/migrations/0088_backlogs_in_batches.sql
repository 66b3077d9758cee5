-- Up Migration
-- When the endpoint was disabled, while deliveries may be left that were pending then: they are held in batches, and
-- none is claimed before. Null: none is left.
alter table webhook_endpoints add column hold_before timestamptz;
