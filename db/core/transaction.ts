/** Transactions that record events and counts: commit, then notify the pool's listener of the events, and count. */
import type { Pool, Transaction } from './pool.ts';

/** Must not throw: the transaction is committed. */
export type CommitListener = (eventIds: readonly string[]) => void;

interface Recording {
  readonly eventIds: string[];
  readonly counts: (() => void)[];
}

const listeners = new WeakMap<Pool, CommitListener>();
const recordings = new WeakMap<Transaction, Recording>();

/** One listener per pool. Without one, the next sweep triggers delivery of the events. */
export function afterCommits(pool: Pool, listener: CommitListener): void {
  if (listeners.has(pool)) throw new Error('this pool already has a commit listener');
  listeners.set(pool, listener);
}

/** A transaction that may record events and counts; an event that cannot be written rolls it back. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let recording: Recording = { eventIds: [], counts: [] };
  const result = await pool.transaction((tx) => {
    // slonik retries a transaction after a deadlock, so each run starts with empty lists.
    recording = { eventIds: [], counts: [] };
    recordings.set(tx, recording);
    return work(tx);
  });
  if (recording.eventIds.length > 0) listeners.get(pool)?.(recording.eventIds);
  for (const count of recording.counts) count();
  return result;
}

/** Adds an event to the listener's list if this transaction commits. */
export function notifyAfterCommit(tx: Transaction, eventId: string): void {
  recordingOf(tx).eventIds.push(eventId);
}

/**
 * Counts after the commit, so that a write that fails and is retried does not count as several sales. `count` must not
 * throw.
 */
export function countAfterCommit(tx: Transaction, count: () => void): void {
  recordingOf(tx).counts.push(count);
}

function recordingOf(tx: Transaction): Recording {
  const recording = recordings.get(tx);
  if (!recording) throw new Error('events and counts must be recorded in a transaction of inTransaction');
  return recording;
}
