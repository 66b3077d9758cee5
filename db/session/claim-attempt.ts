/**
 * The claim turns one click into one attempt (rules 1, 2, 5 and 6). All its conditions are checked here, under the
 * session's row lock and by the database's clock.
 */
import { z } from 'zod';
import { taxIncludedCents } from '../../domain/money.ts';
import { isOpen, PAYMENT_STATUSES } from '../../domain/payment.ts';
import type { PayAnswer, PayRefusal } from '../../domain/session.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { isSuperseded } from './close-method-change.ts';
import { type LockedSession, lockSession, moveSession } from './session-row.ts';

/**
 * A claim whose rail call has not begun by then is found by `claimsWithoutCall` (rule 43). The call normally
 * begins some 30 ms after the claim.
 */
const CALL_BEGINS_WITHIN_SECONDS = 3;

export function claimAttempt(
  pool: Pool,
  { checkoutId, claimId }: { readonly checkoutId: string; readonly claimId: string },
): Promise<PayAnswer> {
  return pool.transaction(async (tx) => {
    const checkout = await lockSession(tx, checkoutId);
    const earlier = await paymentsOf(tx, checkoutId);
    const mine = earlier.find((payment) => payment.claim_id === claimId);
    if (mine) return { kind: 'claimed', paymentId: mine.id, state: checkout.state };
    const unsettled = earlier.find(({ status }) => status !== 'failed' && status !== 'cancelled');
    if (unsettled && isOpen(unsettled.status)) {
      return { kind: 'joined', paymentId: unsettled.id, state: checkout.state };
    }
    const refuse = (reason: PayRefusal): PayAnswer => ({
      kind: 'refused',
      reason,
      state: checkout.state,
    });
    if (checkout.state !== 'created' || unsettled) return refuse('finished');
    const request = await payRequest(tx, checkoutId, claimId);
    if (!request) return refuse('unknown_request');
    if (checkout.subscription_id && (await isSuperseded(tx, checkoutId))) return refuse('finished');
    if (checkout.expired) return refuse('expired');
    if (request.too_late) return refuse('too_late');
    if (checkout.attempts >= checkout.max_attempts) return refuse('attempts_exhausted');

    if (request.email !== null) await confirmEmail(tx, checkout.customer_id, request.email);
    const orderId = checkout.subscription_id ? null : await orderOf(tx, checkout);
    if (orderId && checkout.terms.price.recurring) await incompleteSubscriptionOf(tx, checkout);
    // Derived: the same id in every copy of the database (rule 28).
    const attemptNo = checkout.attempts + 1;
    const paymentId = await tx.oneFirst(sql.type(z.object({ id: z.string() }))`
      insert into payments (id, merchant_id, environment, order_id, checkout_id, attempt_no, claim_id,
        rail_account_id, rail, payment_method, amount, currency)
      select session_payment_id(id, created_at, ${attemptNo}), merchant_id, environment, ${orderId}, id, ${attemptNo},
        ${claimId}, rail_account_id, ${checkout.rail},
        ${sql.jsonb({ type: request.method_type, brand: null, last4: null })}, amount, currency
      from checkouts where id = ${checkoutId}
      returning id
    `);
    await tx.query(sql.unsafe`update orders set payment_id = ${paymentId} where id = ${orderId}`);
    const moved = await moveSession(tx, checkout, 'processing', {
      nextActionSeconds: CALL_BEGINS_WITHIN_SECONDS,
    });
    return { kind: 'claimed', paymentId, state: moved.state };
  });
}

function paymentsOf(tx: Transaction, checkoutId: string) {
  return tx.any(
    sql.type(
      z.object({ id: z.string(), claim_id: z.string(), status: z.enum(PAYMENT_STATUSES) }),
    )`select id, claim_id, status from payments where checkout_id = ${checkoutId}`,
  );
}

function payRequest(tx: Transaction, checkoutId: string, claimId: string) {
  return tx.maybeOne(sql.type(
    z.object({ method_type: z.string(), email: z.string().nullable(), too_late: z.boolean() }),
  )`
    select method_type, email, service_clock() >= not_after as too_late
    from pay_requests where claim_id = ${claimId} and checkout_id = ${checkoutId}
  `);
}

/** An email typed on the hosted page is confirmed; a prefill never overwrites it. */
async function confirmEmail(tx: Transaction, customerId: string, email: string): Promise<void> {
  await tx.query(sql.unsafe`
    update customers set email = ${email}, email_confirmed_at = service_clock(), updated_at = service_clock()
    where id = ${customerId}
  `);
}

/** One order per session, created with its first attempt. */
async function orderOf(tx: Transaction, checkout: LockedSession): Promise<string> {
  const { product, price } = checkout.terms;
  const line = {
    product_id: product.id,
    price_id: price.id,
    description: product.name,
    quantity: 1,
    unit_amount: checkout.amount,
    amount: checkout.amount,
    tax_rate: price.tax_rate,
    tax_amount: taxIncludedCents(checkout.amount, price.tax_rate),
  };
  return tx.oneFirst(sql.type(z.object({ id: z.string() }))`
    insert into orders (merchant_id, environment, checkout_id, customer_id, product_id, price_id, source,
      external_reference, line_items, amount, currency)
    values (${checkout.merchant_id}, ${checkout.environment}, ${checkout.id}, ${checkout.customer_id},
      ${product.id}, ${price.id}, ${checkout.source}, ${checkout.merchant_reference}, ${sql.jsonb([line])},
      ${checkout.amount}, ${checkout.currency})
    on conflict (checkout_id) do update set updated_at = service_clock()
    returning id
  `);
}

async function incompleteSubscriptionOf(tx: Transaction, checkout: LockedSession): Promise<void> {
  const { product, price } = checkout.terms;
  await tx.query(sql.unsafe`
    insert into subscriptions (merchant_id, environment, checkout_id, customer_id, product_id, price_id,
      offering_id, rail_account_id, status, amount, currency)
    values (${checkout.merchant_id}, ${checkout.environment}, ${checkout.id}, ${checkout.customer_id},
      ${product.id}, ${price.id}, ${product.offering_id}, ${checkout.rail_account_id}, 'incomplete',
      ${price.amount}, ${price.currency})
    on conflict (checkout_id) do nothing
  `);
}
