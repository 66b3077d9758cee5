/** Builds the frozen terms of a new session (`checkouts.terms`) from the columns of its query's `offer`. */
import { MAX_CENTS } from '../../../domain/core/money.ts';
import { sql } from '../../core/pool.ts';

export const termsOfOffer = sql.fragment`
  jsonb_build_object('takes_codes', takes_codes,
    'product', jsonb_build_object('id', product_id, 'name', product_name, 'description', description,
      'external_reference', external_reference, 'offering_id', offering_id, 'image', image,
      'one_subscription_per_customer', one_subscription_per_customer, 'one_trial_per_customer', one_trial_per_customer,
      'quantity', case when asks_quantity and quantity_max > least_quantity then jsonb_build_object(
        'min', least_quantity, 'max', least(quantity_max, ${MAX_CENTS} / price_amount)) end),
    'price', jsonb_build_object('id', price_id, 'amount', price_amount, 'currency', currency, 'tax_rate', tax_rate,
      'billing_mode', billing_mode,
      'recurring', case when billing_mode = 'recurring' then jsonb_build_object('interval', interval,
        'interval_count', coalesce(interval_count, 1), 'trial_period_days', case when not trial_used then trial_period_days end,
        'trial_used', trial_used, 'billing_cycles', billing_cycles) end),
    'merchant', jsonb_build_object('name', merchant_name, 'branding', branding, 'legal_identity', legal_identity,
      'support_email', support_email, 'support_url', support_url, 'support_phone', support_phone))`;
