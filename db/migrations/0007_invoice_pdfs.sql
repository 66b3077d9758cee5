-- Up Migration
-- The document of an invoice as it was first handed out: handed out again it is the same to the byte, whatever
-- became of the code that drew it.
create table invoice_pdfs (
  invoice_id text primary key references invoices,
  bytes bytea not null,
  created_at timestamptz not null default service_clock()
);
