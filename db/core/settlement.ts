/**
 * Transactions that record events. They collect the ids, and notify the pool's listener after the commit.
 *
 * `inSettlement` records money movements (rule 40): a document (event or invoice) that cannot be written is set aside
 * in the same transaction instead of rolling it back; the sweep writes it later.
 */
import { errorCode } from './error-code.ts';
import type { Pool, Transaction } from './pool.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

/** Must not throw: the transaction is committed. */
export type CommitListener = (eventIds: readonly string[]) => void;

interface Pass {
  /** Each document gets a savepoint and is set aside when it fails. */
  readonly setsAside: boolean;
  documentFailed: boolean;
}

interface Recording {
  readonly eventIds: string[];
  readonly counts: (() => void)[];
  /** Absent: a document that cannot be written rolls back the transaction or savepoint. */
  readonly pass?: Pass | undefined;
}

const listeners = new WeakMap<Pool, CommitListener>();
const recordings = new WeakMap<Transaction, Recording>();

/** One listener per pool. Without one, the sweep's next round has the events delivered. */
export function afterCommits(pool: Pool, listener: CommitListener): void {
  if (listeners.has(pool)) throw new Error('this pool has a listener for its commits');
  listeners.set(pool, listener);
}

/** A transaction that may record events; an event that cannot be written rolls the transaction back. */
export function inTransaction<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return run(pool, undefined, work);
}

/**
 * Runs the work without savepoints, and repeats it with one per document only after a document failed: an ordinary
 * purchase costs no extra round trip.
 */
export async function inSettlement<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const first: Pass = { setsAside: false, documentFailed: false };
  try {
    return await run(pool, first, work);
  } catch (error) {
    if (!first.documentFailed || isDatabaseUnavailable(error)) throw error;
    return run(pool, { setsAside: true, documentFailed: true }, work);
  }
}

async function run<Result>(
  pool: Pool,
  pass: Pass | undefined,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let eventIds: string[] = [];
  let counts: (() => void)[] = [];
  const result = await pool.transaction((tx) => {
    // slonik retries a transaction after a deadlock: start with empty lists.
    eventIds = [];
    counts = [];
    recordings.set(tx, { eventIds, counts, pass });
    return work(tx);
  });
  if (eventIds.length > 0) listeners.get(pool)?.(eventIds);
  for (const count of counts) count();
  return result;
}

/** The ids of a savepoint that is rolled back are dropped. */
async function inSavepoint<Result>(
  outer: Transaction,
  write: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let eventIds: string[] = [];
  let counts: (() => void)[] = [];
  const result = await outer.transaction((inner) => {
    eventIds = [];
    counts = [];
    recordings.set(inner, { eventIds, counts });
    return write(inner);
  });
  recordingOf(outer).eventIds.push(...eventIds);
  recordingOf(outer).counts.push(...counts);
  return result;
}

/** Adds an event to those that the listener gets if this transaction commits. */
export function noteEvent(tx: Transaction, eventId: string): void {
  recordingOf(tx).eventIds.push(eventId);
}

/**
 * Counts after the commit, so that a write that fails and is retried is not counted as sales. In a transaction that
 * records no events it counts at once. `count` must not throw.
 */
export function countAfterCommit(tx: Transaction, count: () => void): void {
  const recording = recordings.get(tx);
  if (recording) recording.counts.push(count);
  else count();
}

function recordingOf(tx: Transaction): Recording {
  const recording = recordings.get(tx);
  if (!recording) {
    throw new Error('record events only in a transaction of inTransaction or inSettlement');
  }
  return recording;
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
  const pass = recordings.get(tx)?.pass;
  if (!pass) return write(tx);
  try {
    return await (pass.setsAside ? inSavepoint(tx, write) : write(tx));
  } catch (error) {
    pass.documentFailed = true;
    if (!pass.setsAside || isDatabaseUnavailable(error)) throw error;
    return setAside(errorCode(error));
  }
}

/**
 * Writes several documents in the caller's transaction.
 * @param oneByOne instead, where a document that fails is set aside
 */
export async function writeTogether(
  tx: Transaction,
  write: (tx: Transaction) => Promise<void>,
  oneByOne: () => Promise<void>,
): Promise<void> {
  const pass = recordings.get(tx)?.pass;
  if (pass?.setsAside) return oneByOne();
  try {
    await write(tx);
  } catch (error) {
    if (pass) pass.documentFailed = true;
    throw error;
  }
}
