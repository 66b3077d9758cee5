/**
 * Fills a database with the rows of purchases and subscriptions, in a few statements per table and without triggers:
 * half a million purchases take minutes. The rows are those of a service that has run for eighty days: most are
 * settled, a sixth of the sessions was abandoned, and a few are exceptions.
 */
import pg from 'pg';

export interface Seed {
  readonly purchases: number;
  readonly subscriptions: number;
}

/** The rows that the benchmarks' statements look for. */
export const SEEDED = {
  merchantId: 'ap_mer_seeded',
  environment: 'sandbox',
  accountId: 'acct_seeded',
  endpointId: 'ap_whe_seeded',
  productId: 'ap_prod_seeded',
  /** A twenty-fifth of all purchases and subscriptions are this buyer's. */
  busyCustomerId: 'ap_cus_busy',
  busyEmail: 'busy@example.com',
  busyReference: 'busy',
  /** A rare event type. */
  rareEventType: 'refund.created',
} as const;

export async function seedPurchases(databaseUrl: string, { purchases, subscriptions }: Seed): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    await client.query(idsUntil(new Date().toISOString()));
    await client.query(SHOP);
    for (const statement of OF_PURCHASES) await client.query(statement, [purchases]);
    for (const statement of OF_SUBSCRIPTIONS) await client.query(statement, [subscriptions]);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/**
 * Like new_id(), but for the instant of purchase `n` of `of_all`; the purchases are spread over the last eighty
 * days.
 */
const idsUntil = (now: string) => `
  create function pg_temp.instant_of(n bigint, of_all bigint) returns timestamptz language sql immutable as
    $$ select '${now}'::timestamptz - interval '80 days' * (1 - n::float8 / of_all) $$;
  create function pg_temp.id_of(prefix text, at timestamptz, n bigint) returns text language sql immutable as
    $$ select prefix || lpad(to_hex(unix_ms(at)), 12, '0') || '7' || lpad(to_hex(n), 19, '0') $$;
  create function pg_temp.customer_of(at timestamptz, n bigint) returns text language sql immutable as
    $$ select case when n % 25 = 1 then '${SEEDED.busyCustomerId}' else pg_temp.id_of('ap_cus_', at, n) end $$;`;

const SHOP = `
  insert into merchants (id, name) values ('${SEEDED.merchantId}', 'Seeded');
  insert into rail_accounts (id, merchant_id, environment, rail, status, was_active, capabilities, credential)
  values ('${SEEDED.accountId}', '${SEEDED.merchantId}', 'sandbox', 'sandbox', 'active', true, '{}', '');
  insert into products (id, merchant_id, name) values ('${SEEDED.productId}', '${SEEDED.merchantId}', 'Coffee');
  insert into prices (id, product_id, amount, billing_mode, status)
  values ('ap_price_seeded', '${SEEDED.productId}', 1900, 'one_time', 'active'),
    ('ap_price_seeded_next', '${SEEDED.productId}', 2100, 'one_time', 'inactive');
  insert into price_moves (id, merchant_id, environment, product_id, old_price_id, new_price_id, from_at, notice_days)
  values ('ap_pm_seeded', '${SEEDED.merchantId}', 'sandbox', '${SEEDED.productId}', 'ap_price_seeded',
    'ap_price_seeded_next', now() + interval '40 days', 30);
  insert into webhook_endpoints (id, merchant_id, environment, url, secret)
  values ('${SEEDED.endpointId}', '${SEEDED.merchantId}', 'sandbox', 'https://shop.example/hooks', '');
  insert into customers (id, merchant_id, environment, external_customer_id, email)
  values ('${SEEDED.busyCustomerId}', '${SEEDED.merchantId}', 'sandbox', '${SEEDED.busyReference}', '${SEEDED.busyEmail}');`;

/** Every sixth session was abandoned: only its row exists. */
const PAID = 'n % 6 <> 0';
/** Selects about twenty rows, however many there are. */
const EXCEPTION = 'n % greatest($1::bigint / 20, 2) = 1';
const NUMBERED = `(select n, pg_temp.instant_of(n, $1) as at from generate_series(1, $1::bigint) n) numbered`;
const WHOSE = `'${SEEDED.merchantId}', 'sandbox'`;

const OF_PURCHASES = [
  `insert into customers (id, merchant_id, environment, external_customer_id, email, created_at, updated_at)
  select pg_temp.id_of('ap_cus_', at, n), ${WHOSE}, 'customer-' || n, 'buyer' || n || '@example.com', at, at
  from ${NUMBERED}`,
  `insert into checkouts (id, merchant_id, environment, customer_id, product_id, price_id, rail_account_id,
    amount, currency, terms, merchant_reference, success_url, state, failure_reason, max_attempts, created_at, expires_at,
    finished_at, workflow_started_at, page_token_hash, page_token)
  select pg_temp.id_of('ap_chk_', at, n), ${WHOSE}, pg_temp.customer_of(at, n), '${SEEDED.productId}',
    'ap_price_seeded', '${SEEDED.accountId}', 1900, 'EUR', jsonb_build_object('product', jsonb_build_object(
      'id', '${SEEDED.productId}', 'name', 'Coffee', 'description', repeat('A long description. ', 8)),
      'price', jsonb_build_object('id', 'ap_price_seeded', 'amount', 1900, 'tax_rate', 19)),
    'order-' || n, 'https://shop.example/thanks',
    case when ${PAID} then 'succeeded' else 'failed' end, case when not (${PAID}) then 'expired' end, 10, at,
    at + interval '30 minutes', at + interval '1 minute', at, sha256(n::text::bytea), sha256(n::text::bytea)
  from ${NUMBERED}`,
  `insert into clicks (claim_id, merchant_id, environment, checkout_id, method_type, email, not_after, created_at)
  select 'claim-' || n, ${WHOSE}, pg_temp.id_of('ap_chk_', at, n), 'card', 'buyer' || n || '@example.com', at, at
  from ${NUMBERED} where ${PAID}`,
  `insert into orders (id, merchant_id, environment, checkout_id, customer_id, product_id, price_id, source,
    external_reference, line_items, amount, currency, payment_id, status, created_at, updated_at)
  select pg_temp.id_of('ap_ord_', at, n), ${WHOSE}, pg_temp.id_of('ap_chk_', at, n), pg_temp.customer_of(at, n),
    '${SEEDED.productId}', 'ap_price_seeded', 'checkout', 'order-' || n,
    jsonb_build_array(jsonb_build_object('product_id', '${SEEDED.productId}', 'quantity', 1, 'amount', 1900)),
    1900, 'EUR', pg_temp.id_of('ap_pay_', at, n), 'completed', at, at
  from ${NUMBERED} where ${PAID}`,
  `insert into payments (id, merchant_id, environment, order_id, checkout_id, invoice_id, customer_id, attempt_no,
    claim_id, rail_account_id, rail, rail_order_id, payment_method, status, amount, currency, call_started_at,
    call_deadline, created_at, updated_at)
  select pg_temp.id_of('ap_pay_', at, n), ${WHOSE}, pg_temp.id_of('ap_ord_', at, n), pg_temp.id_of('ap_chk_', at, n),
    pg_temp.id_of('ap_inv_', at, n), pg_temp.customer_of(at, n), 1, 'claim-' || n,
    '${SEEDED.accountId}', 'sandbox', 'pi_' || n,
    '{"type": "card", "brand": "visa", "last4": "4242"}', 'succeeded', 1900, 'EUR', at, at, at, at
  from ${NUMBERED} where ${PAID}`,
  `insert into invoices (id, merchant_id, environment, number, issued_at, supplied_at, customer_id, order_id, status,
    amount, amount_due, currency, customer, supplier, line_items, created_at, updated_at, pdf_token, prints_codes)
  select pg_temp.id_of('ap_inv_', at, n), ${WHOSE}, '2026-' || n, at, at, pg_temp.customer_of(at, n),
    pg_temp.id_of('ap_ord_', at, n), 'created', 1900, 0, 'EUR', '{"email": "buyer@example.com"}', '{"name": "Seeded"}',
    '[]', at, at, 'token-' || n, ${EXCEPTION}
  from ${NUMBERED} where ${PAID}`,
  ...['payment.succeeded', 'invoice.created'].flatMap((type, ordinal) => [
    `insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, occurred_at, body, created_at)
    select 'evt_${ordinal}' || lpad(to_hex(n), 30, '0'), ${WHOSE},
      case when ${EXCEPTION} then '${SEEDED.rareEventType}' else '${type}' end, pg_temp.id_of('ap_chk_', at, n), 1, at,
      repeat('{"id": "of a payment"}', 40), at
    from ${NUMBERED} where ${PAID}`,
    `insert into deliveries (endpoint_id, event_id, status, attempts, next_attempt_at, last_attempt_at, last_status,
      succeeded_at, created_at)
    select '${SEEDED.endpointId}', 'evt_${ordinal}' || lpad(to_hex(n), 30, '0'), 'succeeded', 1, at, at, 200, at, at
    from ${NUMBERED} where ${PAID}`,
    `insert into delivery_attempts (endpoint_id, event_id, attempt, at, duration_ms, status, error)
    select '${SEEDED.endpointId}', 'evt_${ordinal}' || lpad(to_hex(n), 30, '0'), 1, at, 20,
      case when ${EXCEPTION} then 500 else 200 end, case when ${EXCEPTION} then 'status 500' end
    from ${NUMBERED} where ${PAID}`,
  ]),
  `insert into rail_webhooks (rail_account_id, rail_event_id, reference, hint, received_at, applied_at)
  select '${SEEDED.accountId}', 'evt_' || n, pg_temp.id_of('ap_pay_', at, n), 'approved', at,
    case when not (${EXCEPTION}) then at end
  from ${NUMBERED} where ${PAID}`,
  `insert into rail_answers (at, rail_account_id, rail, environment, reference, operation, outcome, took_ms, is_attempt)
  select at, '${SEEDED.accountId}', 'sandbox', 'sandbox', pg_temp.id_of('ap_pay_', at, n), 'authorize', 'approved', 20, true
  from ${NUMBERED} where ${PAID}`,
  `insert into idempotency_keys (scope, key, method, path, body_hash, lease_until, answer, keep_for_ever, created_at)
  select 'merchant:${SEEDED.merchantId}:sandbox', 'key-' || n, 'POST', '/v1/checkouts', sha256(n::text::bytea), at,
    '{"status": 201, "requestId": "r", "flowId": null, "sealedBody": "sealed"}', n % 10 = 0, at
  from ${NUMBERED} where at > now() - interval '30 days'`,
  `insert into refunds (id, merchant_id, environment, payment_id, order_id, rail_account_id, operation_id, amount,
    currency, status, created_at, updated_at, workflow_started_at, next_action_at)
  select pg_temp.id_of('ap_ref_', at, n), ${WHOSE}, pg_temp.id_of('ap_pay_', at, n), pg_temp.id_of('ap_ord_', at, n),
    '${SEEDED.accountId}', 'op-' || n, 1900, 'EUR', 'succeeded', at, at, at, null
  from ${NUMBERED} where ${PAID} and n % 20 = 1`,
  `insert into credit_notes (id, merchant_id, environment, number, issued_at, time_zone, reason, invoice_id, payment_id,
    refund_id, order_id, customer_id, amount, currency, customer, supplier, line_items, pdf_token)
  select pg_temp.id_of('ap_cn_', at, n), ${WHOSE}, 'C2026-' || n, at, 'UTC', 'refund', pg_temp.id_of('ap_inv_', at, n),
    pg_temp.id_of('ap_pay_', at, n), pg_temp.id_of('ap_ref_', at, n), pg_temp.id_of('ap_ord_', at, n),
    pg_temp.customer_of(at, n), 1900, 'EUR', '{}', '{}', '[]', 'c-token-' || n
  from ${NUMBERED} where ${PAID} and n % 20 = 1`,
  `insert into audit_log (at, merchant_id, environment, actor, action, subject_id)
  select at, ${WHOSE}, 'person', 'product.update', '${SEEDED.productId}' || n from ${NUMBERED} where n % 20 = 1`,
  `insert into policy_reports (day, document, directive, blocked, last_at)
  select at::date, 'page', 'script-src', 'inline' || n, at from ${NUMBERED} where n % 20 = 1`,
  `insert into resolve_requests (id, subject_id, outcome, operator, reason, evidence, created_at, answered_at, answer)
  select 'ap_res_' || n, pg_temp.id_of('ap_chk_', at, n), 'failed', 'operator', 'why', 'what', at, at, 'settled'
  from ${NUMBERED} where n % 20 = 1`,
  `insert into request_counts (key, requests, window_ends_at)
  select 'key-' || n, 1, now() + interval '1 hour' from ${NUMBERED}`,
  `insert into disputes (merchant_id, environment, payment_id, rail_account_id, rail_dispute_id, status, amount,
    currency, reason, opened_at, asked_at, created_at, updated_at)
  select ${WHOSE}, pg_temp.id_of('ap_pay_', at, n), '${SEEDED.accountId}', 'dp_' || n,
    case when ${EXCEPTION} then 'open' else 'won' end, 1900, 'EUR', 'fraudulent', at, now(), at, at
  from ${NUMBERED} where ${PAID}`,
  `insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency, found_at, returned_at,
    returned_by)
  select pg_temp.id_of('ap_pay_', at, n), ${WHOSE}, 1900, 'EUR', at, at, 'refund' from ${NUMBERED} where ${PAID}`,
  `insert into invoices_due (payment_id, merchant_id, environment, draft, error, found_at, tried_at)
  select pg_temp.id_of('ap_pay_', at, n), ${WHOSE}, '{}', '23514', at, now()
  from ${NUMBERED} where ${EXCEPTION}`,
  // Rare values to search for.
  `update customers set name = 'Xu Bo 李明' where id in (
    select pg_temp.id_of('ap_cus_', at, n) from ${NUMBERED} where ${EXCEPTION})`,
  `update payments set status = 'failed', failure_code = 'card_declined' where id in (
    select pg_temp.id_of('ap_pay_', at, n) from ${NUMBERED} where ${EXCEPTION})`,
  `update payments set amount = 4200 where id in (
    select pg_temp.id_of('ap_pay_', at, n) from ${NUMBERED} where ${EXCEPTION})`,
  // Sessions whose buyer may still come.
  `update checkouts set state = 'created', failure_reason = null, finished_at = null,
    expires_at = now() + interval '30 minutes', next_action_at = now() + interval '30 minutes'
  where id in (select pg_temp.id_of('ap_chk_', at, n) from ${NUMBERED} where not (${PAID}) and n > $1 * 0.99)`,
];

const OF_SUBSCRIPTIONS = [
  `insert into subscriptions (id, merchant_id, environment, checkout_id, customer_id, product_id, price_id,
    rail_account_id, status, amount, currency, billing_anchor, current_period_start, current_period_end, payment_method,
    price_move_id, price_moves_from, created_at, updated_at, workflow_started_at, next_action_at)
  select pg_temp.id_of('ap_sub_', at, n), ${WHOSE}, null, pg_temp.customer_of(at, n), '${SEEDED.productId}',
    'ap_price_seeded', '${SEEDED.accountId}', 'active', 900, 'EUR', at, at, now() + interval '20 days' * n / $1,
    '{"type": "card"}', 'ap_pm_seeded', now() + interval '40 days', at, at, at, now() + interval '20 days' * n / $1
  from ${NUMBERED}`,
  `insert into invoices (id, merchant_id, environment, number, issued_at, supplied_at, customer_id, subscription_id,
    period_start, period_end, status, amount, amount_due, currency, customer, supplier, line_items, created_at, updated_at,
    pdf_token)
  select pg_temp.id_of('ap_inv_', at, n + 1000000000), ${WHOSE}, 'S2026-' || n, at, at, pg_temp.customer_of(at, n),
    pg_temp.id_of('ap_sub_', at, n), at, at, 'created', 900, 0, 'EUR', '{}', '{}', '[]', at, at, 's-token-' || n
  from ${NUMBERED}`,
  `insert into payments (id, merchant_id, environment, invoice_id, customer_id, attempt_no, claim_id,
    rail_account_id, rail, payment_method, status, amount, currency, call_started_at, call_deadline, created_at,
    updated_at)
  select pg_temp.id_of('ap_pay_', at, n + 1000000000), ${WHOSE}, pg_temp.id_of('ap_inv_', at, n + 1000000000),
    pg_temp.customer_of(at, n), 1, 's-claim-' || n, '${SEEDED.accountId}', 'sandbox', '{"type": "card"}', 'succeeded', 900,
    'EUR', at, at, at, at
  from ${NUMBERED}`,
  // Rare statuses, for the lists' filters.
  `update subscriptions set status = 'past_due' where id in (
    select pg_temp.id_of('ap_sub_', at, n) from ${NUMBERED} where ${EXCEPTION} and n <= $1 / 2)`,
  `update subscriptions set status = 'cancelled', next_action_at = null where id in (
    select pg_temp.id_of('ap_sub_', at, n) from ${NUMBERED} where ${EXCEPTION} and n > $1 / 2)`,
  `update invoices i set status = case s.status when 'past_due' then 'open' else 'uncollectible' end, amount_due = i.amount
  from subscriptions s
  where s.id = i.subscription_id and s.id in (
    select pg_temp.id_of('ap_sub_', at, n) from ${NUMBERED} where ${EXCEPTION})`,
];
