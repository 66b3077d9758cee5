-- Up Migration
-- Null for a wallet's card, which the wallet renews.
alter table tokens add column expires_at timestamptz;
alter table mandates add column expires_at timestamptz;
