/**
 * What operators ask to be settled, stored before anybody is told: it survives a workflow whose queue of updates
 * is full (money-safety rule 14), and a command that dies before its signal.
 */
import { z } from 'zod';
import { type Db, sql } from './pool.ts';
import { type Resolution, resolution } from './resolve-checkout.ts';

/** @returns the request's id, which the workflow is told by signal */
export function insertResolveRequest(db: Db, subjectId: string, request: Resolution): Promise<string> {
  return db.oneFirst(sql.type(z.object({ id: z.string() }))`
    insert into resolve_requests (id, subject_id, outcome, operator, reason, evidence)
    values (new_id('ap_res_'), ${subjectId}, ${request.outcome}, ${request.operator}, ${request.reason}, ${request.evidence})
    returning id
  `);
}

export function readResolveAnswer(db: Db, requestId: string): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ answer: z.string() }))`
    select answer from resolve_requests where id = ${requestId} and answered_at is not null
  `);
}

export function loadResolveRequest(db: Db, requestId: string): Promise<Resolution | null> {
  return db.maybeOne(sql.type(resolution)`
    select outcome, operator, reason, evidence from resolve_requests where id = ${requestId} and answered_at is null
  `);
}

export async function answerResolveRequest(db: Db, requestId: string, answer: string): Promise<void> {
  await db.query(sql.unsafe`
    update resolve_requests set answered_at = service_clock(), answer = ${answer}
    where id = ${requestId} and answered_at is null
  `);
}

const unanswered = z.object({
  requestId: z.string(),
  subjectId: z.string(),
  /** Null where there is no such session, subscription or refund. */
  state: z.string().nullable(),
  finished: z.boolean(),
});

/** A minute after they were stored: whoever stored them sends the signal themselves. */
export function unansweredResolveRequests(db: Db, limit: number) {
  return db.any(sql.type(unanswered)`
    select r.id as "requestId", r.subject_id as "subjectId", coalesce(c.state, s.status, f.status) as state,
      coalesce(c.state in ('succeeded', 'failed'), s.status in ('cancelled', 'expired'), f.status <> 'pending', true)
        as finished
    from resolve_requests r
    left join checkouts c on c.id = r.subject_id
    left join subscriptions s on s.id = r.subject_id
    left join refunds f on f.id = r.subject_id
    where r.answered_at is null and r.created_at < service_clock() - interval '1 minute'
    order by r.created_at limit ${limit}
  `);
}
