-- Up Migration
-- The ledger of the service. Conventions: row ids are time-ordered text with a prefix; amounts are integer
-- cents; instants are timestamptz; every row of one environment carries merchant_id and environment.

-- The clock that decides (rule 19): expiry, due times, signatures. A function, so that tests on the
-- time-skipping Temporal server can move the database's clock with it.
create function service_clock() returns timestamptz language sql volatile parallel safe as
  $$ select clock_timestamp() $$;

create function new_id(prefix text) returns text language sql volatile parallel safe as
  $$ select prefix || replace(uuidv7()::text, '-', '') $$;

-- 244 random bits: the bearer credential in a hosted page's URL.
create function new_bearer_token(prefix text) returns text language sql volatile parallel safe as
  $$ select prefix || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') $$;

-- Merchants and their keys ---------------------------------------------------------------------------------

create table merchants (
  id text primary key default new_id('ap_mer_'),
  name text not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  subscriptions_enabled boolean not null default true,
  -- Hosted page: { logo_url, color, language }.
  branding jsonb not null default '{}',
  -- Printed on invoices (VAT directive, Article 226): { name, address_lines[], vat_id }.
  legal_identity jsonb not null default '{}',
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);

create table api_keys (
  id text primary key default new_id('ap_key_'),
  merchant_id text not null references merchants,
  environment text not null check (environment in ('sandbox', 'production')),
  -- HMAC-SHA-256 of the whole key under the pepper; the key itself is shown once and never stored.
  key_hmac bytea not null unique,
  last4 text not null,
  created_at timestamptz not null default service_clock(),
  -- End of a rotation's overlap.
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index on api_keys (merchant_id, environment);

-- Catalogue: serves both environments --------------------------------------------------------------------------

create table offerings (
  id text primary key default new_id('ap_off_'),
  merchant_id text not null references merchants,
  name text not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create index on offerings (merchant_id);

create table products (
  id text primary key default new_id('ap_prod_'),
  merchant_id text not null references merchants,
  offering_id text references offerings,
  name text not null,
  description text,
  metadata jsonb not null default '{}',
  external_reference text,
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create index on products (merchant_id, id desc);
create unique index on products (merchant_id, external_reference) where external_reference is not null;

create table prices (
  id text primary key default new_id('ap_price_'),
  product_id text not null references products,
  amount integer not null check (amount > 0),
  currency text not null default 'EUR',
  tax_rate numeric(5, 2) not null default 0 check (tax_rate >= 0),
  billing_mode text not null check (billing_mode in ('one_time', 'recurring')),
  -- A recurring price without an interval cannot be billed: it is stored, and refused with 422 when used.
  interval text check (interval in ('day', 'week', 'month', 'year')),
  interval_count integer check (interval_count > 0),
  trial_period_days integer check (trial_period_days > 0),
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz not null default service_clock()
);
create unique index prices_one_active_per_product on prices (product_id) where status = 'active';

-- Rail accounts ------------------------------------------------------------------------------------------------

create table rail_accounts (
  id text primary key,
  merchant_id text not null references merchants,
  environment text not null check (environment in ('sandbox', 'production')),
  rail text not null,
  status text not null check (status in ('activating', 'active', 'disabled')),
  -- RailCapabilities of rail/rail.ts.
  capabilities jsonb not null,
  -- Sealed JSON (secrets/secret-box.ts); its shape is the adapter's own.
  credential bytea not null,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create unique index rail_accounts_one_in_use on rail_accounts (merchant_id, environment) where status <> 'disabled';

-- Buyers ---------------------------------------------------------------------------------------------------------

create table customers (
  id text primary key default new_id('ap_cus_'),
  merchant_id text not null references merchants,
  environment text not null,
  external_customer_id text,
  email text,
  -- Set when the buyer typed or confirmed the email on the hosted page; from then on a prefill never
  -- overwrites it.
  email_confirmed_at timestamptz,
  name text,
  billing_details jsonb,
  tax_value text,
  tax_type text,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create unique index customers_by_external_id on customers (merchant_id, environment, external_customer_id)
  where external_customer_id is not null;

-- Checkout sessions ------------------------------------------------------------------------------------------------

create table checkouts (
  id text primary key default new_id('ap_chk_'),
  session_id text not null unique default new_bearer_token('ap_chk_'),
  merchant_id text not null references merchants,
  environment text not null,
  source text not null default 'checkout' check (source in ('checkout', 'checkout_client')),
  customer_id text not null references customers,
  product_id text not null references products,
  price_id text not null references prices,
  rail_account_id text not null references rail_accounts,
  -- What the buyer pays now; 0 for a trial.
  amount integer not null check (amount >= 0),
  currency text not null,
  -- Catalogue terms at creation: later changes of the catalogue have no effect.
  terms jsonb not null,
  preselected_method text,
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
  -- Null until the workflow is known to exist; the sweep starts workflows that are missing.
  workflow_started_at timestamptz,
  -- When the workflow acts next; the sweep alerts when it is overdue (rule 16).
  next_action_at timestamptz,
  check ((state in ('succeeded', 'failed')) = (finished_at is not null)),
  check ((state = 'failed') = (failure_reason is not null))
);
create index on checkouts (created_at) where workflow_started_at is null;
create index on checkouts (next_action_at) where state not in ('succeeded', 'failed');

-- A click on "Pay". The workflow's update carries its id, so that no token or email enters Temporal.
create table pay_requests (
  claim_id text primary key,
  checkout_id text not null references checkouts,
  method_type text not null,
  -- Sealed single-use token of the rail's card fields; cleared once the attempt is over.
  method_token bytea,
  email text,
  -- The claim is refused after this instant (rule 6).
  not_after timestamptz not null,
  created_at timestamptz not null default service_clock()
);
create index on pay_requests (checkout_id);

create table orders (
  id text primary key default new_id('ap_ord_'),
  merchant_id text not null references merchants,
  environment text not null,
  checkout_id text unique references checkouts,
  customer_id text not null references customers,
  product_id text references products,
  price_id text references prices,
  source text not null check (source in ('checkout', 'checkout_client', 'subscription', 'manual')),
  external_reference text,
  line_items jsonb not null,
  amount integer not null,
  currency text not null,
  payment_id text,
  status text not null default 'pending' check (status in
    ('pending', 'completed', 'failed', 'cancelled', 'partially_refunded', 'refunded')),
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create index on orders (merchant_id, environment, id desc);

create table subscriptions (
  id text primary key default new_id('ap_sub_'),
  merchant_id text not null references merchants,
  environment text not null,
  checkout_id text unique references checkouts,
  customer_id text not null references customers,
  product_id text not null references products,
  price_id text not null references prices,
  offering_id text references offerings,
  rail_account_id text not null references rail_accounts,
  status text not null check (status in
    ('incomplete', 'trialing', 'active', 'past_due', 'cancelled', 'expired', 'paused')),
  version integer not null default 1,
  amount integer not null,
  currency text not null,
  -- First day of billing: periods are counted from here, so that 31 January leads to 28 February and 31
  -- March.
  billing_anchor timestamptz,
  current_period_start timestamptz,
  current_period_end timestamptz,
  trial_start timestamptz,
  trial_end timestamptz,
  cancel_at_period_end boolean not null default false,
  cancelled_at timestamptz,
  -- { type, brand, last4 } and the sealed reference of the mandate at the rail.
  payment_method jsonb,
  credential_secret_ref bytea,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  workflow_started_at timestamptz,
  next_action_at timestamptz
);
create index on subscriptions (merchant_id, environment, id desc);

create table invoices (
  id text primary key default new_id('ap_inv_'),
  merchant_id text not null references merchants,
  environment text not null,
  -- Gapless per merchant, environment and year; null while a draft.
  number text,
  issued_at timestamptz,
  supplied_at timestamptz,
  customer_id text not null references customers,
  order_id text references orders,
  subscription_id text references subscriptions,
  period_start timestamptz,
  period_end timestamptz,
  status text not null check (status in ('draft', 'open', 'created', 'void', 'uncollectible', 'payment_failed')),
  version integer not null default 1,
  amount integer not null,
  amount_due integer not null,
  currency text not null,
  -- As issued; never changed afterwards.
  customer jsonb not null,
  supplier jsonb not null,
  line_items jsonb not null,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create index on invoices (merchant_id, environment, id desc);
create unique index on invoices (merchant_id, environment, number);
create unique index on invoices (subscription_id, period_start);
create unique index invoices_one_per_order on invoices (order_id) where subscription_id is null;

-- A locked counter row: a sequence would leave gaps on rollback.
create table invoice_counters (
  merchant_id text not null references merchants,
  environment text not null,
  year integer not null,
  last_number integer not null,
  primary key (merchant_id, environment, year)
);

create table payments (
  id text primary key default new_id('ap_pay_'),
  merchant_id text not null references merchants,
  environment text not null,
  order_id text references orders,
  checkout_id text references checkouts,
  invoice_id text references invoices,
  attempt_no integer not null,
  -- The click or workflow turn that made this attempt. It decides what counts as "mine" (rule 2).
  claim_id text not null unique,
  rail_account_id text references rail_accounts,
  rail text,
  -- The processor's own id.
  rail_order_id text,
  payment_method jsonb,
  status text not null default 'processing' check (status in
    ('requires_action', 'processing', 'succeeded', 'failed', 'cancelled', 'refunded', 'partially_refunded')),
  version integer not null default 1,
  amount integer not null,
  currency text not null,
  refunded_amount integer not null default 0 check (refunded_amount between 0 and amount),
  failure_code text,
  failure_message text,
  -- Sealed reference of the mandate stored with this payment. Never shown by the API.
  credential_secret_ref bytea,
  -- The mark: set before the rail is called (rule 3).
  call_started_at timestamptz,
  call_deadline timestamptz,
  challenge_url text,
  challenge_expires_at timestamptz,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create index on payments (merchant_id, environment, id desc);
create unique index payments_attempt_of_checkout on payments (checkout_id, attempt_no) where checkout_id is not null;
create unique index payments_attempt_of_invoice on payments (invoice_id, attempt_no) where checkout_id is null and invoice_id is not null;
-- One charge per session and per invoice (rule 1).
create unique index payments_one_open_per_checkout on payments (checkout_id)
  where checkout_id is not null and status not in ('failed', 'cancelled');
create unique index payments_one_open_per_invoice on payments (invoice_id)
  where invoice_id is not null and status not in ('failed', 'cancelled');
create index on payments (order_id);
alter table orders add foreign key (payment_id) references payments;

-- Charges that succeeded after the end (rule 7).
create table orphaned_charges (
  payment_id text primary key references payments,
  merchant_id text not null references merchants,
  environment text not null,
  amount integer not null,
  currency text not null,
  found_at timestamptz not null default service_clock(),
  returned_at timestamptz,
  returned_by text check (returned_by in ('cancel', 'refund', 'operator'))
);
create index on orphaned_charges (found_at) where returned_at is null;

-- Inbound rail webhooks: hints, trusted only after a look-up (rule 24).
create table rail_news (
  rail_account_id text not null references rail_accounts,
  rail_event_id text not null,
  reference text,
  hint text not null,
  received_at timestamptz not null default service_clock(),
  applied_at timestamptz,
  primary key (rail_account_id, rail_event_id)
);
create index on rail_news (received_at) where applied_at is null;
create index on rail_news (reference) where applied_at is null;

-- Events and their deliveries ----------------------------------------------------------------------------------

create table events (
  -- evt_ + hash of (type, aggregate id, aggregate version).
  id text primary key,
  merchant_id text not null references merchants,
  environment text not null,
  type text not null,
  aggregate_id text not null,
  aggregate_version integer not null,
  occurred_at timestamptz not null default service_clock(),
  -- The exact bytes that every delivery sends.
  body text not null
);
create index on events (merchant_id, environment, occurred_at desc);
create index on events (aggregate_id);

create table webhook_endpoints (
  id text primary key default new_id('ap_whe_'),
  merchant_id text not null references merchants,
  environment text not null,
  url text not null,
  -- Null: every type.
  event_types text[],
  -- Sealed.
  secret bytea not null,
  status text not null default 'enabled' check (status in ('enabled', 'paused', 'disabled', 'deleted')),
  disabled_reason text,
  -- When the endpoint's workflow looks next: now, an instant, or infinity (rule 22).
  wakes_at timestamptz not null default 'infinity',
  -- Since when all attempts have failed; null after a success.
  failing_since timestamptz,
  last_exhausted_alert_at timestamptz,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create index on webhook_endpoints (merchant_id, environment);

create table deliveries (
  endpoint_id text not null references webhook_endpoints,
  event_id text not null references events,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'exhausted', 'held')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default service_clock(),
  claim_token text,
  claimed_until timestamptz,
  last_attempt_at timestamptz,
  -- HTTP status of the last attempt; null with the error text when there was none.
  last_status integer,
  last_error text,
  succeeded_at timestamptz,
  created_at timestamptz not null default service_clock(),
  primary key (endpoint_id, event_id)
);
create index deliveries_due on deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index deliveries_overdue on deliveries (next_attempt_at) where status = 'pending';
create index on deliveries (event_id);

-- Idempotency keys of the REST API (rule 26) ------------------------------------------------------

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
  -- The pinned answer; null while running, or when the answer is not pinned.
  answer jsonb,
  keep_for_ever boolean not null default false,
  created_at timestamptz not null default service_clock(),
  primary key (scope, key)
);
create index on idempotency_keys (created_at) where not keep_for_ever;

-- Audit log of manual changes
-- ---------------------------------------------------------------------------------------

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default service_clock(),
  merchant_id text references merchants,
  environment text,
  actor text not null,
  action text not null,
  subject_id text not null,
  request_id text,
  before jsonb,
  after jsonb
);
create index on audit_log (subject_id);

-- Requests to workflows that must survive a full update queue (rule 14).
create table resolve_requests (
  id text primary key,
  subject_id text not null,
  outcome text not null check (outcome in ('succeeded', 'failed')),
  operator text not null,
  reason text not null,
  evidence text not null,
  created_at timestamptz not null default service_clock(),
  answered_at timestamptz,
  answer text
);
create index on resolve_requests (subject_id) where answered_at is null;

create table heartbeats (
  name text primary key,
  at timestamptz not null
);
