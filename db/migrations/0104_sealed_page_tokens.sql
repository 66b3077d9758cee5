-- Up Migration
-- The secret of a hosted page's address is found by its hash and kept sealed (secrets/secret-box.ts), so that a copy of
-- the database opens no session.
alter table checkouts
  drop column session_id,
  alter column page_token set not null,
  alter column page_token_hash set not null;
