/** Disputes as the rail would report them. */
import { randomUUID } from 'node:crypto';
import type { Pool } from '../../../db/core/pool.ts';
import { recordDisputes } from '../../../db/dispute/record-disputes.ts';
import type { DisputeStatus } from '../../../domain/dispute/dispute.ts';
import type { Shop } from './fixtures.ts';

interface DisputeToInsert {
  readonly status: DisputeStatus;
  readonly amount?: number;
  /** The processor's id: reusing one changes the dispute. */
  readonly railDisputeId?: string;
}

export async function insertDispute(
  pool: Pool,
  { merchantId, environment, railAccountId }: Shop,
  paymentId: string,
  { status, amount = 1_900, railDisputeId = `dp_${randomUUID()}` }: DisputeToInsert,
): Promise<void> {
  const payment = { paymentId, merchantId, environment, railAccountId, railEventIds: [] };
  await recordDisputes(pool, payment, [
    {
      railDisputeId,
      status,
      amountCents: amount,
      currency: 'EUR',
      reason: 'fraudulent',
      openedAt: new Date().toISOString(),
      evidenceDueBy: null,
    },
  ]);
}
