-- Up Migration
-- What rails answered, and when: for operators, and for the breakers below. Kinds and codes only, kept for 90 days.
create table rail_answers (
  id bigint generated always as identity primary key,
  at timestamptz not null default service_clock(),
  rail_account_id text not null,
  rail text not null,
  environment text not null,
  -- The payment, refund or return that was asked about.
  reference text not null,
  operation text not null,
  -- The answer's kind; `unknown` when there was none.
  outcome text not null,
  -- A decline's code, a failure's code, or why the outcome is unknown.
  code text,
  -- Codes and the processor's request id, for operators.
  detail text,
  took_ms integer not null,
  -- A new attempt to charge: these are what a breaker counts.
  is_attempt boolean not null
);
create index on rail_answers (reference, id desc);
create index rail_answers_of_account on rail_answers (rail_account_id, id desc) where is_attempt;
create index rail_answers_of_rail on rail_answers (rail, environment, id desc) where is_attempt;

-- A breaker stops new attempts at a rail account, or at a rail as a whole, while it fails. Look-ups go on. Without a
-- row, or closed, attempts pass.
create table rail_breakers (
  -- `account:<id>` or `rail:<name>:<environment>`.
  scope text primary key,
  rail text not null,
  environment text not null,
  rail_account_id text references rail_accounts,
  state text not null check (state in ('closed', 'open', 'paused')),
  -- Since when it is open or paused.
  since timestamptz not null default service_clock(),
  -- From then on, attempts pass one at a time until one is answered.
  retry_at timestamptz not null default service_clock(),
  -- One attempt was let through and may be answered until then.
  probe_until timestamptz,
  -- Attempts that failed since it opened.
  failures integer not null default 0,
  reason text not null,
  -- The person who paused it.
  paused_by text,
  -- How often it has opened.
  times integer not null default 1
);

create function breaker_scopes(account_id text, rail text, environment text) returns text[]
language sql immutable parallel safe as
  $$ select array['account:' || account_id, 'rail:' || rail || ':' || environment] $$;

-- Seconds until a new attempt may pass; null when one may pass now.
create function rail_out_seconds(account_id text, rail text, environment text) returns integer
language sql volatile parallel safe as $$
  select max(case b.state when 'paused' then 300
    else greatest(1, ceil(extract(epoch from b.retry_at - service_clock())))::integer end)
  from rail_breakers b
  where b.scope = any (breaker_scopes(account_id, rail, environment)) and b.state <> 'closed'
    and (b.state = 'paused' or b.retry_at > service_clock())
$$;
