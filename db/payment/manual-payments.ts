/**
 * Manual payments, which exist only in the ledger: without a session, invoice or rail account, and so without a
 * workflow, look-up or charge at the rail.
 */
import { type Payment, payment } from '../../contract/payment/resources.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { type Db, sql } from '../core/pool.ts';

export interface ManualCharge {
  readonly scope: Scope;
  /** Identifies the charge, so that a repeated request returns the existing payment. */
  readonly operationId: string;
  readonly target: { readonly orderId: string } | { readonly amount: number; readonly currency: string };
}

/** @returns null if the merchant has no such order in this environment */
export async function insertManualPayment(db: Db, charge: ManualCharge): Promise<Payment | null> {
  const { scope, target } = charge;
  const claimId = `manual:${charge.operationId}`;
  const what =
    'orderId' in target
      ? sql.fragment`select id as order_id, customer_id, amount, currency from orders
          where id = ${target.orderId} and merchant_id = ${scope.merchantId} and environment = ${scope.environment}`
      : sql.fragment`select null::text as order_id, null::text as customer_id, ${target.amount}::integer as amount, ${target.currency}::text as currency`;
  await db.query(sql.typeAlias('void')`
    insert into payments (merchant_id, environment, order_id, customer_id, attempt_no, claim_id, status, amount, currency)
    select ${scope.merchantId}, ${scope.environment}, what.order_id, what.customer_id, 1, ${claimId}, 'processing', what.amount,
      what.currency
    from (${what}) what
    on conflict (claim_id) do nothing
  `);
  return db.maybeOne(sql.type(payment)`
    select id, order_id, rail_account_id, rail_order_id, rail, payment_method, status, amount, currency,
      failure_code, failure_message, created_at, updated_at
    from payments
    where claim_id = ${claimId} and merchant_id = ${scope.merchantId} and environment = ${scope.environment}
  `);
}
