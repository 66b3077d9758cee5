/** One checkout with its complete history, including its attempts'. */
import { z } from 'zod';
import { type CheckoutHistory, checkoutHistory } from '../../../contract/session/checkout-history.ts';
import { ENVIRONMENTS, type Environment } from '../../../domain/core/environment.ts';
import { type Db, sql } from '../../core/pool.ts';
import { worstDisputeOf } from '../../payment/disputed-part.ts';
import { type Happening, paymentTimeline } from '../../payment/payment-details.ts';
import { emailOfBuyer, nameOfBuyer } from '../core/buyer-details.ts';
import { findSessionDetails } from './session-details.ts';

const more = checkoutHistory
  .pick({ payment_dispute_status: true, product_name: true, customer: true })
  .extend({ environment: z.enum(ENVIRONMENTS) });

const latestPayment = sql.fragment`
  (select id from payments where checkout_id = c.id order by attempt_no desc limit 1)`;

/** @param environment to search in; null means both */
export async function findSessionHistory(
  db: Db,
  merchantId: string,
  environment: Environment | null,
  id: string,
): Promise<CheckoutHistory | null> {
  const found = await db.maybeOne(sql.type(more)`
    select c.environment, c.terms #>> '{product,name}' as product_name,
      ${worstDisputeOf(latestPayment)} as payment_dispute_status,
      jsonb_build_object('id', u.id, 'email', ${emailOfBuyer}, 'name', ${nameOfBuyer}) as customer
    from checkouts c join customers u on u.id = c.customer_id
    where c.id = ${id} and c.merchant_id = ${merchantId}
      and (${environment}::text is null or c.environment = ${environment})`);
  const details = found && (await findSessionDetails(db, { merchantId, environment: found.environment }, id));
  if (!details) return null;
  const attempts = await db.any(sql.type(z.object({ id: z.string() }))`
    select id from payments where checkout_id = ${id} order by attempt_no`);
  const happened: Happening[] = [
    { at: details.created_at, what: 'checkout_created', reference: id, amount: details.amount, detail: null },
  ];
  for (const attempt of attempts) happened.push(...(await paymentTimeline(db, attempt.id)));
  const { finished_at: at, failure_reason: detail } = details;
  if (at && detail) happened.push({ at, what: 'checkout_failed', reference: id, amount: null, detail });
  return { ...found, ...details, timeline: inOrder(happened) };
}

/** Sorts entries and removes duplicates: each attempt's history repeats its checkout's. */
function inOrder(happened: readonly Happening[]): Happening[] {
  const once = new Map(happened.map((each) => [JSON.stringify(each), each]));
  return [...once.values()].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}
