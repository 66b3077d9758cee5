-- Up Migration
alter table requests add column busy boolean not null default false;
