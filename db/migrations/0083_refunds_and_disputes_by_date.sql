-- No transaction
-- A crash leaves an index that is not valid.
drop index concurrently if exists refunds_by_date;

-- The dashboard lists and exports both by their own dates. An id of a refund has its payment's time.
create index concurrently refunds_by_date on refunds (merchant_id, environment, status, unix_ms(created_at) desc, id desc);

drop index concurrently if exists disputes_by_date;

create index concurrently disputes_by_date on disputes (merchant_id, environment, status, unix_ms(opened_at) desc, id desc);
