-- Up Migration
-- Refunds. `payments.refunded_amount` is the amount reserved or refunded: raised under the payment's row lock before the
-- rail is called (rule 8), lowered when the rail refuses.

create table refunds (
  id text primary key default new_id('ap_ref_'),
  merchant_id text not null references merchants,
  environment text not null,
  payment_id text not null references payments,
  order_id text references orders,
  rail_account_id text not null references rail_accounts,
  -- The idempotency key's operation: a repeated request finds this row.
  operation_id text not null unique,
  amount integer not null check (amount > 0),
  currency text not null,
  reason text,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  version integer not null default 1,
  -- The refund's id at the processor.
  rail_refund_id text,
  failure_code text,
  -- The mark: set before the rail is called (rule 3).
  call_started_at timestamptz,
  call_deadline timestamptz,
  -- Start of the refund's doubt.
  reconciling_since timestamptz,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  workflow_started_at timestamptz,
  next_action_at timestamptz default service_clock()
);
create index refunds_merchant_id_environment_id_idx on refunds (merchant_id, environment, id desc);
create index refunds_payment_id_idx on refunds (payment_id);
create index refunds_due on refunds (next_action_at) where status = 'pending';
create index refunds_unstarted on refunds (id) where workflow_started_at is null and status = 'pending';
create index refunds_reconciling on refunds (reconciling_since) where reconciling_since is not null;
create index refunds_by_rail_id on refunds (rail_refund_id) where rail_refund_id is not null;
-- The dashboard lists and exports refunds by their own dates; a refund's id contains its payment's time.
create index refunds_by_date on refunds (merchant_id, environment, status, unix_ms(created_at) desc, id desc);

-- Credit notes, each with its share of its invoice's lines.
create table credit_notes (
  id text primary key default new_id('ap_cn_'),
  merchant_id text not null references merchants,
  environment text not null,
  number text not null,
  issued_at timestamptz not null,
  time_zone text not null,
  invoice_id text not null references invoices,
  payment_id text references payments,
  refund_id text unique references refunds,
  dispute_id text,
  order_id text references orders,
  subscription_id text references subscriptions,
  customer_id text not null references customers,
  reason text not null check (reason in ('refund', 'withdrawal', 'dispute', 'uncollectible', 'correction')),
  amount integer not null check (amount > 0),
  currency text not null,
  -- As issued; never changed afterwards. The `line` of each line is its place on the invoice.
  customer jsonb not null,
  supplier jsonb not null,
  line_items jsonb not null,
  pdf_token text not null unique default new_bearer_token(''),
  -- The invoice that reverses it.
  reversed_by text references invoices,
  unique (merchant_id, environment, number)
);
create index credit_notes_newest_first on credit_notes (merchant_id, environment, id desc) include (number, issued_at);
create index credit_notes_by_issue on credit_notes (merchant_id, environment, issued_at);
create index credit_notes_by_invoice on credit_notes (invoice_id);
create index credit_notes_by_customer on credit_notes (customer_id);
alter table invoices add foreign key (reverses_credit_note_id) references credit_notes;
