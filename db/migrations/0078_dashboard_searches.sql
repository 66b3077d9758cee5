-- Up Migration
-- An amount with a status and an instant: a search reads from its place in one direction.
drop index payments_by_amount;
create index payments_by_amount on payments (merchant_id, environment, amount, status, unix_ms(created_at), id);
drop index checkouts_by_amount;
create index checkouts_by_amount on checkouts (merchant_id, environment, amount, state, id) where subscription_id is null;
drop index invoices_by_amount;
create index invoices_by_amount on invoices (merchant_id, environment, amount, status, id);

-- When the page was opened on which the buyer clicked, for the payment's history.
alter table pay_requests add column opened_at timestamptz;
