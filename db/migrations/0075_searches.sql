-- Up Migration
-- The dashboard searches checkouts and invoices by amount, as it does payments; operators search refunds by the rail's id.
create index checkouts_by_amount on checkouts (merchant_id, environment, amount, id desc);
create index invoices_by_amount on invoices (merchant_id, environment, amount, id desc);
create index refunds_by_rail_id on refunds (rail_refund_id) where rail_refund_id is not null;
