/** Commands about large amounts: stored until another person confirms them (four eyes). */
import { z } from 'zod';
import { type Pool, sql } from '../core/pool.ts';

export interface RequestToConfirm {
  readonly subjectId: string;
  readonly merchantId: string;
  readonly environment: string | null;
  readonly amount: number;
  readonly currency: string | null;
  readonly command: object;
  readonly askedBy: string;
}

/** A request that nobody confirmed lapses after a day. */
const VALID = sql.fragment`asked_at > service_clock() - interval '1 day'`;
const id = z.object({ id: z.string() });

/** @returns the id of the request, and whether one waited for the subject before */
export function storeRequestToConfirm(
  pool: Pool,
  request: RequestToConfirm,
): Promise<{ readonly id: string; readonly waitedBefore: boolean }> {
  const { subjectId, merchantId, environment, amount, currency, command, askedBy } = request;
  return pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtext(${`operator_requests ${subjectId}`}))`);
    const waiting = await tx.maybeOneFirst(sql.type(id)`
      select id from operator_requests where subject_id = ${subjectId} and confirmed_at is null and ${VALID}
      order by asked_at desc limit 1
    `);
    if (waiting) return { id: waiting, waitedBefore: true };
    const stored = await tx.oneFirst(sql.type(id)`
      insert into operator_requests (subject_id, merchant_id, environment, amount, currency, command, asked_by)
      values (${subjectId}, ${merchantId}, ${environment}, ${amount}, ${currency},
        ${JSON.stringify(command)}::jsonb, ${askedBy})
      returning id
    `);
    return { id: stored, waitedBefore: false };
  });
}

const confirmed = z.object({ subject_id: z.string(), command: z.unknown(), asked_by: z.string() });
type ConfirmedRequest = z.infer<typeof confirmed>;

/** @returns the request, or why it cannot be confirmed by this person */
export function confirmRequest(
  pool: Pool,
  requestId: string,
  actor: string,
): Promise<ConfirmedRequest | 'unknown' | 'same_person' | 'confirmed_before' | 'lapsed'> {
  return pool.transaction(async (tx) => {
    const known = await tx.maybeOne(sql.type(
      z.object({ asked_by: z.string(), is_confirmed: z.boolean(), is_valid: z.boolean() }),
    )`
      select asked_by, confirmed_at is not null as is_confirmed, ${VALID} as is_valid
      from operator_requests where id = ${requestId} for update
    `);
    if (!known) return 'unknown';
    if (known.is_confirmed) return 'confirmed_before';
    if (!known.is_valid) return 'lapsed';
    if (known.asked_by === actor) return 'same_person';
    return tx.one(sql.type(confirmed)`
      update operator_requests set confirmed_by = ${actor}, confirmed_at = service_clock()
      where id = ${requestId} returning subject_id, command, asked_by
    `);
  });
}
