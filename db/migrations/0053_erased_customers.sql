-- Up Migration
-- A customer whose personal data was erased, and events whose bodies have lost it: they are not compared with what a
-- repeated step would record.
alter table customers add column erased_at timestamptz;
alter table events add column erased_at timestamptz;
