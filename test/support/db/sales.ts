import { type Pool, sql } from '../../../db/core/pool.ts';

interface Sessions {
  /** The session from which terms and, unless given, the merchant are copied. */
  readonly like: string;
  readonly merchantId?: string;
  readonly ago: string;
  readonly count: number;
  /** Whether every second session is paid. */
  readonly arePaid: boolean;
}

export async function insertSessions(
  pool: Pool,
  { like, merchantId, ago, count, arePaid }: Sessions,
): Promise<void> {
  await pool.query(sql.unsafe`
    insert into checkouts (id, merchant_id, environment, customer_id, product_id, price_id, rail_account_id, amount,
      currency, terms, max_attempts, page_token, page_token_hash, created_at, expires_at, workflow_started_at, state,
      finished_at)
    select derived_id('ap_chk_', at, n, ${merchantId ?? like}), coalesce(${merchantId ?? null}, merchant_id), environment,
      customer_id, product_id, price_id, rail_account_id, amount, currency, terms, max_attempts, page_token,
      sha256((at::text || n)::bytea), at, service_clock() + interval '1 hour', at,
      case when ${arePaid} and n % 2 = 0 then 'succeeded' else 'created' end, case when ${arePaid} and n % 2 = 0 then at end
    from checkouts, generate_series(1, ${count}) n, (select service_clock() - ${ago}::interval as at) moment
    where id = ${like}`);
}
