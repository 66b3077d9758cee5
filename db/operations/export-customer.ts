import { z } from 'zod';
import {
  type ExportedCustomer,
  exportedCustomer,
} from '../../contract/operations/customer-export-and-erasure.ts';
import type { Actor } from '../core/audit.ts';
import { type Fragment, type Pool, sql } from '../core/pool.ts';
import { aggregatesOf, audited, findCustomer, paymentsOf } from './customer-data.ts';

/**
 * Exports the customer's data as one JSON document, with an audit row.
 *
 * @throws CustomerRefusal
 */
export async function exportCustomer(pool: Pool, id: string, by: Actor): Promise<ExportedCustomer> {
  return pool.transaction(async (tx) => {
    const customer = await findCustomer(tx, id);
    const exported = await tx.oneFirst(sql.type(z.object({ exported: exportedCustomer }))`
      select jsonb_build_object(
        'customer', (select to_jsonb(c) from customers c where c.id = ${id}),
        'sessions', ${rows(sql.fragment`
          select id, state, amount, currency, merchant_reference, buyer, success_url, fail_url, created_at
          from checkouts where customer_id = ${id}`)},
        'clicks', ${rows(sql.fragment`
          select p.checkout_id, p.method_type, p.email, p.created_at
          from clicks p join checkouts c on c.id = p.checkout_id where c.customer_id = ${id}`)},
        'orders', ${rows(sql.fragment`
          select id, status, amount, currency, external_reference, line_items, created_at
          from orders where customer_id = ${id}`)},
        'payments', ${rows(sql.fragment`
          select id, order_id, checkout_id, status, amount, currency, payment_method, created_at
          from ${paymentsOf(id)} payment`)},
        'refunds', ${rows(sql.fragment`
          select r.id, r.payment_id, r.status, r.amount, r.reason, r.created_at
          from refunds r join ${paymentsOf(id)} p on p.id = r.payment_id`)},
        'disputes', ${rows(sql.fragment`
          select d.id, d.payment_id, d.status, d.amount, d.currency, d.reason, d.opened_at, d.created_at
          from disputes d join ${paymentsOf(id)} p on p.id = d.payment_id`)},
        'subscriptions', ${rows(sql.fragment`
          select id, status, amount, currency, payment_method, current_period_end, created_at
          from subscriptions where customer_id = ${id}`)},
        'invoices', ${rows(sql.fragment`
          select id, number, status, amount, currency, customer, line_items, issued_at, created_at
          from invoices where customer_id = ${id}`)},
        'credit_notes', ${rows(sql.fragment`
          select id, number, invoice_id, refund_id, reason, amount, currency, customer, line_items, issued_at,
            issued_at as created_at
          from credit_notes where customer_id = ${id}`)},
        'changes', ${rows(sql.fragment`
          select id, actor, before, after, at as created_at
          from audit_log where action = 'customer.update' and subject_id = ${id}`)},
        'events', ${rows(sql.fragment`
          select id, type, occurred_at as created_at, body::jsonb as body
          from events where aggregate_id in ${aggregatesOf(id)}`)}
      ) as exported`);
    await audited(tx, customer, 'customer.exported', by, {});
    return exported;
  });
}

function rows(select: Fragment) {
  return sql.fragment`(select coalesce(jsonb_agg(to_jsonb(found) order by found.created_at), '[]') from (${select}) found)`;
}
