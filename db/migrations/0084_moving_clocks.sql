-- When a sandbox subscription's clock last got a target or jumped: one that has a target and stands still is late.
alter table subscription_clocks add column moved_at timestamptz not null default now();
alter table subscription_clocks alter column moved_at set default service_clock();

create index subscription_clocks_moving on subscription_clocks (moved_at) where target is not null;
