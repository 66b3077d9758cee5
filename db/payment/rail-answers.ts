/** Stores the rails' answers, for operators and for the breakers. */
import { z } from 'zod';
import type { Environment } from '../../domain/core/environment.ts';
import { type Db, sql } from '../core/pool.ts';

export interface RailAnswer {
  readonly account: { readonly id: string; readonly rail: string; readonly environment: Environment };
  readonly reference: string;
  readonly operation: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly detail: string | null;
  readonly tookMs: number;
  /** True if the call is a new attempt to charge. */
  readonly isAttempt: boolean;
}

const closedScope = z.object({ scope: z.string() });

/**
 * Stores the answer. The answer to an attempt closes the breakers of its account and rail.
 *
 * @returns the scopes of the breakers that it closed
 */
export function storeRailAnswer(db: Db, answer: RailAnswer): Promise<readonly string[]> {
  const { account } = answer;
  const { id, rail, environment } = account;
  return db.anyFirst(sql.type(closedScope)`
    with stored as (
      insert into rail_answers (rail_account_id, rail, environment, reference, operation, outcome, code, detail, took_ms,
        is_attempt)
      values (${id}, ${rail}, ${environment}, ${answer.reference}, ${answer.operation}, ${answer.outcome}, ${answer.code},
        ${answer.detail?.slice(0, 500) ?? null}, ${Math.round(answer.tookMs)}, ${answer.isAttempt})
    )
    update rail_breakers set state = 'closed', since = service_clock(), probe_until = null, failures = 0
    where scope = any (breaker_scopes(${id}, ${rail}, ${environment})) and state = 'open'
      and ${answer.isAttempt && answer.outcome !== 'unknown'}
      -- An answer to a call made before the breaker opened does not count.
      and since <= service_clock() - ${answer.tookMs}::float8 * interval '1 millisecond'
    returning scope
  `);
}

const shownAnswer = z.object({
  at: z.string(),
  reference: z.string(),
  operation: z.string(),
  outcome: z.string(),
  code: z.string().nullable(),
  detail: z.string().nullable(),
  took_ms: z.number(),
});
export type ShownRailAnswer = z.infer<typeof shownAnswer>;

/** Returns answers about a subject, newest first. */
export function railAnswersAbout(
  db: Db,
  references: readonly string[],
  limit: number,
): Promise<readonly ShownRailAnswer[]> {
  return db.any(sql.type(shownAnswer)`
    select at, reference, operation, outcome, code, detail, took_ms from rail_answers
    where reference = any (${sql.array([...references], 'text')}) order by id desc limit ${limit}
  `);
}
