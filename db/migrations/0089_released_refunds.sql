-- Up Migration
-- When an operator released a refund that may repeat one of a restore's lost time (rule 29). Null: none has.
alter table refunds add column released_at timestamptz;
