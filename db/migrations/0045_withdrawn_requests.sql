-- Up Migration
-- A request of an operator can be withdrawn while it waits. `carried_out_at` is set too: no release carries it out.
alter table operator_requests add column withdrawn_by text;
