/**
 * Breakers: while a rail account, or an entire rail, fails, no new attempts start; look-ups continue. Successful
 * attempts write nothing here. The state is a row, so every process sees the same.
 */

import type { QuerySqlToken } from 'slonik';
import { z } from 'zod';
import type { AuditAction } from '../../contract/merchant/audit.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import {
  BUSY,
  COUNTED,
  isFailing,
  isRailFailure,
  MIN_FAILING_ACCOUNTS,
  RECENT_SECONDS,
  type RecentAttempts,
  waitBeforeProbe,
} from '../../domain/payment/breaker.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { camelCased, type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { type AccountAtRail, type Scope, scopesOf } from './rail-admission.ts';

/**
 * Opens breakers where necessary, and ends a probe. Call after an attempt with an unknown outcome.
 * @returns the scopes of the breakers that opened
 */
export async function openBreakers(pool: Pool, account: AccountAtRail, reason: string): Promise<string[]> {
  const opened: string[] = [];
  for (const scope of scopesOf(account)) {
    if (scope.of === 'account' && !isRailFailure({ kind: 'unknown', reason })) continue;
    if (await pool.transaction((tx) => noteFailure(tx, scope, account, reason))) opened.push(scope.name);
  }
  return opened;
}

const knownBreaker = camelCased({
  state: z.enum(['closed', 'open', 'paused']),
  failures: z.number(),
  was_probe: z.boolean(),
  /** The account's failed probes since the rail's breaker opened. */
  failed_probes: z.number(),
  /** Number of other accounts whose probes failed in this round. */
  votes: z.number(),
});

async function noteFailure(
  tx: Transaction,
  scope: Scope,
  account: AccountAtRail,
  reason: string,
): Promise<boolean> {
  const known = await tx.maybeOne(sql.type(knownBreaker)`
    select state, failures, probe_until is not null and probe_by = ${account.id} as was_probe,
      coalesce((probes -> ${account.id}::text ->> 'failed')::integer, 0) as failed_probes,
      (select count(*) from jsonb_each(probes) each
        where key <> ${account.id} and (value ->> 'vote')::integer = failures)::integer as votes
    from rail_breakers where scope = ${scope.name} for update
  `);
  const isOwn = scope.of === 'rail' && (reason === BUSY || !isRailFailure({ kind: 'unknown', reason }));
  if (known?.state === 'paused') return false;
  if (known?.state === 'open') {
    // Only a probe counts; any other attempt started before the breaker opened.
    if (!known.wasProbe) return false;
    if (scope.of === 'rail' && (isOwn || known.votes + 1 < MIN_FAILING_ACCOUNTS)) {
      const failed = known.failedProbes + 1;
      await tx.query(sql.typeAlias('void')`
        update rail_breakers set probe_until = null, probes = probes || jsonb_build_object(${account.id}::text,
          jsonb_build_object('failed', ${failed}::integer, 'vote', ${isOwn ? null : known.failures}::integer,
            'until', service_clock() + ${waitBeforeProbe(failed)} * interval '1 second'))
        where scope = ${scope.name}
      `);
      return false;
    }
    await tx.query(sql.typeAlias('void')`
      update rail_breakers set failures = failures + 1, probe_until = null, reason = ${reason},
        retry_at = service_clock() + ${waitBeforeProbe(known.failures + 1)} * interval '1 second'
      where scope = ${scope.name}
    `);
    return false;
  }
  if (isOwn || !isFailing(await recentAttempts(tx, scope), scope.of)) return false;
  await tx.query(sql.typeAlias('void')`
    insert into rail_breakers (scope, rail, environment, rail_account_id, state, retry_at, reason)
    values (${scope.name}, ${scope.rail}, ${scope.environment}, ${scope.railAccountId}, 'open',
      service_clock() + ${waitBeforeProbe(0)} * interval '1 second', ${reason})
    on conflict (scope) do update set state = 'open', since = service_clock(), retry_at = excluded.retry_at,
      probe_until = null, probes = '{}', failures = 0, reason = excluded.reason, paused_by = null, times = rail_breakers.times + 1
    where rail_breakers.state = 'closed'
  `);
  return true;
}

const recent = camelCased({
  attempts: z.number(),
  failures: z.number(),
  accounts: z.number(),
  failing_accounts: z.number(),
  answers_others: z.boolean(),
}) satisfies z.ZodType<RecentAttempts>;

/** Counts attempts since the breaker last closed: earlier failures have already been counted. */
function recentAttempts(tx: Transaction, scope: Scope): Promise<RecentAttempts> {
  const ofScope =
    scope.railAccountId === null
      ? sql.fragment`rail = ${scope.rail} and environment = ${scope.environment} and code is distinct from ${BUSY}`
      : sql.fragment`rail_account_id = ${scope.railAccountId}`;
  const counted = COUNTED[scope.of];
  return tx.one(sql.type(recent)`
    with last as materialized (
      select *, at > service_clock() - ${RECENT_SECONDS} * interval '1 second' as is_recent from (
        select id, rail_account_id, at, outcome = 'unknown' as failed from rail_answers
        where ${ofScope} and is_attempt order by id desc limit ${counted.attempts}
      ) as newest
      where at > service_clock() - ${counted.seconds} * interval '1 second'
        and at > coalesce((select since from rail_breakers where scope = ${scope.name}), '-infinity')
    ), votes as (
      select distinct on (rail_account_id) rail_account_id, failed from last order by rail_account_id, id desc
    )
    select count(*) filter (where is_recent)::integer as attempts,
      count(*) filter (where is_recent and failed)::integer as failures,
      (select count(*) from votes)::integer as accounts,
      (select count(*) from votes where failed)::integer as failing_accounts,
      coalesce(bool_or(is_recent and rail_account_id in (select rail_account_id from votes where not failed)), false)
        as answers_others
    from last
  `);
}

/**
 * Finds the target of a breaker named `<account id>` or `<rail>:<environment>`, as operators write it.
 * @returns null for an unknown account or rail
 */
export function findBreakerTarget(db: Db, named: string): Promise<BreakerTarget | null> {
  return db.maybeOne(sql.type(target)`
    select rail, environment, case when id = ${named} then id end as rail_account_id,
      case when id = ${named} then merchant_id end as merchant_id
    from rail_accounts where id = ${named} or rail || ':' || environment = ${named}
    order by id = ${named} desc limit 1
  `);
}

const target = camelCased({
  rail: z.string(),
  environment: z.enum(ENVIRONMENTS),
  /** Null means the entire rail. */
  rail_account_id: z.string().nullable(),
  merchant_id: z.string().nullable(),
});
export type BreakerTarget = z.infer<typeof target>;

type Operator = Actor & { readonly reason: string };
const changedBreaker = z.object({ scope: z.string() });

/**
 * Stops new attempts until `resumeRail`, at an operator's command.
 *
 * @returns false if they were already paused
 */
export function pauseRail(pool: Pool, target: BreakerTarget, by: Operator): Promise<boolean> {
  const { rail, environment, railAccountId } = target;
  const pause = sql.type(changedBreaker)`
    insert into rail_breakers (scope, rail, environment, rail_account_id, state, reason, paused_by)
    values (${scopeOf(target)}, ${rail}, ${environment}, ${railAccountId}, 'paused', ${by.reason}, ${by.actor})
    on conflict (scope) do update set state = 'paused', since = service_clock(), probe_until = null,
      reason = excluded.reason, paused_by = excluded.paused_by
    where rail_breakers.state <> 'paused'
    returning scope
  `;
  return pool.transaction((tx) => changeBreaker(tx, target, 'rail.pause', by, pause));
}

/**
 * Allows attempts immediately, even if the breaker opened automatically.
 *
 * @returns false if they were already allowed
 */
export function resumeRail(pool: Pool, target: BreakerTarget, by: Operator): Promise<boolean> {
  const resume = sql.type(changedBreaker)`
    update rail_breakers set state = 'closed', since = service_clock(), probe_until = null, failures = 0, paused_by = null
    where scope = ${scopeOf(target)} and state <> 'closed' returning scope
  `;
  return pool.transaction((tx) => changeBreaker(tx, target, 'rail.resume', by, resume));
}

function scopeOf({ rail, environment, railAccountId }: BreakerTarget): string {
  return railAccountId === null ? `rail:${rail}:${environment}` : `account:${railAccountId}`;
}

/** @returns whether the statement changed the breaker */
async function changeBreaker(
  tx: Transaction,
  { rail, environment, railAccountId, merchantId }: BreakerTarget,
  action: AuditAction,
  actor: Operator,
  change: QuerySqlToken<typeof changedBreaker>,
): Promise<boolean> {
  if (!(await tx.maybeOne(change))) return false;
  const subjectId = railAccountId ?? `${rail}:${environment}`;
  await writeAudit(tx, { ...actor, merchantId, environment, action, subjectId, before: null, after: {} });
  return true;
}
