/** Idempotency keys, stored forever: the same key gets the same response. */
import { type Db, maybeOne, run } from './pool.ts';

export interface KeyUse {
  readonly accountId: string;
  readonly key: string;
  readonly operation: string;
  readonly bodySha256: Buffer;
}

/**
 * Claims the key in the current transaction; a concurrent call with the same key waits for the commit. Returns
 * false if the key was used before.
 */
export async function takeKey(db: Db, use: KeyUse): Promise<boolean> {
  const taken = await maybeOne(
    db,
    `insert into idempotency_keys (account_id, key, operation, body_sha256) values ($1, $2, $3, $4)
     on conflict do nothing returning key`,
    [use.accountId, use.key, use.operation, use.bodySha256],
  );
  return taken !== null;
}

export async function keepAnswer(db: Db, use: KeyUse, answer: unknown): Promise<void> {
  await run(db, 'update idempotency_keys set answer = $3 where account_id = $1 and key = $2', [
    use.accountId,
    use.key,
    JSON.stringify(answer),
  ]);
}

/** @returns null if the key was used for another operation or body */
export async function keptAnswer<Answer>(db: Db, use: KeyUse): Promise<Answer | null> {
  const kept = await maybeOne<{ answer: Answer }>(
    db,
    `select answer from idempotency_keys
     where account_id = $1 and key = $2 and operation = $3 and body_sha256 = $4`,
    [use.accountId, use.key, use.operation, use.bodySha256],
  );
  return kept?.answer ?? null;
}
