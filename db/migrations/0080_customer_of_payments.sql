-- Up Migration
-- The buyer of a payment, as its checkout, order or invoice names it: the payments of a buyer are one range of an index.
-- Not a foreign key: those rows have it, and keep the customer as long as the payment. Null for a manual payment without
-- an order.
alter table payments add column customer_id text;

-- The processes of the last release do not write the column.
create function set_customer_of_payment() returns trigger language plpgsql as $$
begin
  new.customer_id := coalesce(
    (select customer_id from checkouts where id = new.checkout_id),
    (select customer_id from orders where id = new.order_id),
    (select customer_id from invoices where id = new.invoice_id));
  return new;
end $$;
create trigger customer_of_payment before insert on payments
  for each row when (new.customer_id is null) execute function set_customer_of_payment();
