/**
 * Turns a click into an attempt, the claim (rules 1, 2, 5 and 6). All conditions are checked under the session's row
 * lock and by the database's clock.
 */
import { z } from 'zod';
import { deductionOf } from '../../domain/catalogue/coupon.ts';
import { taxIncludedCents } from '../../domain/core/tax.ts';
import { isOpen, PAYMENT_STATUSES } from '../../domain/payment/payment.ts';
import type { PayAnswer, PayRefusal } from '../../domain/session/session.ts';
import { priceLines, storedLine } from '../../domain/subscription/proration.ts';
import type { StoredCoupon } from '../catalogue/stored-coupon.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { createIncomplete } from '../subscription/begin-subscription.ts';
import { isSuperseded } from './close-method-change.ts';
import { checkAndCountTransition, type LockedSession, lockSession } from './core/session-row.ts';
import { hasTrial, refusalOfBuyer } from './once-per-customer.ts';
import { claimForInvoice, isPayableByLink } from './pay-by-link.ts';
import { amountOf, redeem } from './redeem-coupon.ts';

/**
 * A claim whose rail call has not begun within this time was lost, and is found by `claimsWithoutCall` (rule 43). A
 * call normally begins about 30 ms after its claim.
 */
const CALL_BEGINS_WITHIN_SECONDS = 3;

interface Claim {
  readonly checkoutId: string;
  readonly claimId: string;
  /** True if the rail already has the attempt: checks that might prevent it are skipped (rule 29). */
  readonly isAtRail?: boolean;
}

export function claimAttempt(
  pool: Pool,
  { checkoutId, claimId, isAtRail = false }: Claim,
): Promise<PayAnswer> {
  return inTransaction(pool, async (tx) => {
    const session = await lockSession(tx, checkoutId);
    const { earlier, click } = await claimOf(tx, checkoutId, claimId);
    const mine = earlier.find((payment) => payment.claim_id === claimId);
    if (mine)
      return { kind: 'claimed', attemptId: mine.id, state: session.state, isOpen: isOpen(mine.status) };
    const unsettled = earlier.find(({ status }) => status !== 'failed' && status !== 'cancelled');
    if (unsettled && isOpen(unsettled.status)) return { kind: 'in_progress' };
    const refuse = (reason: PayRefusal): PayAnswer => ({ kind: 'refused', reason });
    if (session.state !== 'created' || unsettled) return refuse('finished');
    if (!click) return refuse('unknown_click');
    const isOver = session.invoice_id
      ? !(await isPayableByLink(tx, session))
      : session.subscription_id !== null && (await isSuperseded(tx, checkoutId));
    if (isOver) return refuse('finished');
    if (session.expired) return refuse('expired');
    if (click.too_late) return refuse('too_late');
    if (session.attempts >= session.max_attempts) return refuse('attempts_exhausted');

    if (!isAtRail && click.coupon_id !== session.coupon_id) return refuse('terms_changed');
    const once = isAtRail ? null : await refusalOfBuyer(tx, session, click);
    if (once) return refuse(once);
    const coupon = await redeem(tx, session, click.email, isAtRail);
    if (coupon === 'refused') return refuse('terms_changed');
    const chosen = withQuantity(session, click.quantity);
    const bought = coupon ? { ...chosen, amount: amountOf(chosen, coupon) } : chosen;
    if (click.amount !== null && click.amount !== bought.amount) return refuse('terms_changed');
    if (!session.subscription_id && session.terms.price.recurring)
      await createIncomplete(tx, bought, hasTrial(bought) ? click.card : null);
    const attemptId = await insertAttempt(tx, bought, claimId, click, coupon);
    if (session.invoice_id) await claimForInvoice(tx, session, attemptId);
    return {
      kind: 'claimed',
      attemptId,
      state: checkAndCountTransition(tx, session, 'processing').state,
      isOpen: true,
    };
  });
}

const storedClick = z.object({
  method_type: z.string(),
  email: z.string().nullable(),
  quantity: z.number().nullable(),
  amount: z.number().nullable(),
  coupon_id: z.string().nullable(),
  card: z
    .string()
    .nullable()
    .transform((hex) => (hex === null ? null : Buffer.from(hex, 'hex'))),
  too_late: z.boolean(),
});
type StoredClick = z.infer<typeof storedClick>;

const claim = z.object({
  earlier: z.array(z.object({ id: z.string(), claim_id: z.string(), status: z.enum(PAYMENT_STATUSES) })),
  click: storedClick.nullable(),
});

/** Reads the earlier attempts and the click, in one statement that begins after the session's row was locked. */
function claimOf(tx: Transaction, checkoutId: string, claimId: string): Promise<z.infer<typeof claim>> {
  return tx.one(sql.type(claim)`
    select
      coalesce((
        select jsonb_agg(jsonb_build_object('id', id, 'claim_id', claim_id, 'status', status))
        from payments where checkout_id = ${checkoutId}
      ), '[]') as earlier,
      (
        select jsonb_build_object('method_type', method_type, 'email', email, 'quantity', quantity, 'amount', amount,
          'coupon_id', coupon_id, 'card', encode(card, 'hex'), 'too_late', service_clock() >= not_after)
        from clicks where claim_id = ${claimId} and checkout_id = ${checkoutId}
      ) as click
  `);
}

/** Returns the session with the quantity that the click chose: `pay` has checked that it is within the terms. */
function withQuantity(session: LockedSession, quantity: number | null): LockedSession {
  if (quantity === null || quantity === session.quantity) return session;
  const chosen = { ...session, quantity };
  return { ...chosen, amount: amountOf(chosen, null) };
}

/** The lines of the order. A coupon cannot be combined with an amount that the merchant sets. */
function linesOf(
  { terms: { product, price }, quantity, amount }: LockedSession,
  coupon: StoredCoupon | null,
) {
  const taxRate = price.tax_rate;
  // Rounded if the merchant's amount is not a multiple of the quantity.
  const unitAmount = Math.round(amount / quantity);
  const taxAmount = taxIncludedCents(amount, taxRate);
  const lines =
    coupon && !price.recurring?.trial_period_days
      ? priceLines({ unitAmount: price.amount, quantity, taxRate, coupon: deductionOf(coupon) })
      : [{ key: 'period', quantity, unitAmount, amount, taxRate, taxAmount }];
  return lines.map((line) => {
    const description = line.key === 'discount' && coupon ? coupon.code : product.name;
    return storedLine(line, { product_id: product.id, price_id: price.id, description });
  });
}

const claimedAttempt = z.object({ id: z.string() });

/**
 * Inserts the attempt and transitions the session, in one statement. The first attempt inserts the session's order;
 * later attempts replace the order's payment. The claim also confirms an email typed on the hosted page. Foreign keys
 * are checked at the statement's end.
 */
function insertAttempt(
  tx: Transaction,
  session: LockedSession,
  claimId: string,
  click: StoredClick,
  coupon: StoredCoupon | null,
): Promise<string> {
  const { product, price } = session.terms;
  const method = { type: click.method_type, brand: null, last4: null };
  // The id is derived, so that it is the same in every copy of the database (rule 28).
  const attemptNo = session.attempts + 1;
  return tx.oneFirst(sql.type(claimedAttempt)`
    with moved as (
      update checkouts set state = 'processing', version = version + 1, amount = ${session.amount},
        quantity = ${session.quantity},
        next_action_at = service_clock() + ${CALL_BEGINS_WITHIN_SECONDS}::float8 * interval '1 second'
      where id = ${session.id}
      returning id
    ), attempt as materialized (
      select c.*, coalesce((
          -- A payment link's attempt is its invoice's: its id leads to the subscription that it paid (rule 28).
          select period_payment_id(i.subscription_id, i.period_start, (select count(*) + 1 from payments where invoice_id = i.id))
          from invoices i where i.id = c.invoice_id
        ), session_payment_id(id, created_at, ${attemptNo})) as payment_id
      from checkouts c where id = ${session.id}
    ), confirmed as (
      update customers set email = ${click.email}, email_confirmed_at = service_clock(), updated_at = service_clock()
      where id = ${session.customer_id} and ${click.email}::text is not null
    ), placed as (
      insert into orders (merchant_id, environment, checkout_id, customer_id, product_id, price_id, source,
        external_reference, line_items, amount, currency, payment_id)
      select merchant_id, environment, id, customer_id, ${product.id}, ${price.id}, ${session.source},
        merchant_reference, ${sql.jsonb(linesOf(session, coupon))}, ${session.amount}, currency, payment_id
      from attempt where subscription_id is null
      on conflict (checkout_id) do update set payment_id = excluded.payment_id, line_items = excluded.line_items,
        amount = excluded.amount, updated_at = service_clock()
      returning id
    ), claimed as (
      insert into payments (id, merchant_id, environment, order_id, checkout_id, invoice_id, customer_id, attempt_no, claim_id,
        rail_account_id, rail, payment_method, amount, currency)
      select payment_id, merchant_id, environment, (select id from placed), id, invoice_id, customer_id, ${attemptNo}, ${claimId},
        rail_account_id, ${session.rail}, ${sql.jsonb(method)}, ${session.amount}, currency
      from attempt
      returning id
    ), notified as (
      select pg_notify('checkout_changed', id) from moved
    )
    select claimed.id from claimed, notified
  `);
}
