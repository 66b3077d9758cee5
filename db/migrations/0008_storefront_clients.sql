-- Up Migration
-- Storefronts that sell from the browser without an API key: a public id, allowed origins and products.

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
create index on storefront_clients (merchant_id, environment);

create table storefront_client_products (
  client_id text not null references storefront_clients on delete cascade,
  product_id text not null references products,
  primary key (client_id, product_id)
);

-- The session made by a request: a retry after a crash finds it.
create table storefront_sessions (
  operation_id text primary key,
  client_id text not null references storefront_clients,
  checkout_id text unique references checkouts
);
