-- The recovery of an endpoint that has not finished: the range of what it missed. Null: none.
alter table webhook_endpoints add column recover_since timestamptz;
alter table webhook_endpoints add column recover_until timestamptz;
alter table webhook_endpoints add constraint webhook_endpoints_recovery
  check ((recover_since is null) = (recover_until is null));

-- Few: those that the sweep looks after.
create index webhook_endpoints_recovering on webhook_endpoints (recover_until) where recover_until is not null;
