/** SQL fragments that read prices and products as the API's resources. */
import { sql } from '../core/pool.ts';

/** Null for one-off prices, and for a recurring price without an interval, which cannot be billed. */
const recurring = sql.fragment`case when price.billing_mode = 'recurring' and price.interval is not null
  then jsonb_build_object('interval', price.interval, 'interval_count', coalesce(price.interval_count, 1),
    'trial_period_days', price.trial_period_days) end`;

/** Expects `prices price`. */
export const priceColumns = sql.fragment`price.id, price.product_id, price.amount, price.currency, price.tax_rate,
  price.billing_mode, ${recurring} as recurring, price.status`;

/** Expects `prices price` as a left join. */
export const activePrice = sql.fragment`case when price.id is not null then jsonb_build_object(
  'id', price.id, 'product_id', price.product_id, 'amount', price.amount, 'currency', price.currency,
  'tax_rate', price.tax_rate, 'billing_mode', price.billing_mode, 'recurring', ${recurring},
  'status', price.status) end`;

/** Selects products `p` with their active price, which is null if there is none. */
export const selectProducts = sql.fragment`
  select p.id, p.merchant_id, p.name, p.description, p.metadata, p.external_reference, p.billing_cycles,
    p.one_subscription_per_customer, p.one_trial_per_customer, p.image_url,
    case when p.quantity_max is not null
      then jsonb_build_object('min', p.quantity_min, 'max', p.quantity_max) end as quantity,
    ${activePrice} as active_price, p.status, p.created_at, p.updated_at
  from products p
  left join prices price on price.product_id = p.id and price.status = 'active'`;
