/**
 * Every error code of the API, with its status and default message. An error's body is `{ code, message,
 * request_id }`, with `field`, `reason` and `limit` (`faults.ts`) if it is about the request's fields, and `total` for
 * two codes; a route may replace the message with a more precise one, but not the code.
 */
import { z } from 'zod';
import { METHOD_TYPES } from '../../domain/payment/payment-method.ts';
import { faultFields } from './faults.ts';
import { type ErrorDefinition, hostedPageFieldErrors } from './field-errors.ts';

export const ERRORS = {
  // Any request
  invalid_request: { status: 400, message: 'The request is not valid.' },
  unknown_field: {
    status: 400,
    message: 'The operation cannot be undone, so unknown fields are rejected. The message names the field.',
  },
  invalid_json: { status: 400, message: 'The body is not valid JSON in UTF-8.' },
  service_api_key_required: { status: 401, message: 'Send your API key: Authorization: Bearer <API_KEY>.' },
  api_key_invalid: { status: 401, message: 'The API key is malformed, unknown, expired or revoked.' },
  api_key_scope_insufficient: {
    status: 403,
    message: 'The scope of this API key does not permit this: use a key with another scope.',
  },
  access_token_invalid: { status: 401, message: 'The access token is not valid for this service.' },
  access_token_expired: { status: 401, message: 'The access token has expired: request a new one.' },
  access_token_role_missing: { status: 403, message: 'The access token contains no role of this service.' },
  merchant_inactive: { status: 403, message: 'The merchant is inactive.' },
  merchant_scope_mismatch: {
    status: 403,
    message: 'merchantId is not the merchant that the API key belongs to.',
  },
  service_merchant_forbidden: {
    status: 403,
    message: 'The API key belongs to a merchant other than the one in the path.',
  },
  merchant_feature_not_enabled: {
    status: 403,
    message: 'The merchant does not have the subscriptions capability.',
  },
  route_not_found: { status: 404, message: 'No route matches this path.' },
  method_not_allowed: {
    status: 405,
    message: 'The route does not support this method; see the Allow header.',
  },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  payload_too_large: { status: 413, message: 'The body is larger than 102,400 bytes.' },
  unsupported_media_type: { status: 415, message: 'Send application/json in UTF-8, uncompressed.' },
  administration_forbidden: {
    status: 403,
    message: 'Your role does not permit this, or it is not allowed with an API key.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests; retry after the number of seconds in Retry-After.',
  },
  internal_error: { status: 500, message: 'Internal error. Quote the request_id in support requests.' },
  dependency_unavailable: { status: 503, message: 'The service is temporarily unavailable; try again.' },

  // Merchants
  merchant_not_found: { status: 404, message: 'The merchant does not exist.' },
  api_key_not_found: { status: 404, message: 'The API key does not exist, has expired or has been revoked.' },
  rail_account_not_found: {
    status: 404,
    message: 'The rail account does not exist, or its rail does not support checks.',
  },
  rail_account_refused: {
    status: 409,
    message: 'The rail account was not saved; the message gives the reason.',
  },
  api_key_limit_reached: {
    status: 409,
    message: 'This environment already has twenty API keys: revoke one first.',
  },

  // Operations
  operation_subject_not_found: {
    status: 404,
    message: 'The id is unknown, or belongs to a merchant that you cannot access.',
  },
  operation_refused: {
    status: 409,
    message: 'The command does not apply in this state; the message states what to do.',
  },

  // Webhook endpoints and their log
  webhook_endpoint_not_found: { status: 404, message: 'The webhook endpoint does not exist.' },
  webhook_event_not_found: {
    status: 404,
    message: 'The event does not exist, or was not addressed to this endpoint.',
  },
  webhook_endpoint_limit_reached: {
    status: 409,
    message: 'This environment already has ten webhook endpoints: delete one first.',
  },
  webhook_endpoint_not_enabled: { status: 409, message: 'The webhook endpoint is paused or disabled.' },
  webhook_secret_overlap_running: {
    status: 409,
    message: 'The previous secret is still valid; see previous_secret_until.',
  },
  webhook_recovery_in_progress: {
    status: 409,
    message: 'A recovery of this webhook endpoint is already running.',
  },

  // Catalogue
  external_reference_taken: {
    status: 409,
    message: 'Another product of the merchant already has this external_reference.',
    fault: { field: 'external_reference', reason: 'taken' },
  },
  price_changed: {
    status: 409,
    message: 'Another price has become active in the meantime. Review it before you replace it.',
  },
  customer_not_found: { status: 404, message: 'The customer does not exist, or its data has been erased.' },
  price_not_found: { status: 404, message: 'The product does not have this price.' },
  price_terms_immutable: {
    status: 400,
    message: 'The terms of a price cannot change: create a new price to replace it.',
  },
  price_terms_inconsistent: {
    status: 422,
    message: 'recurring is required for billing_mode recurring and not accepted otherwise.',
    fault: { field: 'recurring', reason: 'inconsistent' },
  },
  product_image_refused: {
    status: 422,
    message: 'image_url does not return a still JPEG, PNG or WebP image that can be displayed.',
    fault: { field: 'image_url', reason: 'format' },
  },
  product_in_offering: {
    status: 409,
    message: 'The product is a plan of an offering: its price must be recurring.',
  },
  product_not_recurring: {
    status: 422,
    message: 'A plan must be a product whose active price is recurring.',
  },
  coupon_not_found: { status: 404, message: 'The coupon does not exist.' },
  coupon_code_taken: {
    status: 409,
    message: 'Another coupon in this environment already uses this code (case is ignored): stop it first.',
    fault: { field: 'code', reason: 'taken' },
  },
  price_move_not_found: { status: 404, message: 'The price move does not exist.' },
  price_move_incompatible: {
    status: 409,
    message:
      "Subscribers can only be moved from an inactive price to the product's active price, with the same interval and currency.",
  },
  price_move_date_invalid: {
    status: 400,
    message: 'The date `from` must be at least price_move_notice_days away, and at most five years.',
    fault: { field: 'from', reason: 'out_of_range' },
  },
  price_move_exists: {
    status: 409,
    message: 'The subscribers of this price are already being moved. Cancel that move first.',
  },
  plan_in_other_offering: {
    status: 409,
    message: 'The plan is already in another offering; it can be in only one.',
  },

  // Idempotency keys
  idempotency_key_required: {
    status: 400,
    message:
      'The Idempotency-Key header is required: a random value for each operation, such as a UUID, reused for its retries.',
  },
  idempotency_key_invalid: {
    status: 400,
    message: 'Idempotency-Key must be 1 to 255 printable ASCII characters, on one line.',
  },
  idempotency_key_conflict: {
    status: 409,
    message: 'The Idempotency-Key was already used with another method, path or body.',
  },
  idempotency_key_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running; try again.',
  },

  // Manual charges
  order_not_found: { status: 404, message: 'The order does not exist.' },

  // Storefront clients
  checkout_client_not_found: { status: 404, message: 'The storefront client does not exist.' },
  origin_not_allowed: { status: 403, message: 'The Origin is not allowed for the storefront client.' },
  api_key_not_allowed: { status: 400, message: 'Never send an API key from a browser; revoke this key.' },
  checkout_productReference_required: { status: 400, message: 'productReference is required.' },
  checkout_productReference_invalid: {
    status: 400,
    message: 'productReference must be a string of at most 200 characters.',
  },

  // Refunds
  refund_not_found: { status: 404, message: 'The refund does not exist.' },
  payment_not_found: { status: 404, message: 'The payment does not exist.' },
  payment_not_refundable: {
    status: 409,
    message: 'The payment is not settled, has already been refunded, or moved no money.',
  },
  refund_amount_exceeds_payment: {
    status: 400,
    message:
      'amount exceeds the refundable amount: the amount paid, less refunds and credit for subscription changes.',
    fault: { field: 'amount', reason: 'too_large' },
  },
  refundable_amount_changed: {
    status: 409,
    message: 'The refundable amount has changed: read the payment again.',
  },
  refund_limit_exceeded: {
    status: 403,
    message:
      "amount exceeds your role's refund limit for this payment; an owner sets it (support_refund_limit).",
    fault: { field: 'amount', reason: 'too_large' },
  },
  refund_currency_mismatch: {
    status: 400,
    message: "currency must be the payment's currency.",
    fault: { field: 'currency', reason: 'unknown_value' },
  },
  payment_disputed: {
    status: 409,
    message:
      'A dispute over the payment is open or was lost: the buyer may get the money twice. To refund it anyway, send confirmDispute: true with a new Idempotency-Key.',
  },
  refunds_not_supported: { status: 501, message: 'The rail account does not support refunds.' },

  // POST /v1/checkouts
  checkout_not_found: { status: 404, message: 'The checkout session does not exist.' },
  checkout_idempotency_key_not_allowed: { status: 400, message: 'Idempotency-Key is not accepted here.' },
  checkout_productId_required: { status: 400, message: 'productId is required.' },
  checkout_productId_invalid: {
    status: 400,
    message: 'productId must be a string of at most 200 characters.',
  },
  ...hostedPageFieldErrors('checkout'),
  checkout_amount_invalid: { status: 400, message: 'amount must be a positive integer of cents.' },
  checkout_paymentMethod_invalid: {
    status: 400,
    message: `paymentMethod must be ${METHOD_TYPES.slice(0, -1).join(', ')} or ${METHOD_TYPES.at(-1)}.`,
  },
  checkout_locale_invalid: { status: 400, message: 'locale must be a language tag such as de or de-AT.' },
  checkout_reconciliation_invalid: { status: 400, message: 'reconciliation must be an object.' },
  checkout_merchantReference_invalid: {
    status: 400,
    message: 'reconciliation.merchantReference must be a string of at most 120 characters.',
  },
  checkout_quantity_invalid: {
    status: 400,
    message: "quantity must be an integer within the product's bounds, with a total of at most 21474836.47.",
    fault: { field: 'quantity', reason: 'out_of_range' },
  },
  checkout_couponCode_invalid: {
    status: 400,
    message: 'couponCode must be a string of 1 to 60 characters.',
  },
  checkout_couponCode_not_allowed_with_amount: {
    status: 400,
    message: "couponCode is not accepted with amount: it reduces the product's price.",
    fault: { field: 'couponCode', reason: 'not_accepted' },
  },
  merchant_id_not_allowed: {
    status: 400,
    message: 'merchantId is not accepted: the API key determines the merchant.',
    fault: { field: 'merchantId', reason: 'not_accepted' },
  },
  price_id_not_allowed: {
    status: 400,
    message: "priceId is not accepted: the price is the product's active price.",
    fault: { field: 'priceId', reason: 'not_accepted' },
  },
  product_not_found: { status: 404, message: 'The product does not exist.' },
  recurring_price_interval_missing: { status: 422, message: 'The recurring price has no interval.' },
  checkout_amount_not_allowed_with_trial: {
    status: 400,
    message: 'amount is not accepted: the price has a trial.',
    fault: { field: 'amount', reason: 'not_accepted' },
  },
  subscription_exists: {
    status: 409,
    message:
      'The customer already has a running subscription to this product or its offering, which allows only one.',
  },
  checkout_amount_exceeds_price: {
    status: 400,
    message: 'amount exceeds the active price times quantity.',
    fault: { field: 'amount', reason: 'too_large' },
  },
  payment_rail_activation_in_progress: { status: 409, message: 'The payment rail is still being activated.' },
  payment_rail_unavailable: {
    status: 503,
    message:
      'No rail account in this environment can take this payment (currency, enabled methods), or its processor is not responding.',
  },
  coupon_invalid: {
    status: 400,
    message: 'No coupon has this code, or the coupon does not apply to this purchase.',
    fault: { field: 'couponCode', reason: 'unknown_value' },
  },
  coupon_not_redeemable: {
    status: 409,
    message:
      'The coupon cannot be redeemed now: it is not valid yet, no longer valid, used up or only for a first purchase.',
  },
  coupon_amount_zero: {
    status: 409,
    message:
      'The coupon leaves nothing to pay, which is possible for a subscription but not for a one-off purchase.',
  },
  /** 500, or 503 if a dependency is down. */
  checkout_failed: { status: 500, message: 'The checkout could not be created.' },

  // GET /invoices/:file
  invoice_not_found: { status: 404, message: 'The invoice does not exist.' },

  // Subscriptions: operations
  sandbox_only: { status: 403, message: 'Only sandbox subscriptions have a clock that can be moved.' },
  subscription_not_found: { status: 404, message: 'The subscription does not exist.' },
  subscription_finished: { status: 409, message: 'The subscription has ended.' },
  subscription_incomplete: {
    status: 409,
    message: "The subscription's first payment has not succeeded yet.",
  },
  subscription_change_scheduled: {
    status: 409,
    message:
      'A change to the subscription is scheduled or being charged: cancel it first (plan-change/cancel), or wait for its charge.',
  },
  subscription_cancel_scheduled: { status: 409, message: 'The subscription is already set to end.' },
  subscription_cancel_not_scheduled: {
    status: 409,
    message: 'The subscription is not set to cancel at the end of its period.',
  },
  subscription_trialing: { status: 409, message: 'This is not possible during the trial.' },
  subscription_not_trialing: {
    status: 409,
    message: 'The subscription is not in a trial, or the trial has ended.',
  },
  subscription_past_due: {
    status: 409,
    message: 'A charge for the subscription was declined: its unpaid invoices must be paid first.',
  },
  subscription_paused: {
    status: 409,
    message: 'The subscription is paused, or set to pause: resume it first.',
  },
  subscription_not_paused: { status: 409, message: 'The subscription is neither paused nor set to pause.' },
  subscription_charging_stopped: {
    status: 409,
    message:
      'Nothing is charged for this subscription: a dispute was lost, or an operator has not yet decided about a request that was lost in a restore.',
  },
  invoice_not_payable: { status: 409, message: 'The invoice is not awaiting payment.' },
  invoice_older_unpaid: {
    status: 409,
    message: 'An older invoice of the subscription is unpaid: it must be paid first.',
  },
  payment_method_declined: {
    status: 409,
    message: 'The stored payment method cannot be charged again: the customer has to replace it.',
  },
  subscription_change_not_found: { status: 404, message: 'The subscription has no change with this id.' },
  subscription_change_not_scheduled: {
    status: 409,
    message: 'The change has already been applied or cancelled.',
  },
  plan_not_found: { status: 404, message: 'The plan does not exist or is not active.' },
  plan_unchanged: { status: 400, message: 'The subscription already has this plan, at its current price.' },
  quantity_unchanged: { status: 400, message: 'The subscription already has this quantity.' },
  subscription_quantity_invalid: {
    status: 400,
    message: "quantity must be an integer within the plan's bounds, with a total of at most 21474836.47.",
    fault: { field: 'quantity', reason: 'out_of_range' },
  },
  offering_unchanged: {
    status: 400,
    message: 'The subscription is already in this offering: use plan-change for another plan in it.',
  },
  plan_incompatible: {
    status: 422,
    message:
      "The plan cannot replace the current one: it is not recurring, has another currency, is not in the offering, or does not allow the subscription's quantity. If the current plan is in no offering, use an offering change.",
  },
  change_needs_period_end: {
    status: 409,
    message:
      'The change costs nothing now, or what was paid for the period is unknown: request it with effective period_end.',
  },
  preview_outdated: { status: 409, message: 'The preview is no longer valid: request a new one.' },
  subscription_charge_pending: {
    status: 409,
    message: 'A charge for the subscription is not settled yet: repeat the request later.',
  },
  offering_not_found: { status: 404, message: 'The offering does not exist or is not active.' },

  // POST /v1/payment-methods/change
  payment_method_change_subscriptionId_required: { status: 400, message: 'subscriptionId is required.' },
  payment_method_change_subscriptionId_invalid: {
    status: 400,
    message: 'subscriptionId must be a string of at most 200 characters.',
  },
  ...hostedPageFieldErrors('payment_method_change'),
  payment_method_change_customer_required: { status: 400, message: 'customer is required.' },
  payment_method_change_email_required: { status: 400, message: 'customer.email is required.' },
  payment_method_change_successUrl_required: { status: 400, message: 'successUrl is required.' },
  payment_method_change_failUrl_required: { status: 400, message: 'failUrl is required.' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** The message of a 503 while no money may move (rule 29). */
export const NOT_READY_FOR_PAYMENTS =
  'The service was restored from a backup and is not ready for payments yet. Try again in a few minutes.';

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** Codes whose body has a `total`, with an example. */
export const TOTALS: { readonly [Code in ErrorCode]?: number } = {
  change_needs_period_end: -386,
  preview_outdated: 428,
};

export const errorBody = z
  .object({
    code: z.string().meta({ description: 'Machine-readable error code.', example: 'product_not_found' }),
    message: z.string().meta({ description: 'Human-readable description. May change at any time.' }),
    ...faultFields,
    request_id: z.string().meta({ description: 'Identifies the request; also in x-request-id.' }),
    total: z.int().nullable().optional().meta({
      description:
        'Only with `change_needs_period_end` and `preview_outdated`: the amount in cents that the change would charge now or, at the end of the period, with the next renewal; null if unknown.',
    }),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof errorBody>;
