/** Every call that the rail received, in order, without cards, tokens and credentials. */
import { type Db, one, run } from './pool.ts';

export interface ReceivedRequest {
  /** Null for an unknown caller. */
  readonly account: string | null;
  readonly operation: string;
  readonly reference: string | null;
  readonly idempotencyKey: string | null;
  /** Rejected as `rate_limited` or `lock_timeout` without effect: the caller repeats it. */
  readonly busy: boolean;
  readonly at: string;
}

/** @returns the position in the order of requests */
export async function recordRequest(db: Db, request: Omit<ReceivedRequest, 'at' | 'busy'>): Promise<number> {
  const { sequence } = await one<{ sequence: number }>(
    db,
    `insert into requests (account_id, operation, reference, idempotency_key) values ($1, $2, $3, $4)
     returning sequence`,
    [request.account, request.operation, request.reference, request.idempotencyKey],
  );
  return sequence;
}

export async function recordBusy(db: Db, sequence: number): Promise<void> {
  await run(db, 'update requests set busy = true where sequence = $1', [sequence]);
}

export async function countRequests(
  db: Db,
  accountId: string,
  operation: string,
  reference: string,
): Promise<number> {
  const { count } = await one<{ count: number }>(
    db,
    `select count(*)::integer as count from requests
     where account_id = $1 and operation = $2 and reference = $3`,
    [accountId, operation, reference],
  );
  return count;
}

/** @param accountId null means all accounts */
export async function readRequests(db: Db, accountId: string | null): Promise<ReceivedRequest[]> {
  return run<ReceivedRequest>(
    db,
    `select account_id as account, operation, reference, idempotency_key as "idempotencyKey", busy, at from requests
     where $1::text is null or account_id = $1 order by sequence`,
    [accountId],
  );
}
