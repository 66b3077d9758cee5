-- Up Migration
-- Management of the catalogue and of storefront clients.

-- All prices of a product, not only the active one.
create index on prices (product_id, id desc);
-- The plans of an offering.
create index on products (offering_id) where offering_id is not null;
