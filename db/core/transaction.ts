/** Transactions with work that must only happen after the commit: waking endpoints, counting. */
import type { Pool, Transaction } from './pool.ts';

/** Must not throw: the transaction is committed. */
type Callback = (pool: Pool) => void;

const callbacksOf = new WeakMap<Transaction, Callback[]>();

/** A transaction that may use `afterCommit`. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let callbacks: Callback[] = [];
  const result = await pool.transaction((tx) => {
    // slonik retries a transaction after a deadlock, so each run starts with an empty list.
    callbacks = [];
    callbacksOf.set(tx, callbacks);
    return work(tx);
  });
  for (const callback of callbacks) callback(pool);
  return result;
}

/** Calls back once if this transaction commits; a run of it that fails and is retried does not call back. */
export function afterCommit(tx: Transaction, callback: Callback): void {
  const callbacks = callbacksOf.get(tx);
  if (!callbacks) throw new Error('this transaction must be opened by inTransaction');
  callbacks.push(callback);
}
