/** Page tokens that the previous release wrote in plain text: sessions, and pinned answers with a page's address. */
import { z } from 'zod';
import { type KeyName, type PinnedAnswer, plainAnswer } from '../core/idempotency.ts';
import { type Db, sql } from '../core/pool.ts';
import type { NewPageToken } from './create-session.ts';

const plainSession = z.object({ id: z.string(), session_id: z.string() });
type PlainSession = z.infer<typeof plainSession>;

export function sessionsWithPlainToken(db: Db, limit: number): Promise<readonly PlainSession[]> {
  return db.any(sql.type(plainSession)`
    select id, session_id from checkouts where session_id is not null limit ${limit}
  `);
}

/** A session that this release wrote has its hash and its sealed token already. */
export async function clearPlainToken(
  db: Db,
  { id, session_id: token }: PlainSession,
  { hash, sealed }: NewPageToken,
): Promise<void> {
  await db.query(sql.unsafe`
    update checkouts set session_id = null,
      page_token_hash = coalesce(page_token_hash, ${sql.binary(hash)}),
      page_token = coalesce(page_token, ${sql.binary(sealed)})
    where id = ${id} and session_id = ${token}
  `);
}

const plainPinned = z.object({ scope: z.string(), key: z.string(), answer: plainAnswer });
type PlainPinned = z.infer<typeof plainPinned>;

export function answersWithPlainToken(db: Db, limit: number): Promise<readonly PlainPinned[]> {
  return db.any(sql.type(plainPinned)`
    select scope, key, answer from idempotency_keys
    where answer ? 'body' and (path = '/v1/payment-methods/change' or path like '/v1/checkout-clients/%')
    limit ${limit}
  `);
}

export async function replacePinnedAnswer(
  db: Db,
  { scope, key }: KeyName,
  answer: PinnedAnswer,
): Promise<void> {
  await db.query(sql.unsafe`
    update idempotency_keys set answer = ${sql.jsonb(answer)}
    where scope = ${scope} and key = ${key} and answer ? 'body'
  `);
}
