-- Up Migration
-- A confirmed command stays open until it was carried out: the process that was told to may die before it begins.
alter table operator_requests add column carried_out_at timestamptz;
update operator_requests set carried_out_at = confirmed_at where confirmed_at is not null;
drop index operator_requests_waiting;
create index operator_requests_open on operator_requests (subject_id) where carried_out_at is null;
-- Who confirmed what is stored here, where the amount asks for a second person.
alter table resolve_requests add column confirmed_by text;
