-- Up Migration
-- More of what the dashboard searches and filters by.
create index checkouts_by_reference on checkouts (merchant_id, environment, merchant_reference)
  where merchant_reference is not null;
-- Few at a time, and looked for in all of a merchant's checkouts.
create index checkouts_unfinished on checkouts (merchant_id, environment, id desc)
  where state not in ('succeeded', 'failed');
create index subscriptions_by_status on subscriptions (merchant_id, environment, status, id desc);
create index invoices_by_status on invoices (merchant_id, environment, status, id desc);
