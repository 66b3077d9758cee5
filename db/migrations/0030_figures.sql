-- Up Migration
-- Lets metrics be counted without scanning whole tables (db/sweep/business-figures.ts). Each row of these indexes
-- is an exception: a charge in doubt, a refund in doubt, an unpaid subscription.
create index subscriptions_reconciling on subscriptions (reconciling_since) where reconciling_since is not null;
create index subscriptions_past_due on subscriptions (id) where status = 'past_due';
create index refunds_reconciling on refunds (reconciling_since) where reconciling_since is not null;
