/**
 * Transactions that record what happened to money (rule 40). A document that cannot be written with them, an
 * event or an invoice, is set aside in the same transaction instead of undoing it; the sweep writes it later.
 */
import { errorCode } from './error-code.ts';
import type { Pool, Transaction } from './pool.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

interface Pass {
  /** Each document has a savepoint, and is set aside when it fails. */
  readonly setsAside: boolean;
  documentFailed: boolean;
}

const passes = new WeakMap<Transaction, Pass>();

/**
 * Runs the work once as it is. Only when a document failed does it run again with a savepoint around each: an
 * ordinary purchase pays no round trip for them.
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
 * @param setAside in a transaction of `inSettlement`, what takes the document's place when it cannot be written
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
