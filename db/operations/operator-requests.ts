/** Commands about large amounts: stored until another person confirms them (four eyes). */
import { z } from 'zod';
import { type ReplaceRail, storedCommand } from '../../contract/operations/requests.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';

export interface RequestToConfirm {
  readonly subjectId: string;
  readonly merchantId: string;
  readonly environment: string | null;
  readonly amount: number;
  /** The open charge that the command settles, if any. */
  readonly paymentId: string | null;
  readonly currency: string | null;
  readonly command: object;
  readonly asker: Actor;
}

/** An unconfirmed request expires after a day; a confirmed one stays valid until it is executed. */
const VALID = sql.fragment`(confirmed_at is not null or asked_at > service_clock() - interval '1 day')`;
export const WAITING = sql.fragment`carried_out_at is null and ${VALID}`;
export const STATE_OF_REQUEST = sql.fragment`case when withdrawn_by is not null then 'withdrawn'
  when carried_out_at is not null then 'carried_out' when confirmed_at is not null then 'confirmed'
  when ${VALID} then 'waiting' else 'expired' end`;
const id = z.object({ id: z.string() });
const waitingRequest = z.object({ id: z.string(), waiting: z.enum(['same', 'other']) });

/**
 * Stores a request to be confirmed, with an audit row, unless another request already waits for the subject.
 * @returns the request's id; `waiting` is null if this call stored it, and otherwise says whether the request that waits
 * has the same command
 */
export function storeRequestToConfirm(
  pool: Pool,
  request: RequestToConfirm,
): Promise<{ readonly id: string; readonly waiting: 'same' | 'other' | null }> {
  const { subjectId, merchantId, environment, amount, paymentId, currency, command, asker } = request;
  return pool.transaction(async (tx) => {
    await tx.query(
      sql.typeAlias('void')`select pg_advisory_xact_lock(hashtext(${`operator_requests ${subjectId}`}))`,
    );
    const before = await tx.maybeOne(sql.type(waitingRequest)`
      select id, case when command = ${JSON.stringify(command)}::jsonb then 'same' else 'other' end as waiting
      from operator_requests where subject_id = ${subjectId} and ${WAITING}
      order by asked_at desc limit 1
    `);
    if (before) return before;
    const stored = await tx.oneFirst(sql.type(id)`
      insert into operator_requests (subject_id, merchant_id, environment, amount, payment_id, currency, command,
        asked_by)
      values (${subjectId}, ${merchantId}, ${environment}, ${amount}, ${paymentId}, ${currency},
        ${JSON.stringify(command)}::jsonb, ${asker.actor})
      returning id
    `);
    await writeAudit(tx, {
      ...asker,
      merchantId,
      environment,
      action: 'operator_request.ask',
      subjectId,
      before: null,
      after: { request: stored, amount, currency, payment: paymentId, ...command },
    });
    return { id: stored, waiting: null };
  });
}

const confirmed = z.object({
  subject_id: z.string(),
  payment_id: z.string().nullable(),
  command: storedCommand,
  asked_by: z.string(),
  confirmed_by: z.string(),
});
type ConfirmedRequest = z.infer<typeof confirmed>;

export type WhyNotConfirmed =
  | 'unknown'
  | 'same_person'
  | 'confirmed_before'
  | 'expired'
  | 'withdrawn'
  | 'unreadable';

/**
 * Confirming twice is harmless: after a crash, anyone except the requester gets the request again.
 * @returns the confirmed request, or the reason for the refusal
 */
export function confirmRequest(
  pool: Pool,
  requestId: string,
  actor: string,
): Promise<ConfirmedRequest | WhyNotConfirmed> {
  return pool.transaction(async (tx) => {
    const known = await tx.maybeOne(sql.type(
      z.object({
        asked_by: z.string(),
        is_carried_out: z.boolean(),
        is_withdrawn: z.boolean(),
        is_valid: z.boolean(),
        command: z.unknown(),
      }),
    )`
      select asked_by, command, carried_out_at is not null as is_carried_out, withdrawn_by is not null as is_withdrawn,
        ${VALID} as is_valid
      from operator_requests where id = ${requestId} for update
    `);
    if (!known) return 'unknown';
    if (known.is_withdrawn) return 'withdrawn';
    if (known.is_carried_out) return 'confirmed_before';
    if (!known.is_valid) return 'expired';
    if (known.asked_by === actor) return 'same_person';
    if (!storedCommand.safeParse(known.command).success) return 'unreadable';
    return tx.one(sql.type(confirmed)`
      update operator_requests
      set confirmed_by = coalesce(confirmed_by, ${actor}), confirmed_at = coalesce(confirmed_at, service_clock())
      where id = ${requestId} returning subject_id, payment_id, command, asked_by, confirmed_by
    `);
  });
}

/**
 * Closes a request that was executed or permanently rejected, even if another confirmer's temporary rejection has
 * reopened it in the meantime.
 */
export async function closeRequest(pool: Pool, requestId: string, confirmedBy: string): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    update operator_requests
    set carried_out_at = service_clock(), confirmed_by = coalesce(confirmed_by, ${confirmedBy}),
      confirmed_at = coalesce(confirmed_at, service_clock())
    where id = ${requestId} and carried_out_at is null
  `);
}

/** Reopens a request after a temporary rejection, so that it can be confirmed or withdrawn. */
export async function reopenRequest(pool: Pool, requestId: string): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    update operator_requests set confirmed_by = null, confirmed_at = null
    where id = ${requestId} and carried_out_at is null
  `);
}

const withdrawn = z.object({
  subject_id: z.string(),
  merchant_id: z.string(),
  environment: z.string().nullable(),
});

/**
 * Withdraws an unconfirmed request, with an audit row. The requester or any colleague may do so, and another request
 * can then replace it.
 * @returns the request's subject; null if no request with this id is waiting
 */
export function withdrawRequest(
  pool: Pool,
  requestId: string,
  actor: Actor & { readonly reason: string },
): Promise<string | null> {
  return pool.transaction(async (tx) => {
    const row = await tx.maybeOne(sql.type(withdrawn)`
      select subject_id, merchant_id, environment
      from operator_requests where id = ${requestId} and ${WAITING} and confirmed_at is null for update
    `);
    if (!row) return null;
    await tx.query(sql.typeAlias('void')`
      update operator_requests set carried_out_at = service_clock(), withdrawn_by = ${actor.actor} where id = ${requestId}
    `);
    await writeAudit(tx, {
      ...actor,
      merchantId: row.merchant_id,
      environment: row.environment,
      action: 'operator_request.withdraw',
      subjectId: row.subject_id,
      before: { request: requestId },
      after: {},
    });
    return row.subject_id;
  });
}

const confirmation = z.object({ id: z.string(), confirmed_by: z.string() });

/**
 * Finds an unused confirmation of the last day.
 * @returns the request's id and the person who confirmed exactly these keys; null without such a confirmation
 */
export function findConfirmation(
  pool: Pool,
  subjectId: string,
  { command, rail, identity, keys }: ReplaceRail,
): Promise<z.infer<typeof confirmation> | null> {
  return pool.maybeOne(sql.type(confirmation)`
    select id, confirmed_by from operator_requests
    where used_at is null and id = (
      select id from operator_requests
      where subject_id = ${subjectId} and command @> ${sql.jsonb({ command, rail, identity, keys })}
        and confirmed_by is not null and withdrawn_by is null and carried_out_at > service_clock() - interval '1 day'
      order by carried_out_at desc limit 1)
  `);
}

/**
 * Marks a confirmation as used, in the transaction of the one change that it allows.
 * @throws if another change has used it
 */
export async function useConfirmation(tx: Transaction, requestId: string): Promise<void> {
  await tx.one(sql.type(id)`
    update operator_requests set used_at = service_clock() where id = ${requestId} and used_at is null returning id
  `);
}
