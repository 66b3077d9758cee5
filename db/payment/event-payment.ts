/** A payment as events show it: the contract's fields, and beside them what the charge amounts to. */
import { sql } from '../core/pool.ts';

/** Of `payments p`; null without one. */
export const eventPaymentOf = sql.fragment`
  case when p.id is not null then jsonb_build_object('id', p.id, 'rail', p.rail, 'status', p.status) end as payment,
  case when p.id is not null then jsonb_build_object('amount', p.amount, 'currency', p.currency,
    'failure_code', p.failure_code) end as charge`;
