-- Up Migration
-- The processor's own id of an account, where a probe has found it: it owns one row. Mandates and open payments are
-- bound to the row.
alter table rail_accounts add column identity text;
create unique index rail_accounts_one_per_identity on rail_accounts (merchant_id, environment, rail, identity);
