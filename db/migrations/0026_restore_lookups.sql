-- Up Migration
-- The comparison after a restore finds the owner of each charge by the instant in the charge's id, again in each round.
create index on checkouts (unix_ms(created_at));
create index on subscriptions (unix_ms(current_period_end));
create index on invoices (unix_ms(period_start)) where subscription_id is not null;
