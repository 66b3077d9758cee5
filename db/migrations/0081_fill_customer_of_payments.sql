-- No transaction
-- Purchases go on meanwhile. Each statement can be repeated after a crash.
-- Commits each thousand, and passes rows that a purchase holds: they are filled in the next round.
create or replace procedure fill_customer_of_payments() language plpgsql as $$
declare
  last text;
  through text;
begin
  loop
    last := '';
    loop
      select max(id) into through from (select id from payments where id > last order by id limit 1000) batch;
      exit when through is null;
      update payments p set customer_id = found.customer_id
      from (
        select b.id, coalesce(c.customer_id, o.customer_id, i.customer_id) as customer_id
        from payments b left join checkouts c on c.id = b.checkout_id left join orders o on o.id = b.order_id
          left join invoices i on i.id = b.invoice_id
        where b.id > last and b.id <= through and b.customer_id is null
          and coalesce(b.checkout_id, b.order_id, b.invoice_id) is not null
        for no key update of b skip locked
      ) found
      where p.id = found.id;
      commit;
      last := through;
    end loop;
    exit when not exists (
      select from payments where customer_id is null and coalesce(checkout_id, order_id, invoice_id) is not null);
    perform pg_sleep(0.1);
  end loop;
end $$;

call fill_customer_of_payments();

-- A crash leaves an index that is not valid.
drop index concurrently if exists payments_of_customer;

-- A search reads a page of each status at its place, so that neither a rare status nor a large buyer is walked past.
create index concurrently payments_of_customer on payments (customer_id, status, unix_ms(created_at), id);

drop procedure fill_customer_of_payments();
