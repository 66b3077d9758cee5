/** Finds incidents for an operator in PostgreSQL alone, so that they are found even while Temporal is down. */
import { z } from 'zod';
import {
  type IncidentKind,
  isRecorded,
  NOTIFIED_KINDS,
  RECORDED_KINDS,
} from '../../contract/operations/incident-kinds.ts';
import { type FoundIncident, foundIncident } from '../../contract/operations/incidents.ts';
import type { Environment } from '../../domain/core/environment.ts';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { foundOf } from './incident-sources.ts';

export interface IncidentFilter {
  readonly kinds?: readonly IncidentKind[] | undefined;
  readonly merchantId?: string | undefined;
  /** Merchants whose incidents are included; null means every merchant. */
  readonly merchants?: readonly string[] | null | undefined;
  /** Includes only incidents that have one of these ids, or whose payment has one of them. */
  readonly about?: readonly string[] | undefined;
  /** Also includes incidents without an environment, which concern both. */
  readonly environment?: Environment | undefined;
  readonly olderThanSeconds?: number | undefined;
  readonly minAmount?: number | undefined;
  readonly limit?: number | undefined;
}

/** Lists recorded incidents, oldest first. */
export function listIncidents(db: Db, filter: IncidentFilter = {}): Promise<readonly FoundIncident[]> {
  const { merchantId, merchants = null, environment, limit = 10_000 } = filter;
  const kinds = (filter.kinds ?? RECORDED_KINDS).filter(isRecorded);
  const about = filter.about && sql.array([...filter.about], 'text');
  if (kinds.length === 0) return Promise.resolve([]);
  return db.any(sql.type(foundIncident)`
    with ${foundOf(kinds)}
    select found.*, m.name as merchant_name,
      greatest(0, floor(ms_between(since, service_clock()) / 1000))::integer as age_seconds
    from found left join merchants m on m.id = found.merchant_id
    where (${merchants === null}::boolean or found.merchant_id = any (${sql.array([...(merchants ?? [])], 'text')}))
      and (${merchantId ?? null}::text is null or found.merchant_id = ${merchantId ?? null})
      and coalesce(found.environment = ${environment ?? null}, true)
      and ${about ? isAbout(about) : sql.fragment`true`}
      and since <= ${NOW} - ${filter.olderThanSeconds ?? 0}::float8 * interval '1 second'
      and coalesce(amount, 0) >= ${filter.minAmount ?? 0}
    order by since, id limit ${limit}
  `);
}

/** Matches incidents with ids; a lost request is listed as `<subscription>:<request>`. */
const isAbout = (ids: ReturnType<typeof sql.array>) => sql.fragment`
  (found.id = any (${ids}) or payment_id = any (${ids}) or split_part(found.id, ':', 1) = any (${ids}))`;

const counted = camelCased({ merchant_id: z.string(), count: z.number(), oldest_at: z.string() });

/** Counts open incidents per merchant; merchants without any are absent. */
export function countIncidents(db: Db, merchants: readonly string[]) {
  return db.any(sql.type(counted)`
    with ${foundOf(NOTIFIED_KINDS)}
    select merchant_id, count(*)::integer as count, min(since) as oldest_at from found
    where merchant_id = any (${sql.array([...merchants], 'text')}) and since <= ${NOW} group by merchant_id
  `);
}
