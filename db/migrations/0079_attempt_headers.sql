-- The headers of each attempt as they were sent, signature included; null for attempts before this release. They lead to
-- no secret, and go with their row.
alter table delivery_attempts add column request_headers jsonb;
