-- Up Migration
-- The trace in which an event was recorded, where traces are on: its deliveries belong to it.
alter table events add column trace jsonb;
