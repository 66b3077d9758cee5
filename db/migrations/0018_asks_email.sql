-- Up Migration
-- The request carried no email, so the page asks for one: an address known from an earlier purchase is not shown.
alter table checkouts add column asks_email boolean not null default false;
