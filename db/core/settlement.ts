/**
 * Transactions that record money movements (rule 40). A document (event or invoice) that cannot be written is set aside
 * in the same transaction instead of rolling it back; the sweep writes it later.
 */
import { errorCode } from './error-code.ts';
import type { Pool, Transaction } from './pool.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

interface Pass {
  /** Each document gets a savepoint and is set aside when it fails. */
  readonly setsAside: boolean;
  documentFailed: boolean;
}

const passes = new WeakMap<Transaction, Pass>();

/**
 * Runs the work without savepoints, and repeats it with one per document only after a document failed: an ordinary
 * purchase pays for no extra round trip.
 */
export async function inSettlement<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const first: Pass = { setsAside: false, documentFailed: false };
  try {
    return await inPass(pool, first, work);
  } catch (error) {
    if (!first.documentFailed || isDatabaseUnavailable(error)) throw error;
    return inPass(pool, { setsAside: true, documentFailed: true }, work);
  }
}

function inPass<Result>(pool: Pool, pass: Pass, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return pool.transaction((tx) => {
    passes.set(tx, pass);
    return work(tx);
  });
}

/**
 * Writes a document in the caller's transaction.
 * @param setAside records the failed document instead, inside `inSettlement`
 */
export async function writeDocument<Result>(
  tx: Transaction,
  write: (tx: Transaction) => Promise<Result>,
  setAside: (error: string) => Promise<Result>,
): Promise<Result> {
  const pass = passes.get(tx);
  if (!pass) return write(tx);
  try {
    return await (pass.setsAside ? tx.transaction(write) : write(tx));
  } catch (error) {
    pass.documentFailed = true;
    if (!pass.setsAside || isDatabaseUnavailable(error)) throw error;
    return setAside(errorCode(error));
  }
}
