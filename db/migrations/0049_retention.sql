-- Up Migration
-- What is neither money nor its documents is kept for a time that the installation sets (docs/operations.md).

-- How far a table was searched for rows to forget, where most rows stay: the next search begins there.
create table forgotten_through (
  kind text primary key,
  id text not null
);

create index rail_news_judged on rail_news (received_at) where applied_at is not null;

-- service_clock() for comparisons with columns. A volatile function is called for each row and compared by no index;
-- an uncorrelated subquery is, but the planner then expects a third of the table and scans it.
create function service_now() returns timestamptz language sql stable parallel safe as
  $$ select service_clock() $$;
