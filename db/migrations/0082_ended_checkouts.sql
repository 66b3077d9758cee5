-- No transaction
-- A crash leaves an index that is not valid.
drop index concurrently if exists checkouts_ended;

-- A list by a state that none of a merchant's sessions has was read as a whole. Of a session's versions only the last is
-- in this index.
create index concurrently checkouts_ended on checkouts (merchant_id, environment, state, id)
  where state in ('succeeded', 'failed') and subscription_id is null;
