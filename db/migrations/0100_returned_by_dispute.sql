-- Up Migration
-- An orphaned charge whose dispute was lost: the bank has given the buyer the money back.
alter table orphaned_charges
  drop constraint orphaned_charges_returned_by_check,
  add constraint orphaned_charges_returned_by_check check (returned_by in ('cancel', 'refund', 'operator', 'dispute'));
