-- Up Migration
-- Buyers, the hosted page's sessions, and clicks on "Pay".

-- One of PostgreSQL's own modules, marked as trusted: the database's owner may create it.
create extension if not exists pg_trgm;

create table customers (
  id text primary key default new_id('ap_cus_'),
  merchant_id text not null references merchants,
  environment text not null,
  external_customer_id text,
  email text,
  -- Set when the buyer typed or confirmed the email on the hosted page; from then on no request of the merchant
  -- overwrites it.
  email_confirmed_at timestamptz,
  name text,
  billing_details jsonb,
  tax_value text,
  tax_type text,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  -- When the personal data was erased.
  erased_at timestamptz
);
alter table customers set (
  fillfactor = 90,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05
);
create unique index customers_by_external_id on customers (merchant_id, environment, external_customer_id)
  where external_customer_id is not null;
create index customers_lower_idx on customers (lower(email)) where email is not null;
-- The dashboard's searches and filters. Each reads a page from an index, however long the list is.
create index customers_by_email on customers (merchant_id, environment, lower(email)) where email is not null;
-- Searches by a part of an email or a name. With some locales, trigrams leave out letters beyond ASCII, so these are
-- written as octal numbers of their bytes, and digits as capitals, which lower() leaves to no letter.
create function searchable(text) returns text language sql immutable parallel safe
  return encode(decode(replace(translate(lower($1), '0123456789', 'ABCDEFGHIJ'), '\', '\\'), 'escape'), 'escape');
create index customers_by_part on customers
  using gin (searchable(' ' || coalesce(email, '') || ' ' || coalesce(name, '')) gin_trgm_ops);
create index customers_newest_first on customers (merchant_id, environment, id desc);

create table checkouts (
  id text primary key default new_id('ap_chk_'),
  merchant_id text not null references merchants,
  environment text not null,
  source text not null default 'checkout' check (source in ('checkout', 'checkout_client')),
  customer_id text not null references customers,
  product_id text not null references products,
  price_id text not null references prices,
  rail_account_id text not null references rail_accounts,
  -- The amount that the buyer pays now; 0 for a trial.
  amount integer not null check (amount >= 0),
  quantity integer not null default 1 check (quantity >= 1),
  currency text not null,
  -- The coupon. A session with it counts as a redemption, unless its state is `created` or `failed`.
  coupon_id text references coupons,
  -- Number of codes that the page has refused; after MOST_REFUSED_CODES, it accepts no more.
  refused_codes integer not null default 0,
  -- Catalogue terms at creation: later changes of the catalogue have no effect.
  terms jsonb not null,
  preselected_method text,
  -- The buyer's language and region, as the request named them.
  locale text,
  merchant_reference text,
  success_url text,
  fail_url text,
  state text not null default 'created' check (state in
    ('created', 'processing', 'requires_action', 'succeeded', 'failed', 'reconciliation_required')),
  -- Raised by every guarded update; event ids derive from it (rule 21).
  version integer not null default 1,
  failure_reason text check (failure_reason in ('expired', 'attempts_exhausted', 'cancelled', 'resolved_by_operator')),
  max_attempts integer not null,
  -- The buyer asked to cancel while an attempt was open.
  cancel_requested_at timestamptz,
  created_at timestamptz not null default service_clock(),
  expires_at timestamptz not null,
  finished_at timestamptz,
  -- Null until the workflow is known to exist; the sweep starts missing workflows.
  workflow_started_at timestamptz,
  -- When the workflow acts next; the sweep alerts when it is overdue (rule 16).
  next_action_at timestamptz,
  -- A change of payment method is a hosted session of 0 cents with strong authentication. Its result is a new
  -- mandate for a subscription instead of a purchase. Its ids begin with ap_pmc_. A payment link pays an invoice of a
  -- subscription; its ids begin with ap_lnk_.
  purpose text not null default 'purchase' check (purpose in ('purchase', 'method_change', 'payment_link')),
  subscription_id text,
  invoice_id text,
  -- The operation that requested a change of payment method: a repeated request finds the existing one.
  operation_id text unique,
  -- True if the request carried no email, so the page asks for one; an address known from an earlier purchase is not
  -- shown.
  asks_email boolean not null default false,
  -- The request's details about the buyer, which become the customer's once the session succeeds. A present member
  -- replaces the customer's, even if null.
  buyer jsonb,
  -- SHA-256.
  page_token_hash bytea not null,
  -- Encrypted (platform/secrets/encryption.ts).
  page_token bytea not null,
  check ((state in ('succeeded', 'failed')) = (finished_at is not null)),
  check ((state = 'failed') = (failure_reason is not null)),
  check ((purpose = 'purchase') = (subscription_id is null)),
  check ((purpose = 'payment_link') = (invoice_id is not null))
);
alter table checkouts set (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02
);
create index checkouts_created_at_idx on checkouts (created_at) where workflow_started_at is null;
create index checkouts_next_action_at_idx on checkouts (next_action_at) where state not in ('succeeded', 'failed');
create index checkouts_subscription_id_id_idx on checkouts (subscription_id, id desc)
  where subscription_id is not null;
create index checkouts_by_invoice on checkouts (invoice_id) where invoice_id is not null;
create unique index checkouts_page_token_hash_idx on checkouts (page_token_hash) where page_token_hash is not null;
-- In every round, the comparison with the rail's list finds each charge's owner by the instant in the charge's id.
create index checkouts_unix_ms_idx on checkouts (unix_ms(created_at));
-- Operators search by references from buyers and merchants.
create index checkouts_merchant_reference_idx on checkouts (merchant_reference) where merchant_reference is not null;
create index checkouts_newest_first on checkouts (merchant_id, environment, id desc);
create index checkouts_redeeming on checkouts (coupon_id, customer_id)
  where coupon_id is not null and state not in ('created', 'failed');
create index checkouts_by_customer on checkouts (customer_id, id desc);
-- Further searches and filters of the dashboard.
create index checkouts_by_reference on checkouts (merchant_id, environment, merchant_reference)
  where merchant_reference is not null;
-- Few rows; without this index, all of a merchant's checkouts would be searched for them.
create index checkouts_unfinished on checkouts (merchant_id, environment, id desc)
  where state not in ('succeeded', 'failed');
create index checkouts_in_doubt on checkouts (expires_at) where state = 'reconciliation_required';
-- The dashboard searches checkouts and invoices by amount, as it does payments; operators search refunds by the rail's id.
create index checkouts_by_amount on checkouts (merchant_id, environment, amount, state, id)
  where subscription_id is null;
-- Without this index, a list by a state that none of a merchant's sessions has would read all sessions. Each
-- session enters it once, in its final version.
create index checkouts_ended on checkouts (merchant_id, environment, state, id)
  where state in ('succeeded', 'failed') and subscription_id is null;

-- A click on "Pay". The workflow's update carries its id, so that no token or email enters Temporal.
create table clicks (
  claim_id text primary key,
  merchant_id text not null,
  environment text not null,
  checkout_id text not null references checkouts,
  method_type text not null,
  -- Encrypted single-use token of the rail's card fields; cleared once the attempt is over.
  method_token bytea,
  email text,
  -- The quantity that the buyer chose on the page; null for the session's.
  quantity integer,
  -- The amount that the page showed; null if it reported none. A click is never charged a different amount.
  amount integer,
  -- The coupon that the page showed; null if none. A click is never charged with a different one, or without it.
  coupon_id text,
  -- Keyed hash of the card, for products with one trial per customer, if the rail reports it. Cleared with the token.
  card bytea,
  -- The claim is refused after this instant (rule 6).
  not_after timestamptz not null,
  created_at timestamptz not null default service_clock(),
  -- When the page of the click was opened; shown in the payment's history.
  opened_at timestamptz,
  -- Keyed hash of the buyer's network, kept for a day at most: declines are counted by it.
  address bytea,
  -- For a payment link: the buyer agreed that the method also pays the subscription from now on.
  keeps_method boolean not null default false,
  -- The click came with its proof of work, so it does not count among the merchant's open clicks (rule 53).
  proved boolean not null default false,
  -- The click's update may have arrived: a repeat of the click does not withdraw it (rule 53).
  possibly_sent boolean not null default false
);
create index clicks_checkout_id_idx on clicks (checkout_id);
-- Contains only open clicks, which are few: the address is cleared with the token.
create index clicks_open on clicks (merchant_id, environment, created_at) where address is not null;

-- The session created by a request: a retry after a crash finds it.
create table storefront_sessions (
  operation_id text primary key,
  client_id text not null references storefront_clients,
  checkout_id text unique references checkouts
);

-- Declined first payments of the last day, to detect card testing. No foreign keys: a row lives for a day.
create table card_declines (
  id bigint generated always as identity primary key,
  at timestamptz not null default service_clock(),
  merchant_id text not null,
  environment text not null,
  -- The storefront client of the session.
  client_id text,
  -- Keyed hash of the network, as in clicks.
  address bytea,
  -- Keyed hash of the processor's fingerprint of the card.
  card bytea,
  -- Names of the limits that this decline exceeded, and the start of its run: the merchant's declines above a limit
  -- with less than ten minutes between them.
  passed text,
  passing_since timestamptz
);
create index card_declines_passing on card_declines (at) where passing_since is not null;
create index card_declines_at on card_declines (at);
create index card_declines_by_merchant on card_declines (merchant_id, environment, at);
create index card_declines_by_client on card_declines (client_id, at) where client_id is not null;
create index card_declines_by_address on card_declines (address, at) where address is not null;
create index card_declines_by_card on card_declines (merchant_id, card, at) where card is not null;
-- Usually empty; every click reads it.
create index card_declines_of_tested_cards on card_declines (merchant_id, environment, at) where passed like '%card%';
