-- Up Migration
-- What browsers report of the content security policies (PCI DSS 11.6.1), counted by kind and day. Reports are
-- anonymous and may be forged: nothing of them is stored that could name a session or a buyer.
create table policy_reports (
  day date not null,
  -- page, challenge, fields or other.
  document text not null,
  directive text not null,
  -- An origin, a scheme or a keyword such as inline.
  blocked text not null,
  count bigint not null default 1,
  last_at timestamptz not null default service_clock(),
  primary key (day, document, directive, blocked)
);
