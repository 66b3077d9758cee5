-- Up Migration
-- Shared by all subjects. Conventions: row ids are time-ordered text with a prefix; amounts are integer cents; instants
-- are timestamptz; every row of one environment carries merchant_id and environment.

-- The clock that decides (rule 19): expiry, due times, signatures. A function, so that tests on the time-skipping
-- Temporal server can move the database's clock with Temporal's.
create function service_clock() returns timestamptz language sql volatile parallel safe as
  $$ select clock_timestamp() $$;

-- service_clock() for comparisons with columns. A volatile function is called for each row and uses no index; an
-- uncorrelated subquery could use one, but the planner expects it to match a third of the table and scans.
create function service_now() returns timestamptz language sql stable parallel safe as
  $$ select service_clock() $$;

create function new_id(prefix text) returns text language sql volatile parallel safe as
  $$ select prefix || replace(uuidv7()::text, '-', '') $$;

-- 244 random bits: the bearer credential in a hosted page's URL.
create function new_bearer_token(prefix text) returns text language sql volatile parallel safe as
  $$ select prefix || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') $$;

create function unix_ms(at timestamptz) returns bigint language sql immutable strict parallel safe as
  $$ select floor(extract(epoch from at) * 1000)::bigint $$;

create function ms_between(since timestamptz, until timestamptz) returns float8 language sql immutable parallel safe as
  $$ select (extract(epoch from until - since) * 1000)::float8 $$;

create function weeks_since(since timestamptz) returns integer language sql volatile parallel safe as
  $$ select floor(ms_between(since, service_clock()) / 604800000)::integer $$;

-- A version 7 UUID in the format of new_id(), with counter `ordinal` and random part hash(`what`).
create function derived_id(prefix text, since timestamptz, ordinal bigint, what text) returns text
language sql immutable strict parallel safe as $$
  select prefix
    || lpad(to_hex(unix_ms(since)), 12, '0')
    || '7' || lpad(to_hex(least(ordinal, 4095)), 3, '0')
    || to_hex(8 | (get_byte(hash, 0) & 3)) || substr(encode(hash, 'hex'), 3, 15)
  from sha256(convert_to(what, 'UTF8')) hash
$$;

create function session_payment_id(checkout_id text, created_at timestamptz, attempt_no bigint) returns text
language sql immutable strict parallel safe as $$
  select derived_id('ap_pay_', created_at, attempt_no, concat_ws(' ', 'session', checkout_id, attempt_no))
$$;

create function period_payment_id(subscription_id text, period_start timestamptz, attempt_no bigint) returns text
language sql immutable strict parallel safe as $$
  select derived_id('ap_pay_', period_start, attempt_no,
    concat_ws(' ', 'period', subscription_id, (extract(epoch from period_start) * 1000000)::bigint, attempt_no))
$$;

-- The milliseconds of a derived payment id; derived_ordinal() below is its counter. Null for any other id.
create function derived_ms(id text) returns bigint language sql immutable strict parallel safe as $$
  select case when id ~ '^ap_pay_[0-9a-f]{12}7[0-9a-f]{19}$'
    then ('x' || lpad(substr(id, 8, 12), 16, '0'))::bit(64)::bigint end
$$;

create function derived_refund_id(payment_id text, operation_id text, amount integer) returns text
language sql immutable strict parallel safe as $$
  select derived_id('ap_ref_', to_timestamp(coalesce(derived_ms(payment_id), 0) / 1000.0), 0,
    concat_ws(' ', 'refund', payment_id, operation_id, amount))
$$;

create function derived_ordinal(id text) returns bigint language sql immutable strict parallel safe as $$
  select case when id ~ '^ap_pay_[0-9a-f]{12}7[0-9a-f]{19}$'
    then ('x' || lpad(substr(id, 21, 3), 16, '0'))::bit(64)::bigint end
$$;

create table heartbeats (
  name text primary key,
  at timestamptz not null
);
-- The installation counts as the first round, so that a sweep that never runs is reported as late.
insert into heartbeats (name, at) values ('sweep', now());

-- Where the last deletion of old rows stopped, for tables in which most rows stay: the next search begins there.
create table forgotten_through (
  kind text primary key,
  id text not null
);

create table idempotency_keys (
  -- merchant:<id>:<environment> or client:<public id>.
  scope text not null,
  key text not null,
  method text not null,
  path text not null,
  body_hash bytea not null,
  -- The operation that a retry resumes.
  operation_id text not null default new_id('op_'),
  lease_until timestamptz not null,
  -- The pinned response; null while running, or if the response is not pinned.
  answer jsonb,
  -- True if money was reserved.
  keep_for_ever boolean not null default false,
  created_at timestamptz not null default service_clock(),
  primary key (scope, key)
);
alter table idempotency_keys set (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05
);
-- Excludes keys that are kept indefinitely from the search by age.
create index idempotency_keys_by_age on idempotency_keys (created_at) where not keep_for_ever;
-- The refusals pinned for an owner are limited in number.
create index idempotency_keys_refused on idempotency_keys (scope, created_at) where (answer ->> 'status')::integer >= 400;

-- Requests that are limited across all API processes, counted per window. Unlogged: a crash loses a minute's
-- counts.
create unlogged table request_counts (
  -- A hash: addresses are personal data.
  key text primary key,
  requests integer not null,
  window_ends_at timestamptz not null
);
alter table request_counts set (
  fillfactor = 50
);

-- Browser reports about the content security policies (PCI DSS 11.6.1), counted by kind and day. Reports are
-- anonymous and may be forged: nothing that could name a session or a buyer is stored.
create table policy_reports (
  day date not null,
  -- page, challenge, fields or other.
  document text not null,
  directive text not null,
  -- An origin, a scheme or a keyword such as inline.
  blocked text not null,
  count bigint not null default 1,
  last_at timestamptz not null default service_clock(),
  primary key (day, document, directive, blocked)
);
