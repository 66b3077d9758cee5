/** Runs a call in one transaction with its idempotency key, so that the same key gets the same response. */
import { createHash } from 'node:crypto';
import type { Operation } from '../core/operation-names.ts';
import { Refusal } from '../core/refusal.ts';
import { type KeyUse, keepAnswer, keptAnswer, takeKey } from '../db/idempotency.ts';
import { type Db, inTransaction } from '../db/pool.ts';
import type { Context } from '../operations/context.ts';
import type { RailCall } from './rail-call.ts';

export interface Outcome {
  readonly answer: unknown;
  /** False for a replay of the key's first response. */
  readonly fresh: boolean;
}

/** @param body as parsed, so that its hash does not depend on the order of the fields */
export async function idempotently(
  { pool }: Context,
  { account, idempotencyKey }: RailCall,
  operation: Operation,
  body: unknown,
  work: (db: Db) => Promise<unknown>,
): Promise<Outcome> {
  const use: KeyUse = {
    accountId: account.id,
    key: validKey(idempotencyKey),
    operation,
    bodySha256: sha256(body),
  };
  return inTransaction(pool, async (db) => {
    if (!(await takeKey(db, use))) return { answer: await replay(db, use), fresh: false };
    const answer = await work(db);
    await keepAnswer(db, use, answer);
    return { answer, fresh: true };
  });
}

async function replay(db: Db, use: KeyUse): Promise<unknown> {
  const answer = await keptAnswer(db, use);
  if (answer === null)
    throw new Refusal(409, 'idempotency_key_conflict', 'the key has been used for another call');
  return answer;
}

function validKey(key: string | null): string {
  if (key && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Refusal(
    400,
    'idempotency_key_invalid',
    'Idempotency-Key must have 1 to 255 printable characters',
  );
}

function sha256(body: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(body)).digest();
}
