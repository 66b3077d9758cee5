/** Refunds: one row per account and reference. */
import { type Db, maybeOne, one, run } from './pool.ts';

export interface Refund {
  readonly id: string;
  readonly accountId: string;
  readonly reference: string;
  readonly chargeReference: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: 'succeeded' | 'failed';
  readonly failureCode: string | null;
  readonly createdAt: string;
}

const COLUMNS = `id, account_id as "accountId", reference, charge_reference as "chargeReference", amount,
  currency, status, failure_code as "failureCode", created_at as "createdAt"`;

export async function findRefund(db: Db, accountId: string, reference: string): Promise<Refund | null> {
  return maybeOne<Refund>(db, `select ${COLUMNS} from refunds where account_id = $1 and reference = $2`, [
    accountId,
    reference,
  ]);
}

export interface RefundPage {
  readonly refunds: readonly Refund[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Refunds made at or after an instant, in order.
 * @param after `next` of the previous page
 */
export async function listRefunds(
  db: Db,
  accountId: string,
  since: string,
  after: string | null,
  limit: number,
): Promise<RefundPage> {
  const [instant, reference] = after?.split('~') ?? [since, ''];
  const rows = await run<Refund & { readonly position: string }>(
    db,
    `select ${COLUMNS},
       to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '~' || reference as position
     from refunds
     where account_id = $1 and (created_at, reference) > ($2::timestamptz, $3)
     order by created_at, reference limit $4`,
    [accountId, instant, reference, limit],
  );
  return {
    refunds: rows.map(({ position, ...refund }) => refund),
    next: rows.length < limit ? null : (rows.at(-1)?.position ?? null),
  };
}

/** The refunded part of a charge; a caller that refunds must hold the charge's lock. */
export async function refundedAmount(db: Db, accountId: string, chargeReference: string): Promise<number> {
  const { amount } = await one<{ amount: number }>(
    db,
    `select coalesce(sum(amount), 0)::integer as amount from refunds
     where account_id = $1 and charge_reference = $2 and status = 'succeeded'`,
    [accountId, chargeReference],
  );
  return amount;
}

export type NewRefund = Omit<Refund, 'id' | 'createdAt'>;

export async function insertRefund(db: Db, refund: NewRefund): Promise<Refund> {
  return one<Refund>(
    db,
    `insert into refunds (account_id, reference, charge_reference, amount, currency, status, failure_code)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
    [
      refund.accountId,
      refund.reference,
      refund.chargeReference,
      refund.amount,
      refund.currency,
      refund.status,
      refund.failureCode,
    ],
  );
}
