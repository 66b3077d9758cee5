/**
 * PaymentIntents and SetupIntents as one type: an attempt that is created, then confirmed, and may need the buyer in
 * between. Stripe's field names are used in this file only.
 */
import { z } from 'zod';
import { DEFAULT_CURRENCY } from '../../../domain/core/money.ts';
import type { StripeRefusal } from '../core/decline-codes.ts';
import { methodSchema } from '../core/method.ts';

const failureSchema = z.object({
  type: z.string().nullish(),
  code: z.string().nullish(),
  decline_code: z.string().nullish(),
  advice_code: z.string().nullish(),
  payment_method: methodSchema.nullish().catch(null),
});

const common = {
  id: z.string().min(1),
  status: z.enum([
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'requires_capture',
    'processing',
    'succeeded',
    'canceled',
  ]),
  created: z.number().int(),
  metadata: z.record(z.string(), z.string()).nullish(),
  customer: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
  payment_method: z.union([z.string(), methodSchema]).nullish(),
  payment_method_types: z.array(z.string()).nullish(),
  next_action: z
    .object({ redirect_to_url: z.object({ url: z.url({ protocol: /^https?$/ }).nullish() }).nullish() })
    .nullish(),
};

const paymentIntentSchema = z
  .object({
    ...common,
    object: z.literal('payment_intent'),
    amount: z.number().int(),
    /** Less than `amount` after a partial capture. */
    amount_received: z.number().int().nullish(),
    currency: z.string(),
    setup_future_usage: z.string().nullish(),
    last_payment_error: failureSchema.nullish(),
  })
  .transform((intent) => {
    const { amount, amount_received: received, last_payment_error: failure, ...rest } = intent;
    const currency = intent.currency.toUpperCase();
    return {
      ...commonOf(rest, failure),
      amountCents: amount,
      currency,
      moved: { amountCents: received ?? amount, currency },
      savesMandate: intent.setup_future_usage === 'off_session',
    };
  });

const NOTHING = { amountCents: 0, currency: DEFAULT_CURRENCY };

const setupIntentSchema = z
  .object({ ...common, object: z.literal('setup_intent'), last_setup_error: failureSchema.nullish() })
  .transform(({ last_setup_error: failure, ...rest }) => ({
    ...commonOf(rest, failure),
    // A SetupIntent has no currency, and 0 cents are equal in every currency.
    ...NOTHING,
    moved: NOTHING,
    savesMandate: true,
  }));

export const intentSchema = z.discriminatedUnion('object', [paymentIntentSchema, setupIntentSchema]);
export type Intent = z.infer<typeof intentSchema>;

/** Validates the quantity, because the account's owner can edit metadata. */
function quantityIn(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null;
}

function commonOf(
  intent: z.infer<z.ZodObject<typeof common>>,
  failure: (StripeRefusal & z.infer<typeof failureSchema>) | null | undefined,
) {
  const { payment_method: method, customer } = intent;
  return {
    id: intent.id,
    status: intent.status,
    at: new Date(intent.created * 1_000).toISOString(),
    /** The attempt's reference, and the rail account that created the intent, from our metadata. */
    reference: intent.metadata?.reference ?? null,
    railAccountId: intent.metadata?.rail_account ?? null,
    quantity: quantityIn(intent.metadata?.quantity),
    customerId: typeof customer === 'string' ? customer : (customer?.id ?? null),
    methodId: typeof method === 'string' ? method : (method?.id ?? null),
    /** After a failure the intent no longer has its method, but the failure does. */
    method: (typeof method === 'string' ? null : method) ?? failure?.payment_method ?? null,
    /** The allowed types that the account can use: Stripe silently drops the others. */
    methodTypes: intent.payment_method_types ?? [],
    challengeUrl: intent.next_action?.redirect_to_url?.url ?? null,
    failure: failure ?? null,
  };
}
