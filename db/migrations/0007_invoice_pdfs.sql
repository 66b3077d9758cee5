-- Up Migration
-- Invoice PDFs as first served: later downloads are identical to the byte, even after the renderer has
-- changed.
create table invoice_pdfs (
  invoice_id text primary key references invoices,
  bytes bytea not null,
  created_at timestamptz not null default service_clock()
);
