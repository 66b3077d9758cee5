/** Health per merchant: whether it can sell, whether its endpoints answer, and its open incidents. */
import { type MerchantHealth, merchantHealth } from '../../contract/operations/overview.ts';
import { type Db, sql } from '../core/pool.ts';
import { IS_SLOW } from '../webhook/endpoint-failure.ts';
import { countIncidents } from './incidents.ts';

const row = merchantHealth.omit({ incidents: true, oldest_incident_at: true });

interface HealthFilter {
  /** Null means all merchants. */
  readonly merchants: readonly string[] | null;
  readonly q: string | null;
  /** The last id of the previous page. */
  readonly after: string | null;
  readonly limit: number;
}

/** Lists merchants, newest first. */
export async function listMerchantHealth(
  db: Db,
  { merchants, q, after, limit }: HealthFilter,
): Promise<readonly MerchantHealth[]> {
  const found = await db.any(sql.type(row)`
    select m.id, m.name, m.status,
      (select status from rail_accounts r where r.merchant_id = m.id and r.environment = 'production'
        and r.status <> 'disabled' limit 1) as live_rail,
      (select status from rail_accounts r where r.merchant_id = m.id and r.environment = 'sandbox'
        and r.status <> 'disabled' limit 1) as sandbox_rail,
      (select count(*)::int from webhook_endpoints where merchant_id = m.id and environment = 'production'
        and (status = 'disabled' or status = 'enabled' and failing_since is not null or ${IS_SLOW})) as endpoints_failing,
      (select p.created_at from payments p
        where p.merchant_id = m.id and p.environment = 'production' and p.status = 'succeeded'
        order by unix_ms(p.created_at) desc, p.id desc limit 1) as last_sale_at
    from merchants m
    where (${merchants === null}::boolean or m.id = any (${sql.array([...(merchants ?? [])], 'text')}))
      and (${q}::text is null or m.id = ${q} or position(lower(${q}::text) in lower(m.name)) > 0)
      and (${after}::text is null or m.id < ${after})
    order by m.id desc
    limit ${limit}`);
  const counts = await countIncidents(
    db,
    found.map(({ id }) => id),
  );
  return found.map((each) => {
    const own = counts.find(({ merchantId }) => merchantId === each.id);
    return { ...each, incidents: own?.count ?? 0, oldest_incident_at: own?.oldestAt ?? null };
  });
}
