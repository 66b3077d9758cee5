-- Up Migration
-- Null: the card of a wallet, which the wallet renews.
alter table tokens add column expires_at timestamptz;
alter table mandates add column expires_at timestamptz;
