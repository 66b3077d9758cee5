/** Reads the hosted page's session in one statement, and thus from one snapshot. */
import { z } from 'zod';
import { railCapabilities } from '../../../contract/merchant/rail-accounts.ts';
import { sessionTerms } from '../../../contract/session/terms.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import { CURRENCIES } from '../../../domain/core/money.ts';
import { PAYMENT_STATUSES } from '../../../domain/payment/payment.ts';
import { SESSION_FAILURE_REASONS, SESSION_STATES } from '../../../domain/session/session.ts';
import { couponAsJson, storedCoupon } from '../../catalogue/stored-coupon.ts';
import { type Db, sql } from '../../core/pool.ts';
import { type Counted, declinesOfClick, selectDeclines } from '../card-declines.ts';
import { CLAIM_COMMIT_GRACE } from '../clicks.ts';
import { emailOfBuyer } from '../core/buyer-details.ts';
import { methodChangeFacts, selectMethodChangeFacts } from '../method-change-facts.ts';

const attempt = z.object({
  payment_id: z.string(),
  claim_id: z.string(),
  status: z.enum(PAYMENT_STATUSES),
  at: z.string().transform((at) => new Date(at).toISOString()),
  /** True once a call to the rail has begun. */
  called: z.boolean(),
  failure_code: z.string().nullable(),
  challenge_url: z.string().nullable(),
  challenge_expires_at: z
    .string()
    .transform((at) => new Date(at).toISOString())
    .nullable(),
  card: z.object({ brand: z.string().nullable(), last4: z.string().nullable() }).nullable(),
});

const session = z.object({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  state: z.enum(SESSION_STATES),
  version: z.number(),
  failure_reason: z.enum(SESSION_FAILURE_REASONS).nullable(),
  max_attempts: z.number(),
  amount: z.number(),
  quantity: z.number(),
  coupon: storedCoupon.nullable(),
  currency: z.enum(CURRENCIES),
  terms: sessionTerms,
  preselected_method: z.string().nullable(),
  locale: z.string().nullable(),
  success_url: z.string().nullable(),
  fail_url: z.string().nullable(),
  expires_at: z.string(),
  cancelling: z.boolean(),
  server_time: z.string(),
  ms_to_expiry: z.number(),
  finished_at: z.string().nullable(),
  ms_since_finish: z.number().nullable(),
  email: z.string().nullable(),
  /** The name given in this session's request, or changed by the buyer on the page. */
  name: z.string().nullable(),
  /** True if the email was confirmed before this session; an email typed in this session can still be corrected. */
  email_confirmed: z.boolean(),
  account: z.object({
    id: z.string(),
    rail: z.string(),
    status: z.enum(['activating', 'active', 'disabled']),
    capabilities: railCapabilities,
  }),
  /** True if the breaker of the account or rail is not closed, so that a new attempt must be admitted by it. */
  breaker_not_closed: z.boolean(),
  /** True if the rail fails entirely or is paused: new attempts are rejected. */
  rail_is_out: z.boolean(),
  /** Encrypted. */
  credential: z.instanceof(Buffer),
  attempts_used: z.number(),
  last_attempt: attempt.nullable(),
  /** The stored click with `claimId`, if any. */
  click: z
    .object({
      /** The attempt made by this click, if any. */
      payment_id: z.string().nullable(),
      /** True if the attempt exists but the rail has not been called for it. */
      attempt_not_sent: z.boolean(),
      /** True once the click can no longer create an attempt. */
      has_expired: z.boolean(),
    })
    .nullable(),
  /** Declined cards that count against a new click; null if not requested. */
  declines: declinesOfClick.nullable(),
  /** The instant until which a click without an attempt may still create one. */
  claim_open_until: z.string().nullable(),
  /** The subscription whose payment method is changed; null for a purchase. */
  method_change: methodChangeFacts.nullable(),
  /** The state of the invoice that a payment link pays; null for other sessions. */
  link: z.enum(['unpaid', 'paid', 'over']).nullable(),
  /** Null unless a purchase or a payment link has succeeded. */
  sale: z.object({ order_id: z.string(), pdf_token: z.string().nullable() }).nullable(),
  /** True if an endpoint of the merchant is about to receive this session's events. */
  events_on_their_way: z.boolean(),
});
export type Session = z.infer<typeof session>;

/**
 * @param pageToken the token in the page's address
 * @param claimId id of a click that may already be stored
 * @param counted which declines to count against this click
 */
export function findSession(
  db: Db,
  pageToken: string,
  claimId: string | null = null,
  counted: Counted | null = null,
): Promise<Session | null> {
  return db.maybeOne(sql.type(session)`
    select c.id, c.merchant_id, c.environment, c.state, c.version, c.failure_reason, c.max_attempts,
      c.amount, c.quantity, ${couponAsJson(sql.fragment`c.coupon_id`)} as coupon, c.currency, c.terms, c.preselected_method, c.locale, c.success_url, c.fail_url, c.expires_at,
      c.cancel_requested_at is not null as cancelling,
      clock.at as server_time,
      ms_between(clock.at, c.expires_at) as ms_to_expiry,
      c.finished_at, ms_between(c.finished_at, clock.at) as ms_since_finish,
      case when c.asks_email then typed.email else ${emailOfBuyer} end as email,
      c.buyer ->> 'name' as name,
      u.email_confirmed_at is not null and not c.asks_email and typed.email is null as email_confirmed,
      jsonb_build_object('id', a.id, 'rail', a.rail, 'status', a.status, 'capabilities', a.capabilities) as account,
      breaker.is_not_closed as breaker_not_closed, breaker.is_out as rail_is_out,
      a.credential,
      (select count(*)::int from payments where checkout_id = c.id) as attempts_used,
      (
        select jsonb_build_object('payment_id', p.id, 'claim_id', p.claim_id, 'status', p.status, 'at', p.created_at,
          'called', p.call_started_at is not null, 'failure_code', p.failure_code, 'challenge_url', p.challenge_url,
          'challenge_expires_at', p.challenge_expires_at, 'card', p.payment_method)
        from payments p where p.checkout_id = c.id order by p.attempt_no desc limit 1
      ) as last_attempt,
      (
        select jsonb_build_object('payment_id', p.id, 'has_expired', clock.at >= r.not_after + ${CLAIM_COMMIT_GRACE},
          'attempt_not_sent', coalesce(p.status = 'processing' and p.call_started_at is null, false))
        from clicks r left join payments p on p.claim_id = r.claim_id
        where r.claim_id = ${claimId} and r.checkout_id = c.id
      ) as click,
      (
        select max(r.not_after) from clicks r
        where r.checkout_id = c.id and r.not_after + ${CLAIM_COMMIT_GRACE} > clock.at
          and not exists (select from payments p where p.claim_id = r.claim_id)
      ) as claim_open_until,
      ${selectDeclines(counted)} as declines,
      ${selectMethodChangeFacts} as method_change,
      (select case when i.status in ('draft', 'open', 'payment_failed') then 'unpaid' when i.status = 'created' then 'paid'
        else 'over' end from invoices i where i.id = c.invoice_id) as link,
      case when c.state = 'succeeded' then (
        select jsonb_build_object('order_id', o.id, 'pdf_token', (
          select pdf_token from invoices
          where order_id = o.id and number is not null
            and (subscription_id is null or subscription_id = (select id from subscriptions where checkout_id = c.id))
          limit 1))
        from orders o where o.checkout_id = c.id
        union all
        select jsonb_build_object('order_id', i.order_id, 'pdf_token', case when i.number is not null then i.pdf_token end)
        from invoices i where i.id = c.invoice_id
      ) end as sale,
      c.finished_at is not null and exists (
        select from events e join deliveries d on d.event_id = e.id
        join webhook_endpoints w on w.id = d.endpoint_id and w.status = 'enabled'
        where d.status = 'pending' and d.next_attempt_at < clock.at + interval '10 seconds'
          and e.aggregate_id in (
            select c.id
            union all select p.id from payments p where p.checkout_id = c.id
            union all select s.id from subscriptions s where s.checkout_id = c.id or s.id = c.subscription_id
          )
      ) as events_on_their_way
    from checkouts c
    cross join lateral (select service_clock() as at) clock
    join customers u on u.id = c.customer_id
    left join lateral (
      select email from clicks where checkout_id = c.id and email is not null
      order by created_at desc limit 1
    ) typed on true
    join rail_accounts a on a.id = c.rail_account_id
    cross join lateral (
      select count(*) > 0 as is_not_closed, coalesce(bool_or(b.state = 'paused' or b.retry_at > clock.at), false) as is_out
      from rail_breakers b
      where b.scope = any (breaker_scopes(a.id, a.rail, a.environment)) and b.state <> 'closed'
    ) breaker
    where c.page_token_hash = sha256(convert_to(${pageToken}, 'UTF8'))
  `);
}
