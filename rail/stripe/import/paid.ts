/** The amount that Stripe was paid for a subscription's current period. */
import { z } from 'zod';
import { call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import type { Subscription } from './schema.ts';

const invoiceSchema = z.object({
  id: z.string(),
  status: z.string(),
  total: z.number().int(),
  pre_payment_credit_notes_amount: z.literal(0),
  post_payment_credit_notes_amount: z.number().int(),
  lines: z.object({
    data: z.array(z.object({ period: z.object({ start: z.number(), end: z.number() }) })),
    has_more: z.boolean(),
  }),
});

/** The invoice's only payment, by a charge. */
const paymentPage = z.object({
  data: z.tuple([
    z.object({
      payment: z.object({
        payment_intent: z.object({
          latest_charge: z.object({
            status: z.literal('succeeded'),
            currency: z.string(),
            amount_captured: z.number().int(),
            amount_refunded: z.number().int(),
            disputed: z.literal(false),
          }),
        }),
      }),
    }),
  ]),
  has_more: z.literal(false),
});

/**
 * @returns null if the subscription changed within the period, if the charge was disputed, if the invoice was partly
 * paid or credited other than through its charge, or if Stripe does not answer
 */
export async function paidForPeriod(api: StripeApi, found: Subscription): Promise<number | null> {
  const invoice = invoiceSchema.safeParse(found.latest_invoice).data;
  if (!invoice) return null;
  const payments = await call(api, paymentPage, (stripe) =>
    stripe.invoicePayments.list({
      invoice: invoice.id,
      status: 'paid',
      expand: ['data.payment.payment_intent.latest_charge'],
    }),
  );
  if (payments.kind !== 'answer') return null;
  const [{ payment }] = payments.value.data;
  const { currency, amount_captured, amount_refunded } = payment.payment_intent.latest_charge;
  const [item] = found.items.data;
  const [line, ...others] = invoice.lines.data;
  const isOfPeriod =
    line?.period.start === item.current_period_start && line.period.end === item.current_period_end;
  // Otherwise, the difference was paid from the customer's balance, or returned outside the charge.
  const isByCharge =
    amount_captured === invoice.total && invoice.post_payment_credit_notes_amount <= amount_refunded;
  const isCertain = invoice.status === 'paid' && isOfPeriod && others.length === 0 && !invoice.lines.has_more;
  return isCertain && isByCharge && currency === found.currency ? amount_captured - amount_refunded : null;
}
