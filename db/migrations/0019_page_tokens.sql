-- Up Migration
-- The secret of a hosted page's address is found by its hash and kept sealed, so that a copy of the database opens
-- no session. The last release writes it in plain text, to `session_id` by that column's default and to pinned
-- answers; the sweep seals both and clears the plain text. No row is rewritten here: the last release keeps working
-- and no table stays locked.
alter table checkouts
  alter column session_id drop not null,
  -- SHA-256.
  add column page_token_hash bytea,
  -- Sealed (secrets/secret-box.ts).
  add column page_token bytea,
  add check (session_id is not null or (page_token is not null and page_token_hash is not null)) not valid;

create unique index on checkouts (page_token_hash) where page_token_hash is not null;

-- Pinned answers that hold a page's address in plain text: db/session/plain-tokens.ts.
create index on idempotency_keys (scope, key)
  where answer ? 'body' and (path = '/v1/payment-methods/change' or path like '/v1/checkout-clients/%');
