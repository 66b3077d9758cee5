-- Up Migration
-- What the dashboard searches and filters by. Each list reads a page from an index, however long the list is.
create index customers_by_email on customers (merchant_id, environment, lower(email)) where email is not null;
create index customers_newest_first on customers (merchant_id, environment, id desc);
create index orders_by_reference on orders (merchant_id, environment, external_reference)
  where external_reference is not null;
create index orders_by_customer on orders (customer_id, id desc);
create index checkouts_newest_first on checkouts (merchant_id, environment, id desc);
create index checkouts_by_customer on checkouts (customer_id, id desc);
create index subscriptions_by_customer on subscriptions (customer_id, id desc);
create index invoices_by_customer on invoices (customer_id, id desc);
create index payments_by_status on payments (merchant_id, environment, status, unix_ms(created_at) desc, id desc);
create index payments_by_amount on payments (merchant_id, environment, amount, unix_ms(created_at) desc, id desc);
create index disputes_by_payment on disputes (payment_id);
