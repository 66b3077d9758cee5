-- Up Migration
-- Invoices, their numbers and documents.

create table invoices (
  id text primary key default new_id('ap_inv_'),
  merchant_id text not null references merchants,
  environment text not null,
  -- Gapless per merchant, environment and year; null while a draft.
  number text,
  issued_at timestamptz,
  -- The merchant's time zone at issue, in which the invoice's dates are given.
  time_zone text not null default 'UTC',
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
  -- True if no font has some of the customer's characters; the PDF then prints their codes.
  prints_codes boolean not null default false,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  -- The token of an invoice's link: 244 random bits.
  pdf_token text not null unique default new_bearer_token(''),
  -- The credit note that this invoice reverses: its refund was taken back, or its lost dispute was won after all.
  reverses_credit_note_id text unique
);
alter table payments add foreign key (invoice_id) references invoices;
alter table checkouts add foreign key (invoice_id) references invoices;
alter table subscription_changes add foreign key (invoice_id) references invoices;
create unique index subscription_changes_invoice_id_idx on subscription_changes (invoice_id) where invoice_id is not null;
-- A search for a part of a number reads this index only.
create index invoices_newest_first on invoices (merchant_id, environment, id desc) include (number, status, issued_at);
create unique index invoices_merchant_id_environment_number_idx on invoices (merchant_id, environment, number);
create unique index invoices_subscription_id_period_start_idx on invoices (subscription_id, period_start);
create unique index invoices_one_per_order on invoices (order_id) where subscription_id is null;
create index invoices_unpaid on invoices (subscription_id, period_start)
  where subscription_id is not null and status in ('open', 'payment_failed');
create index invoices_unix_ms_idx on invoices (unix_ms(period_start)) where subscription_id is not null;
create index invoices_with_codes on invoices (merchant_id, environment, id desc) where prints_codes;
create index invoices_by_customer on invoices (customer_id, id desc);
create index invoices_by_status on invoices (merchant_id, environment, status, id desc);
-- A month's invoices, for the tax summary.
create index invoices_by_issue on invoices (merchant_id, environment, issued_at) where issued_at is not null;
create index invoices_by_amount on invoices (merchant_id, environment, amount, status, id);

-- A locked counter row: a sequence would leave gaps on rollback.
create table invoice_counters (
  merchant_id text not null references merchants,
  environment text not null,
  series text not null default 'invoice' check (series in ('invoice', 'credit_note')),
  year integer not null,
  last_number integer not null,
  primary key (merchant_id, environment, series, year)
);

-- PDFs of invoices and credit notes as first served: later downloads are byte-identical, even after the renderer has
-- changed.
create table document_pdfs (
  pdf_token text primary key,
  bytes bytea not null,
  created_at timestamptz not null default service_clock()
);

-- Payments whose documents could not be issued in the same transaction; the sweep issues the documents.
create table invoices_due (
  payment_id text primary key references payments,
  merchant_id text not null references merchants,
  environment text not null,
  -- The invoice as of the purchase. Not jsonb, which would reorder its keys.
  draft json not null,
  error text not null,
  found_at timestamptz not null default service_clock(),
  tried_at timestamptz not null default service_clock()
);
create index invoices_due_tried_at_idx on invoices_due (tried_at);
