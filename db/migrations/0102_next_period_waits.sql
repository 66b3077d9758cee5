-- Up Migration
-- A plan shorter than its dunning ladder is not invoiced again while an older invoice is unpaid.
alter table subscriptions add column next_period_waits boolean not null default false;
