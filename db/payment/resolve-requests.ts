/**
 * Operators' resolve requests, stored before the signal, so that they survive a workflow whose update queue is full
 * (rule 14), or a process that dies before it signals.
 */
import { z } from 'zod';
import {
  RESOLUTION_OUTCOMES,
  type Resolution,
  type ResolveCommand,
  type StoredResolution,
} from '../../domain/core/resolution.ts';
import { type Confirmation, typedInTemporalUi } from '../core/audit.ts';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { OPEN_STATUSES } from './open-payment.ts';

const command = z.object({
  outcome: z.enum(RESOLUTION_OUTCOMES),
  operator: z.string(),
  reason: z.string(),
  evidence: z.string(),
});

const stored = camelCased({ outcome: z.enum(RESOLUTION_OUTCOMES), request_id: z.string() });

/** Selects the open charge of the session or subscription that a request to resolve names; otherwise null. */
export const openChargeOf = (subjectId: string) => sql.fragment`coalesce(
  (select id from payments where checkout_id = ${subjectId} and status in ${OPEN_STATUSES}),
  (select p.id from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subjectId} and p.checkout_id is null and p.status in ${OPEN_STATUSES}))`;

/** Derives one id per confirmed request, so that a confirmation repeated after a crash finds the stored row. */
const idOfConfirmed = ({ requestId }: Confirmation) => requestId.replace(/^ap_opr_/, 'ap_res_');

/** @returns the request's id, for the signal to the workflow */
export async function insertResolveRequest(
  db: Db,
  subjectId: string,
  request: ResolveCommand,
  confirmation?: Confirmation,
): Promise<string> {
  const id = confirmation ? idOfConfirmed(confirmation) : sql.fragment`new_id('ap_res_')`;
  const paymentId = confirmation ? confirmation.paymentId : openChargeOf(subjectId);
  const inserted = await db.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    insert into resolve_requests (id, subject_id, payment_id, outcome, operator, reason, evidence, confirmed_by)
    values (${id}, ${subjectId}, ${paymentId}, ${request.outcome}, ${request.operator}, ${request.reason},
      ${request.evidence}, ${confirmation?.person ?? null})
    on conflict (id) do nothing
    returning id
  `);
  return inserted ?? (id as string);
}

/** Returns the charge that is open now, and whether this request was already stored. */
export function statusOfConfirmed(db: Db, subjectId: string, confirmation: Confirmation) {
  return db.one(sql.type(camelCased({ open_payment_id: z.string().nullable(), is_stored: z.boolean() }))`
    select ${openChargeOf(subjectId)} as open_payment_id,
      exists (select from resolve_requests where id = ${idOfConfirmed(confirmation)}) as is_stored
  `);
}

export function readResolveAnswer(db: Db, requestId: string): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ answer: z.string() }))`
    select answer from resolve_requests where id = ${requestId} and answered_at is not null
  `);
}

/** @returns null once the request is answered */
export function loadResolveRequest(db: Db, requestId: string): Promise<StoredResolution | null> {
  return db.maybeOne(sql.type(stored)`
    select outcome, id as request_id from resolve_requests where id = ${requestId} and answered_at is null
  `);
}

/**
 * Returns the request's text, for the audit row in the same transaction. Null if the request does not exist (rule 30): the
 * rail's answer still counts, but an operator's decision without its evidence does not.
 */
export async function decisionOf(db: Db, asked: Resolution): Promise<ResolveCommand | null> {
  if (!('requestId' in asked)) return { ...asked, operator: typedInTemporalUi(asked.operator) };
  return db.maybeOne(sql.type(command)`
    select outcome, operator, reason, evidence from resolve_requests where id = ${asked.requestId}
  `);
}

export async function answerResolveRequest(db: Db, requestId: string, answer: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update resolve_requests set answered_at = service_clock(), answer = ${answer}
    where id = ${requestId} and answered_at is null
  `);
}

const unanswered = camelCased({
  request_id: z.string(),
  subject_id: z.string(),
  /** Null for an unknown session, subscription or refund. */
  state: z.string().nullable(),
  finished: z.boolean(),
});

/** Returns unanswered requests older than a minute; normally the command that stored a request signals it too. */
export function unansweredResolveRequests(db: Db, limit: number) {
  return db.any(sql.type(unanswered)`
    select r.id as request_id, r.subject_id, coalesce(c.state, s.status, f.status) as state,
      coalesce(c.state in ('succeeded', 'failed'), s.status in ('cancelled', 'expired'), f.status <> 'pending', true)
        as finished
    from resolve_requests r
    left join checkouts c on c.id = r.subject_id
    left join subscriptions s on s.id = r.subject_id
    left join refunds f on f.id = r.subject_id
    where r.answered_at is null and r.created_at < ${NOW} - interval '1 minute'
    order by r.created_at limit ${limit}
  `);
}

/**
 * Returns true if this request must not resolve this charge or refund: it was made for another charge or for none, or a
 * second person must confirm it (rule 44). A request typed in Temporal UI proves neither its author nor its confirmer.
 * @param above limit in cents; null means that one person suffices
 */
export async function mustNotResolve(
  db: Db,
  asked: Resolution,
  paymentOrRefundId: string,
  above: number | null | undefined,
): Promise<boolean> {
  const requestId = 'requestId' in asked ? asked.requestId : null;
  const limit = above ?? null;
  return db.exists(sql.typeAlias('void')`
    select from resolve_requests
    where id = ${requestId} and payment_id is distinct from (select id from payments where id = ${paymentOrRefundId})
    union all
    select from (
      select coalesce(p.checkout_id, i.subscription_id) as subject_id
      from payments p left join invoices i on i.id = p.invoice_id
      where p.id = ${paymentOrRefundId} and p.amount > ${limit}
      union all select id from refunds where id = ${paymentOrRefundId} and amount > ${limit}
    ) large where not exists (
      select from resolve_requests r
      where r.id = ${requestId} and r.subject_id = large.subject_id and r.confirmed_by is not null)
  `);
}

/**
 * Deletes answered requests. Old ones are found by the time at the start of their ids.
 * @returns how many were deleted
 */
export async function deleteOldResolveRequests(db: Db, keptDays: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql.typeAlias('void')`
    delete from resolve_requests where id = any (array(
      select id from resolve_requests
      where id < 'ap_res_' || lpad(to_hex(unix_ms(${NOW} - ${keptDays} * interval '1 day')), 12, '0')
        and answered_at is not null
      order by id limit ${limit}
    ))
  `);
  return rowCount;
}
