-- Up Migration
-- A merchant's request that Temporal remembers and a restored database has lost: listed under its subscription's id.
alter table restore_findings drop constraint restore_findings_kind_check,
  add constraint restore_findings_kind_check check (kind in ('charge', 'refund', 'request'));
