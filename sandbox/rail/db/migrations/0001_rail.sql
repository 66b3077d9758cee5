-- Up Migration
-- The sandbox rail's own books, in its own database. Amounts are integer cents, instants timestamptz.

create function new_id(prefix text) returns text language sql volatile parallel safe as
  $$ select prefix || replace(uuidv7()::text, '-', '') $$;

-- 122 random bits: tokens, mandates and challenges are secrets of whoever holds them.
create function new_secret(prefix text) returns text language sql volatile parallel safe as
  $$ select prefix || replace(gen_random_uuid()::text, '-', '') $$;

create table accounts (
  id text primary key,
  secret_sha256 bytea not null,
  status text not null check (status in ('activating', 'active', 'disabled')),
  merchant_name text not null,
  -- Origins whose pages may frame the card fields; empty: any.
  page_origins text[] not null,
  currencies text[] not null,
  wallets text[] not null,
  webhook_url text,
  webhook_secret text
);

-- A card as a buyer typed it, for one use within a quarter of an hour. The number itself is never stored.
create table tokens (
  id text primary key default new_secret('tok_'),
  account_id text not null references accounts,
  card_name text not null,
  method jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  used_by text
);

create table mandates (
  id text primary key default new_secret('mnd_'),
  account_id text not null references accounts,
  card_name text not null,
  method jsonb not null,
  charges_tried integer not null default 0,
  created_at timestamptz not null default clock_timestamp()
);

-- One row per reference, and so at most one charge. A cancel of an unknown reference leaves a tombstone, so
-- that an authorize still in flight finds it cancelled.
create table charges (
  account_id text not null references accounts,
  reference text not null,
  id text not null unique default new_id('ch_'),
  operation text not null check (operation in ('authorize', 'chargeStored', 'tombstone')),
  amount integer not null check (amount >= 0),
  currency text not null,
  status text not null check (status in ('approved', 'declined', 'requires_action', 'pending', 'cancelled')),
  decline_code text,
  card_name text,
  method jsonb,
  -- The quantity that the buyer chose.
  quantity integer,
  save_mandate boolean not null default false,
  mandate_id text references mandates,
  challenge_id text unique,
  challenge_return_url text,
  -- When and how the rail settles a pending charge.
  settles_at timestamptz,
  settles_as text check (settles_as in ('approve', 'decline')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (account_id, reference),
  check ((status = 'declined') = (decline_code is not null)),
  check ((settles_at is null) = (settles_as is null))
);
create index on charges (settles_at) where settles_at is not null;
create index on charges (account_id, updated_at, reference);

create table refunds (
  account_id text not null references accounts,
  reference text not null,
  id text not null unique default new_id('re_'),
  charge_reference text not null,
  amount integer not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('succeeded', 'failed')),
  failure_code text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, reference),
  check ((status = 'failed') = (failure_code is not null))
);
create index on refunds (account_id, charge_reference);

-- Money that moved and mandates that were created; append-only.
create table ledger (
  sequence bigint generated always as identity primary key,
  account_id text not null references accounts,
  reference text not null,
  operation text not null check (operation in ('authorize', 'chargeStored', 'refund')),
  -- 0 if a mandate was stored and no money moved.
  amount integer not null,
  currency text not null,
  outcome text not null check (outcome in ('approved', 'succeeded')),
  at timestamptz not null default clock_timestamp(),
  unique (account_id, operation, reference)
);

-- Every call, as it arrived.
create table requests (
  sequence bigint generated always as identity primary key,
  account_id text,
  operation text not null,
  reference text,
  idempotency_key text,
  at timestamptz not null default clock_timestamp()
);
create index on requests (account_id, reference);

create table idempotency_keys (
  account_id text not null references accounts,
  key text not null,
  operation text not null,
  body_sha256 bytea not null,
  answer jsonb,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, key)
);

-- Webhooks to deliver, at least once each.
create table events (
  sequence bigint generated always as identity primary key,
  id text not null default new_id('evt_'),
  account_id text not null references accounts,
  body text not null,
  attempts integer not null default 0,
  -- Null once delivered or given up.
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index on events (next_attempt_at) where next_attempt_at is not null;
