-- Up Migration
-- What a merchant sells. Products, prices and offerings serve both environments; coupons belong to one.

create table offerings (
  id text primary key default new_id('ap_off_'),
  merchant_id text not null references merchants,
  name text not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create index offerings_merchant_id_idx on offerings (merchant_id);

create table products (
  id text primary key default new_id('ap_prod_'),
  merchant_id text not null references merchants,
  offering_id text references offerings,
  name text not null,
  description text,
  metadata jsonb not null default '{}',
  external_reference text,
  -- The quantities that may be bought at once; null for one only.
  quantity_min integer check (quantity_min >= 1),
  quantity_max integer check (quantity_max between quantity_min and 10000),
  -- How many periods a purchased subscription is charged for; null for no limit.
  billing_cycles integer check (billing_cycles between 1 and 1000),
  -- One per customer: counted within the offering, or for the product alone if it has no offering.
  one_subscription_per_customer boolean not null default false,
  one_trial_per_customer boolean not null default false,
  -- The address from which the image was fetched on saving, and the image that is served: { name, width, height }.
  image_url text,
  image jsonb,
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  check ((quantity_min is null) = (quantity_max is null))
);
create index products_merchant_id_id_idx on products (merchant_id, id desc);
create unique index products_merchant_id_external_reference_idx on products (merchant_id, external_reference)
  where external_reference is not null;
-- The plans of an offering.
create index products_offering_id_idx on products (offering_id) where offering_id is not null;

-- Product images, named by a hash of their content. Never deleted, because existing sessions keep showing them.
create table product_images (
  name text primary key,
  body bytea not null,
  created_at timestamptz not null default service_clock()
);

create table prices (
  id text primary key default new_id('ap_price_'),
  product_id text not null references products,
  amount integer not null check (amount > 0),
  currency text not null default 'EUR',
  tax_rate numeric(5,2) not null default 0 check (tax_rate >= 0),
  billing_mode text not null check (billing_mode in ('one_time', 'recurring')),
  -- A recurring price without an interval cannot be billed: it is stored, and rejected with 422 when used.
  interval text check (interval in ('day', 'week', 'month', 'year')),
  interval_count integer check (interval_count > 0),
  trial_period_days integer check (trial_period_days > 0),
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz not null default service_clock(),
  -- When it last became active; its creation if it never did.
  activated_at timestamptz not null default service_clock()
);
create unique index prices_one_active_per_product on prices (product_id) where status = 'active';
-- All prices of a product, not only the active one.
create index prices_product_id_id_idx on prices (product_id, id desc);

create table coupons (
  id text primary key default new_id('ap_cpn_'),
  merchant_id text not null references merchants,
  environment text not null check (environment in ('sandbox', 'production')),
  code text not null,
  -- The code as it is compared, without case (domain/catalogue/coupon.ts).
  compared_code text not null,
  percent integer check (percent between 1 and 100),
  -- Cents of each charged period.
  amount integer check (amount > 0),
  duration text not null check (duration in ('once', 'repeating', 'forever')),
  periods integer check (periods > 0),
  -- Null for every product.
  product_ids text[] check (cardinality(product_ids) > 0),
  first_purchase_only boolean not null default false,
  valid_from timestamptz,
  valid_until timestamptz,
  max_redemptions integer check (max_redemptions > 0),
  max_per_customer integer check (max_per_customer > 0),
  status text not null default 'active' check (status in ('active', 'stopped')),
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock(),
  check (num_nonnulls(percent, amount) = 1),
  check ((duration = 'repeating') = (periods is not null))
);
-- A stopped coupon frees its code.
create unique index coupons_one_active_per_code on coupons (merchant_id, environment, compared_code)
  where status = 'active';
-- Finds whether a new session asks for a code without reading expired personal codes, of which there are many.
create index coupons_usable on coupons (merchant_id, environment, coalesce(valid_until, 'infinity'))
  where status = 'active';
create index coupons_merchant_id_environment_id_idx on coupons (merchant_id, environment, id desc);

create table storefront_clients (
  -- The public id.
  id text primary key default new_id('ap_pcl_'),
  merchant_id text not null references merchants,
  environment text not null check (environment in ('sandbox', 'production')),
  name text not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  -- As browsers send them: scheme, host, and port unless it is the default; compared literally.
  origins text[] not null check (cardinality(origins) > 0 and array_position(origins, 'null') is null),
  success_url text,
  fail_url text,
  created_at timestamptz not null default service_clock(),
  updated_at timestamptz not null default service_clock()
);
create index storefront_clients_merchant_id_environment_idx on storefront_clients (merchant_id, environment);

create table storefront_client_products (
  client_id text not null references storefront_clients on delete cascade,
  product_id text not null references products,
  primary key (client_id, product_id)
);
