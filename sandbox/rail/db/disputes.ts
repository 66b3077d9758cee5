/** Disputes: a buyer's bank takes a charge back, and the merchant may object. */
import { type Db, maybeOne, one, run } from './pool.ts';

export interface Dispute {
  readonly id: string;
  readonly accountId: string;
  readonly chargeReference: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
  readonly status: 'open' | 'won' | 'lost';
  readonly evidenceDueBy: string;
  readonly createdAt: string;
}

const COLUMNS = `id, account_id as "accountId", charge_reference as "chargeReference", amount, currency, reason,
  status, evidence_due_by as "evidenceDueBy", created_at as "createdAt"`;

export type NewDispute = Pick<Dispute, 'accountId' | 'chargeReference' | 'amount' | 'currency' | 'reason'>;

/** Inserts a dispute whose evidence is due in a week. */
export async function insertDispute(db: Db, dispute: NewDispute): Promise<Dispute> {
  return one<Dispute>(
    db,
    `insert into disputes (account_id, charge_reference, amount, currency, reason, evidence_due_by)
     values ($1, $2, $3, $4, $5, clock_timestamp() + interval '7 days') returning ${COLUMNS}`,
    [dispute.accountId, dispute.chargeReference, dispute.amount, dispute.currency, dispute.reason],
  );
}

/** @returns null if no dispute of the charge is open */
export async function setDecided(
  db: Db,
  accountId: string,
  chargeReference: string,
  status: 'won' | 'lost',
): Promise<Dispute | null> {
  return maybeOne<Dispute>(
    db,
    `update disputes set status = $3
     where account_id = $1 and charge_reference = $2 and status = 'open' returning ${COLUMNS}`,
    [accountId, chargeReference, status],
  );
}

/** Disputes opened at or after an instant. */
export async function listDisputesSince(db: Db, accountId: string, since: string): Promise<Dispute[]> {
  return run<Dispute>(
    db,
    `select ${COLUMNS} from disputes where account_id = $1 and created_at >= $2 order by id`,
    [accountId, since],
  );
}

export async function listDisputes(db: Db, accountId: string, chargeReference: string): Promise<Dispute[]> {
  return run<Dispute>(
    db,
    `select ${COLUMNS} from disputes where account_id = $1 and charge_reference = $2 order by id`,
    [accountId, chargeReference],
  );
}
