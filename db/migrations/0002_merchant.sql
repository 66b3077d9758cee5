-- Up Migration
-- Merchants, their keys and their accounts at processors, and who changed what.

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
  updated_at timestamptz not null default service_clock(),
  -- True if a subscription renews even after a lost dispute; by default, it ends with its period.
  renew_after_lost_dispute boolean not null default false,
  -- Settings (contract/merchant/settings.ts).
  time_zone text not null default 'UTC',
  invoice_prefix text not null default '',
  invoice_first_number integer not null default 1,
  credit_note_on_lost_dispute boolean not null default false,
  credit_note_on_uncollectible boolean not null default false,
  collect_after_cancellation boolean not null default false,
  trial_ending_days integer not null default 3,
  renewal_upcoming_days integer not null default 7,
  price_move_notice_days integer not null default 30,
  -- Cents.
  support_refund_limit integer not null default 0,
  support_email text,
  support_url text,
  support_phone text
);

create table api_keys (
  id text primary key default new_id('ap_key_'),
  merchant_id text not null references merchants,
  environment text not null check (environment in ('sandbox', 'production')),
  -- HMAC-SHA-256 of the whole key under the pepper; the key itself is shown once and never stored.
  key_hmac bytea not null unique,
  last4 text not null,
  name text not null default 'unnamed',
  scope text not null default 'all' check (scope in ('all', 'read', 'catalogue')),
  -- The creator, named as in the audit log.
  created_by text,
  created_at timestamptz not null default service_clock(),
  -- End of a rotation's overlap.
  expires_at timestamptz,
  -- End date chosen for the key; a rotation copies it. The earlier of `expires_at` and `ends_at` ends the key.
  ends_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_merchant_id_environment_idx on api_keys (merchant_id, environment);

create table rail_accounts (
  id text primary key,
  merchant_id text not null references merchants,
  environment text not null check (environment in ('sandbox', 'production')),
  rail text not null,
  status text not null check (status in ('activating', 'active', 'disabled')),
  -- Stays true once set: from then on, replacing the account takes two people (SECOND_PERSON_ABOVE).
  was_active boolean not null default false check (was_active or status <> 'active'),
  -- RailCapabilities of rail/rail.ts.
  capabilities jsonb not null,
  -- Encrypted JSON (platform/secrets/encryption.ts); its shape is the adapter's own.
  credential bytea not null,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  -- The processor's own id of an account, once a probe has found it; one row per id. Mandates and open payments are
  -- bound to the row.
  identity text,
  -- When the rail was last asked whether it accepts the account.
  asked_at timestamptz
);
create unique index rail_accounts_one_in_use on rail_accounts (merchant_id, environment) where status <> 'disabled';
create unique index rail_accounts_one_per_identity on rail_accounts (merchant_id, environment, rail, identity);

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
create index audit_log_subject_id_idx on audit_log (subject_id);
-- One merchant's audit log, newest first.
create index audit_log_by_merchant on audit_log (merchant_id, id desc);
