/**
 * Idempotency keys (docs/contract.md#idempotency, rule 26). A request claims its key under a lease that it renews. A
 * retry takes over an expired lease with its operation id, and so resumes what a dead process began. Method, path and
 * body hash are fixed by the first request.
 */
import { z } from 'zod';
import { deleteOldRefusals } from './delete-old-rows.ts';
import { camelCased, type Db, sql } from './pool.ts';

export interface KeyName {
  /** `merchant:<id>:<environment>`, `merchant:<id>:people` or `client:<public id>`. */
  readonly scope: string;
  readonly key: string;
}

export interface KeyedRequest extends KeyName {
  readonly method: string;
  readonly path: string;
  /** SHA-256 of the body's canonical JSON. */
  readonly bodyHash: Buffer;
  readonly leaseSeconds: number;
  /** True if a successful request's key is kept indefinitely instead of for 30 days. */
  readonly movesMoney: boolean;
}

const answerHead = { status: z.number(), requestId: z.string(), flowId: z.string().nullable() };
/** The exact text of the response's body. */
const plainAnswer = z.object({ ...answerHead, body: z.string() });
const pinnedAnswer = z.union([
  plainAnswer,
  /** The body encrypted and base64-encoded, if it contains a secret. */
  z.object({ ...answerHead, sealedBody: z.string() }),
]);
export type PinnedAnswer = z.infer<typeof pinnedAnswer>;

/** `until` identifies the lease: only its holder renews or releases it. */
const leaseRow = { operation_id: z.string(), until: z.string() };
const lease = camelCased(leaseRow);
export type Lease = z.infer<typeof lease>;
/** While no money may move, a row that the request names may be missing (rule 29), so a refusal is not final. */
const taken = camelCased({ ...leaseRow, is_final: z.boolean(), is_first: z.boolean() });

export type Claim =
  | { readonly kind: 'mine'; readonly lease: Lease; readonly isFinal: boolean; readonly isFirst: boolean }
  | { readonly kind: 'answered'; readonly answer: PinnedAnswer }
  | { readonly kind: 'running' }
  | { readonly kind: 'conflict' };

export async function claimKey(db: Db, request: KeyedRequest): Promise<Claim> {
  for (;;) {
    const mine = await takeLease(db, request);
    if (mine) {
      const { isFinal, isFirst, ...lease } = mine;
      return { kind: 'mine', lease, isFinal, isFirst };
    }
    const known = await readKey(db, request);
    // The key was deleted between the two statements: claim it again.
    if (!known) continue;
    if (!known.isSameRequest) return { kind: 'conflict' };
    return known.answer ? { kind: 'answered', answer: known.answer } : { kind: 'running' };
  }
}

function takeLease(db: Db, request: KeyedRequest): Promise<z.infer<typeof taken> | null> {
  return db.maybeOne(sql.type(taken)`
    insert into idempotency_keys as known
      (scope, key, operation_id, method, path, body_hash, lease_until)
    values (${request.scope}, ${request.key}, ${operationIdOf(request)}, ${request.method}, ${request.path},
      ${sql.binary(request.bodyHash)}, ${leaseEnd(request.leaseSeconds)})
    on conflict (scope, key) do update set lease_until = excluded.lease_until
      where known.answer is null and known.lease_until <= service_clock() and known.method = excluded.method
        and known.path = excluded.path and known.body_hash = excluded.body_hash
    returning operation_id, lease_until as until, money_may_move() as is_final,
      known.xmax = 0 as is_first
  `);
}

function readKey(db: Db, { scope, key, method, path, bodyHash }: KeyedRequest) {
  return db.maybeOne(sql.type(camelCased({ is_same_request: z.boolean(), answer: pinnedAnswer.nullable() }))`
    select method = ${method} and path = ${path} and body_hash = ${sql.binary(bodyHash)} as is_same_request, answer
    from idempotency_keys where scope = ${scope} and key = ${key}
  `);
}

/** @returns the renewed lease; null if it expired and another request took over */
export async function renewLease(
  db: Db,
  { scope, key }: KeyName,
  { until }: Lease,
  leaseSeconds: number,
): Promise<Lease | null> {
  return db.maybeOne(sql.type(lease)`
    update idempotency_keys set lease_until = ${leaseEnd(leaseSeconds)}
    where scope = ${scope} and key = ${key} and lease_until = ${until} and answer is null
    returning operation_id, lease_until as until
  `);
}

/**
 * Releases a key whose answer is not pinned, so that the next retry resumes the operation immediately.
 * @param isOver true if the operation had no effect: a retry then gets a new operation id, unless it moves money,
 * because a workflow would repeat its answer to the old id
 */
export async function releaseLease(
  db: Db,
  { scope, key, movesMoney }: Pick<KeyedRequest, 'scope' | 'key' | 'movesMoney'>,
  { until }: Lease,
  isOver = false,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update idempotency_keys set lease_until = service_clock(),
      operation_id = case when ${isOver && !movesMoney} then new_id('op_') else operation_id end
    where scope = ${scope} and key = ${key} and lease_until = ${until} and answer is null
  `);
}

/** Deletes a key whose first request was refused before it had any effect, so that another request may use the key. */
export async function deleteKey(db: Db, { scope, key }: KeyName, { until }: Lease): Promise<void> {
  await db.query(sql.typeAlias('void')`
    delete from idempotency_keys
    where scope = ${scope} and key = ${key} and lease_until = ${until} and answer is null
  `);
}

/** Pins the first response. @returns the pinned response, which all requests with this key get */
export async function pinAnswer(
  db: Db,
  { scope, key, movesMoney }: Pick<KeyedRequest, 'scope' | 'key' | 'movesMoney'>,
  answer: PinnedAnswer,
): Promise<PinnedAnswer> {
  const isRefused = answer.status >= 400;
  await db.query(sql.typeAlias('void')`
    update idempotency_keys set answer = ${sql.jsonb(answer)}, keep_for_ever = ${movesMoney && !isRefused}
    where scope = ${scope} and key = ${key} and answer is null
  `);
  const pinned = await db.maybeOneFirst(sql.type(z.object({ answer: pinnedAnswer }))`
    select answer from idempotency_keys where scope = ${scope} and key = ${key}
  `);
  if (isRefused) await deleteOldRefusals(db, scope);
  return pinned ?? answer;
}

/**
 * Requests that move money have the same operation id in every copy of the database (rule 28), even if the key was
 * deleted without an answer.
 */
function operationIdOf({ scope, key, movesMoney }: KeyedRequest) {
  return movesMoney
    ? sql.fragment`derived_id('op_', to_timestamp(0), 0, concat_ws(' ', 'operation', ${scope}::text, ${key}::text))`
    : sql.fragment`new_id('op_')`;
}

/** In whole milliseconds, the precision of rows as read, because `until` is compared for equality. */
function leaseEnd(seconds: number) {
  return sql.fragment`date_trunc('milliseconds', service_clock()) + ${seconds}::float8 * interval '1 second'`;
}
