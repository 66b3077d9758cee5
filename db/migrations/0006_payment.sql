-- Up Migration Orders, attempts to charge, and the rails' answers about them.

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
alter table orders set (
  fillfactor = 90,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02
);
create index orders_merchant_id_environment_id_idx on orders (merchant_id, environment, id desc);
create index orders_by_reference on orders (merchant_id, environment, external_reference)
  where external_reference is not null;
create index orders_by_customer on orders (customer_id, id desc);

create table payments (
  id text primary key default new_id('ap_pay_'),
  merchant_id text not null references merchants,
  environment text not null,
  order_id text references orders,
  checkout_id text references checkouts,
  invoice_id text,
  attempt_no integer not null,
  -- For an invoice's attempt: made on request, outside the retry schedule.
  by_request boolean not null default false,
  -- The click’s id, or one derived from the invoice and the attempt's number; claims compare it to recognise their own (rule 2).
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
  refunded_amount integer not null default 0,
  failure_code text,
  failure_message text,
  -- Encrypted reference of the mandate stored with this payment. Never shown by the API.
  credential_secret_ref bytea,
  -- The mark: set before the rail is called (rule 3).
  call_started_at timestamptz,
  call_deadline timestamptz,
  challenge_url text,
  challenge_expires_at timestamptz,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  -- The attempt's customer at the processor, for searches when the attempt's own id is lost.
  rail_customer_id text,
  -- When the buyer gave this attempt up; from then on, the rail is asked to end it until it answers.
  cancel_requested_at timestamptz,
  -- The buyer of a payment, as its checkout, order or invoice names it, so that a buyer's payments are one range of
  -- an index. Not a foreign key: those rows have one, and keep the customer as long as the payment. Null for a manual
  -- payment without an order.
  customer_id text,
  -- The rail's final answer, if it could not be recorded: it is recorded later without another look-up (rule 40).
  kept_answer jsonb,
  check (refunded_amount >= 0 and refunded_amount <= amount)
);
-- Rows that are updated within seconds of their insert. Free space keeps the new version on its page, and an update
-- of unindexed columns only, such as that of a call's mark, leaves the indexes alone (HOT). Sessions get no free space:
-- each of their updates changes an indexed column. By default, autovacuum waits for a fifth of a table to change: of
-- ten million rows, two million dead ones.
alter table payments set (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02
);
alter table orders add foreign key (payment_id) references payments;
create index payments_merchant_id_environment_id_idx on payments (merchant_id, environment, id desc);
create unique index payments_attempt_of_checkout on payments (checkout_id, attempt_no) where checkout_id is not null;
create unique index payments_attempt_of_invoice on payments (invoice_id, attempt_no)
  where checkout_id is null and invoice_id is not null;
-- One charge per session and per invoice (rule 1).
create unique index payments_one_open_per_checkout on payments (checkout_id)
  where checkout_id is not null and status not in ('failed', 'cancelled');
create unique index payments_one_open_per_invoice on payments (invoice_id)
  where invoice_id is not null and status not in ('failed', 'cancelled');
create index payments_order_id_idx on payments (order_id);
-- A retry's id carries its period's time, so lists sort by creation, in milliseconds as the API shows it.
create index payments_newest_first on payments (merchant_id, environment, unix_ms(created_at) desc, id desc);
-- Some rails name a disputed payment only by their own id.
create index payments_rail_account_id_rail_order_id_idx on payments (rail_account_id, rail_order_id);
create index payments_by_status on payments (merchant_id, environment, status, unix_ms(created_at) desc, id desc);
create index payments_by_amount on payments (merchant_id, environment, amount, status, unix_ms(created_at), id);
-- Buyers know the last four digits of their card, and its brand. They are unknown until the attempt is answered.
create index payments_by_card on payments (merchant_id, environment, (payment_method ->> 'last4'),
  lower(coalesce(payment_method ->> 'brand', '')), unix_ms(created_at) desc, id desc)
  where payment_method ->> 'last4' is not null;
-- A search reads a page per status from the index, so that it never walks past a rare status or a large buyer.
create index payments_of_customer on payments (customer_id, status, unix_ms(created_at), id);

-- Charges that succeeded after their attempt had ended (rule 7).
create table orphaned_charges (
  payment_id text primary key references payments,
  merchant_id text not null references merchants,
  environment text not null,
  amount integer not null,
  currency text not null,
  found_at timestamptz not null default service_clock(),
  returned_at timestamptz,
  returned_by text check (returned_by in ('cancel', 'refund', 'operator', 'dispute')),
  -- How often a cancelled charge was found approved again, for the ids of events.
  reopened integer not null default 0,
  -- The instant until which a call that refunds an orphaned charge may be in flight; null before the first call.
  return_deadline timestamptz,
  -- Returns that the rail rejected at once, without a refund id; part of the next return's key.
  refused_returns integer not null default 0
);
create index orphaned_charges_found_at_idx on orphaned_charges (found_at) where returned_at is null;

-- Inbound rail webhooks: hints, trusted only after a look-up (rule 24).
create table rail_webhooks (
  rail_account_id text not null references rail_accounts,
  rail_event_id text not null,
  reference text,
  hint text not null,
  received_at timestamptz not null default service_clock(),
  applied_at timestamptz,
  -- When the sweep signalled the workflow that judges this webhook; from then on, that workflow's own schedule
  -- applies. For a webhook that a look-up of the sweep judges: when it was last looked up.
  presented_at timestamptz,
  -- A webhook about a dispute may name the payment by the processor's id.
  rail_reference text,
  primary key (rail_account_id, rail_event_id)
);
alter table rail_webhooks set (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02
);
create index rail_webhooks_received_at_idx on rail_webhooks (received_at) where applied_at is null;
create index rail_webhooks_reference_idx on rail_webhooks (reference) where applied_at is null;
create index rail_webhooks_judged on rail_webhooks (received_at) where applied_at is not null;
-- Few rows. The return of an orphaned charge counts its failures here instead of reading all webhooks of its account.
create index rail_webhooks_failed_refunds on rail_webhooks (reference) where hint = 'refund_failed';

-- The rails' answers with their times, for operators and for the breakers below. Kinds and codes only, kept for 90
-- days.
create table rail_answers (
  id bigint generated always as identity primary key,
  at timestamptz not null default service_clock(),
  rail_account_id text not null,
  rail text not null,
  environment text not null,
  -- The payment, refund or return of the call.
  reference text not null,
  operation text not null,
  -- The answer's kind; `unknown` if there was none.
  outcome text not null,
  -- A decline's code, a failure's code, or why the outcome is unknown.
  code text,
  -- Codes and the processor's request id, for operators.
  detail text,
  took_ms integer not null,
  -- True for a new attempt to charge: breakers count these.
  is_attempt boolean not null
);
create index rail_answers_reference_id_idx on rail_answers (reference, id desc);
create index rail_answers_of_account on rail_answers (rail_account_id, id desc) where is_attempt;
create index rail_answers_of_rail on rail_answers (rail, environment, id desc) where is_attempt;

-- A breaker stops new attempts at a rail account, or at a rail as a whole, while it fails. Look-ups continue.
-- A scope without a row has a closed breaker, which allows attempts.
create table rail_breakers (
  -- `account:<id>` or `rail:<name>:<environment>`.
  scope text primary key,
  rail text not null,
  environment text not null,
  rail_account_id text references rail_accounts,
  state text not null check (state in ('closed', 'open', 'paused')),
  -- Start of the open or paused state.
  since timestamptz not null default service_clock(),
  -- From this instant on, attempts pass one at a time until one is answered.
  retry_at timestamptz not null default service_clock(),
  -- Time limit for the answer to the one attempt that was let through.
  probe_until timestamptz,
  -- Its account.
  probe_by text,
  -- For a rail: by account, its failed probes since the rail opened, until when it makes no other, and the number of
  -- failed rounds (`failures`) in which it voted; null without a vote.
  probes jsonb not null default '{}',
  -- Failed probes since it opened; for a rail, rounds in which probes of several accounts failed.
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

-- Seconds until a new attempt may pass; null if one may pass now.
-- The parameters are qualified: the table's columns of the same names would take precedence.
create function rail_out_seconds(account_id text, rail text, environment text) returns integer
language sql volatile parallel safe as $$
  select max(case b.state when 'paused' then 300
    else greatest(1, ceil(ms_between(service_clock(), b.retry_at) / 1000))::integer end)
  from rail_breakers b
  where b.scope = any (breaker_scopes(account_id, rail_out_seconds.rail, rail_out_seconds.environment)) and b.state <> 'closed'
    and (b.state = 'paused' or b.retry_at > service_clock())
$$;
