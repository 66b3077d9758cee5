/** Records as succeeded a refund that was settled as failed although the rail executed it (`refund_carried_out`). */
import type { ResolveCommand } from '../../domain/core/resolution.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inSettlementTransaction } from '../invoice/invoices.ts';
import { auditRefund, lockRefund, settle } from './record-refund.ts';

/**
 * Requires that the alert is open, that the rail's last answer confirms a refund of this amount, and that at least this
 * amount of the payment is left: a later refund may have used it.
 * @returns whether the refund was recorded, with its event and credit note; `no_room` leaves the alert open
 */
export function settleCarriedOut(
  pool: Pool,
  refundId: string,
  request: ResolveCommand,
): Promise<'settled' | 'not_carried_out' | 'no_room'> {
  return inSettlementTransaction(pool, async (tx) => {
    const refund = await lockRefund(tx, refundId);
    if (refund.status !== 'failed' || !(await isCarriedOut(tx, refundId))) return 'not_carried_out';
    const { rowCount } = await tx.query(sql.typeAlias('void')`
      update payments set refunded_amount = refunded_amount + ${refund.amount}
      where id = ${refund.payment_id} and refunded_amount + ${refund.amount} <= amount
    `);
    if (rowCount === 0) return 'no_room';
    await auditRefund(tx, refund, request, 'succeeded');
    await settle(tx, refund, 'succeeded', null);
    await tx.query(sql.typeAlias('void')`
      update operator_alerts set closed_at = service_clock()
      where reference = ${refundId} and code in ('refund_carried_out', 'refund_failed') and closed_at is null
    `);
    return 'settled';
  });
}

function isCarriedOut(tx: Transaction, refundId: string): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from operator_alerts
    where reference = ${refundId} and code = 'refund_carried_out' and closed_at is null
      and (select outcome from rail_answers where reference = ${refundId} order by id desc limit 1) = 'succeeded'
  `);
}
