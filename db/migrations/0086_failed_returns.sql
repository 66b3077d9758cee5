-- No transaction
-- A crash leaves an index that is not valid.
drop index concurrently if exists rail_news_failed_refunds;

-- Few: the return of an orphaned charge counts its failures, and read all news of its account for it.
create index concurrently rail_news_failed_refunds on rail_news (reference) where hint = 'refund_failed';
