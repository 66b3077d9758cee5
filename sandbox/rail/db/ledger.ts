/** The money that the rail moved, for tests to compare with the service's records. */
import { type Db, run } from './pool.ts';

export interface LedgerEntry {
  readonly reference: string;
  readonly operation: 'authorize' | 'chargeStored' | 'refund';
  /** 0 if a mandate was stored and no money moved. */
  readonly amount: number;
  readonly currency: string;
  readonly outcome: 'approved' | 'succeeded';
  readonly at: string;
}

export async function enterInLedger(
  db: Db,
  accountId: string,
  entry: Omit<LedgerEntry, 'at'>,
): Promise<void> {
  await run(
    db,
    `insert into ledger (account_id, reference, operation, amount, currency, outcome)
     values ($1, $2, $3, $4, $5, $6)`,
    [accountId, entry.reference, entry.operation, entry.amount, entry.currency, entry.outcome],
  );
}

/** @param accountId null means all accounts */
export async function readLedger(db: Db, accountId: string | null): Promise<LedgerEntry[]> {
  return run<LedgerEntry>(
    db,
    `select reference, operation, amount, currency, outcome, at from ledger
     where $1::text is null or account_id = $1 order by sequence`,
    [accountId],
  );
}
