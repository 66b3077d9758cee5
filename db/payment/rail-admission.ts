/** Checks the breakers before a new attempt. */
import { z } from 'zod';
import type { Environment } from '../../domain/core/environment.ts';
import { PROBE_SECONDS } from '../../domain/payment/breaker.ts';
import { type Db, sql } from '../core/pool.ts';

export interface AccountAtRail {
  readonly id: string;
  readonly rail: string;
  readonly environment: Environment;
}

interface Charging extends AccountAtRail {
  readonly status: 'activating' | 'active' | 'disabled';
}

export interface Scope {
  readonly name: string;
  readonly of: 'account' | 'rail';
  readonly rail: string;
  readonly environment: string;
  readonly railAccountId: string | null;
}

export function scopesOf({ id, rail, environment }: AccountAtRail): readonly Scope[] {
  return [
    { name: `account:${id}`, of: 'account', rail, environment, railAccountId: id },
    { name: `rail:${rail}:${environment}`, of: 'rail', rail, environment, railAccountId: null },
  ];
}

const namesOf = (account: AccountAtRail) =>
  sql.array(
    scopesOf(account).map(({ name }) => name),
    'text',
  );

export interface Admission {
  /** Null if the attempt may pass; otherwise the seconds until the caller may try again. */
  readonly refusedForSeconds: number | null;
  /** Until when the attempt occupies a slot at half-open breakers; null if it has no slot. */
  readonly probeSlotUntil: string | null;
}

const breaker = z.object({ scope: z.string(), out_seconds: z.number().nullable() });

/**
 * Checks whether a new attempt may pass. A half-open breaker lets one attempt pass at a time: this call takes that slot
 * at both the account and the rail, or at neither. After an account's probe has failed, the rail's next probes are
 * those of other accounts. A disabled account's attempt sends nothing, so it passes without a slot.
 */
export async function admitAttempt(db: Db, account: Charging): Promise<Admission> {
  const stopping = await db.any(sql.type(breaker)`
    select scope, case when state = 'paused' then 300
      when until > service_clock() then ceil(ms_between(service_clock(), until) / 1000)::integer end as out_seconds
    from rail_breakers, greatest(retry_at, (probes -> ${account.id}::text ->> 'until')::timestamptz) until
    where scope = any (${namesOf(account)}) and state <> 'closed'
    order by scope
  `);
  if (stopping.length === 0) return { refusedForSeconds: null, probeSlotUntil: null };
  const waits = stopping.flatMap(({ out_seconds }) => out_seconds ?? []);
  if (waits.length > 0) return { refusedForSeconds: Math.max(...waits), probeSlotUntil: null };
  if (account.status === 'disabled') return { refusedForSeconds: null, probeSlotUntil: null };
  // Half-open: the row locks let only one of several concurrent attempts pass.
  const [taken] = await db.any(sql.type(z.object({ until: z.string() }))`
    with held as materialized (
      select scope, retry_at <= service_clock() and coalesce(probe_until <= service_clock(), true) as is_free
      from rail_breakers where scope = any (${namesOf(account)}) and state = 'open' order by scope for update
    )
    update rail_breakers set probe_by = ${account.id}, probe_until =
      (select date_trunc('milliseconds', service_clock()) + ${PROBE_SECONDS} * interval '1 second')
    where scope in (select scope from held)
      and (select count(*) filter (where is_free) from held) = ${stopping.length}
    returning probe_until as until
  `);
  return taken
    ? { refusedForSeconds: null, probeSlotUntil: taken.until }
    : { refusedForSeconds: PROBE_SECONDS, probeSlotUntil: null };
}

/**
 * Reserves a slot for an attempt that is certain to follow.
 *
 * @returns the seconds to wait; null if a slot is reserved
 */
export async function takeProbeSlotOrWait(db: Db, account: Charging): Promise<number | null> {
  return (await admitAttempt(db, account)).refusedForSeconds;
}

/** Frees the slot of an attempt that was not made, so that the next attempt need not wait until the slot expires. */
export async function freeProbeSlot(
  db: Db,
  account: AccountAtRail,
  { probeSlotUntil }: Pick<Admission, 'probeSlotUntil'>,
): Promise<void> {
  if (probeSlotUntil === null) return;
  await db.query(sql.typeAlias('void')`
    update rail_breakers set probe_until = null
    where scope = any (${namesOf(account)}) and state = 'open' and probe_until = ${probeSlotUntil}
  `);
}
