-- Up Migration
-- Operators search by what buyers and merchants tell them.
create index on checkouts (merchant_reference) where merchant_reference is not null;
create index on customers (lower(email)) where email is not null;
create index on checkouts (customer_id);
create index on subscriptions (customer_id);
