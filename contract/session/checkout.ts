/** POST /v1/checkouts: the request. Violations are reported in the order of the fields. */
import { z } from 'zod';
import { LANGUAGES } from '../../domain/core/languages.ts';
import { MOST_QUANTITY } from '../../domain/core/money.ts';
import { METHOD_TYPES } from '../../domain/payment/payment-method.ts';
import { UNIQUE } from '../core/examples.ts';
import { browserUrl, email, requiredText, text } from '../core/text.ts';

const detail = () => text(200).nullish();

/** A language tag with optional script and region. Unknown languages are accepted: they must not prevent a sale. */
const locale = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$/, {
  error: 'must be a language tag such as de or de-AT',
});

export const billingDetails = z
  .object({
    line1: detail(),
    line2: detail(),
    city: detail(),
    region: detail(),
    postal_code: detail(),
    country: detail(),
  })
  .meta({ id: 'BillingDetails' });

export const tax = z
  .object({
    value: text(200).nullish().meta({ description: 'The tax identifier.' }),
    type: text(200).nullish().meta({ description: 'Its type.' }),
  })
  .meta({ id: 'CustomerTax' });

export const checkoutRequest = z
  .object({
    productId: requiredText(200).meta({ description: 'An active product of the merchant.' }),
    externalCustomerId: requiredText(160).meta({ description: 'Your stable reference for the customer.' }),
    customer: z
      .object({
        email: email(320).nullish().meta({ description: 'If absent, the hosted page asks for it.' }),
        name: text(160).nullish(),
        billingDetails: billingDetails.nullish(),
        tax: tax.nullish(),
      })
      .meta({ id: 'CheckoutPrefill' })
      .nullish()
      .meta({
        description:
          'Stored with the session, printed on its invoice, and copied to the customer when the session succeeds. Name, address and tax id are one set: giving one of them replaces all three; if only nulls are given, they clear just those fields.',
      }),
    amount: z.int().positive().nullish().meta({
      description:
        'Cents; at most the active price times `quantity`, which is the default. Not accepted if the price has a trial.',
      example: 1900,
    }),
    paymentMethod: z.enum(METHOD_TYPES).nullish().meta({ description: 'Preselected on the hosted page.' }),
    locale: locale.nullish().meta({
      description:
        `The buyer's language tag. The hosted page supports ${LANGUAGES.join(', ')}; if absent or unsupported: the ` +
        "browser's language, then the merchant's. The buyer can switch.",
      example: 'de-AT',
    }),
    successUrl: browserUrl(500).nullish().meta({ example: 'https://shop.example/thanks' }),
    failUrl: browserUrl(500).nullish().meta({ example: 'https://shop.example/cart' }),
    reconciliation: z
      .object({ merchantReference: text(120).nullish().meta({ description: 'Your cart or order.' }) })
      .meta({ id: 'CheckoutReconciliation' })
      .nullish(),
    quantity: z.int().min(1).max(MOST_QUANTITY).nullish().meta({
      description:
        "Within the bounds of the product's `quantity`. If absent: the minimum, and the hosted page lets the buyer choose unless `amount` is given.",
      example: 1,
    }),
    couponCode: requiredText(60).nullish().meta({
      description:
        'The code of a coupon of the merchant, case-insensitive. It is redeemed when the buyer pays. If it has been used up by then, the hosted page shows the price without it. Not accepted with `amount`.',
      example: 'SPRING24',
    }),
  })
  .meta({ id: 'CheckoutRequest' });
export type CheckoutRequest = z.infer<typeof checkoutRequest>;

export const checkoutSession = z
  .object({
    id: z.string().meta({ example: 'ap_chk_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8' }),
    sessionId: z
      .string()
      .meta({ description: "Secret of the hosted page's URL: anyone who has it can pay." }),
    hostedUrl: z.url().meta({ description: "Send the buyer's browser here." }),
    expiresAt: z.iso.datetime().meta({ description: '30 minutes after creation.' }),
    request_id: z.string(),
  })
  .meta({ id: 'CheckoutSession' });
export type CheckoutSession = z.infer<typeof checkoutSession>;

export const exampleCheckout: Omit<CheckoutSession, 'request_id'> = {
  id: `ap_chk_${UNIQUE}`,
  sessionId: 'ap_chk_6f0d8c1e4b7a49d2a5c3e8f1b0d7c6a9',
  hostedUrl: 'https://pay.example.org/pay/ap_chk_6f0d8c1e4b7a49d2a5c3e8f1b0d7c6a9',
  expiresAt: '2026-01-31T10:00:00.000Z',
};
