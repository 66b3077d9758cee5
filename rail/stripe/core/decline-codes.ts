/** Stripe's codes for a decline. https://docs.stripe.com/declines/codes and https://docs.stripe.com/error-codes */
import type Stripe from 'stripe';
import type { DeclineCode } from '../../../domain/payment/attempt.ts';

export interface Decline {
  readonly code: DeclineCode;
  /** False for a hard decline: the same card must not be tried again. */
  readonly retryable: boolean;
}

const soft = (code: DeclineCode): Decline => ({ code, retryable: true });
export const hard = (code: DeclineCode): Decline => ({ code, retryable: false });

/** Declines by `decline_code`: the reason given by the bank, or by Stripe on its behalf. */
const DECLINE_CODES: Readonly<Record<string, Decline>> = {
  approve_with_id: soft('processing_error'),
  authentication_not_handled: soft('authentication_failed'),
  authentication_required: hard('authentication_required'),
  call_issuer: soft('card_declined'),
  card_not_supported: hard('card_declined'),
  card_velocity_exceeded: soft('insufficient_funds'),
  currency_not_supported: hard('card_declined'),
  do_not_honor: soft('card_declined'),
  do_not_try_again: hard('card_declined'),
  duplicate_transaction: soft('card_declined'),
  expired_card: hard('expired_card'),
  fraudulent: hard('suspected_fraud'),
  generic_decline: soft('card_declined'),
  highest_risk_level: hard('suspected_fraud'),
  incorrect_address: soft('card_declined'),
  incorrect_cvc: soft('incorrect_cvc'),
  incorrect_number: hard('incorrect_number'),
  incorrect_pin: soft('card_declined'),
  incorrect_zip: soft('card_declined'),
  insufficient_funds: soft('insufficient_funds'),
  invalid_account: hard('card_declined'),
  invalid_amount: soft('card_declined'),
  invalid_cvc: soft('incorrect_cvc'),
  invalid_expiry_month: hard('expired_card'),
  invalid_expiry_year: hard('expired_card'),
  invalid_number: hard('incorrect_number'),
  invalid_pin: soft('card_declined'),
  issuer_not_available: soft('processing_error'),
  live_mode_test_card: hard('card_declined'),
  lost_card: hard('lost_or_stolen_card'),
  merchant_blacklist: hard('suspected_fraud'),
  mobile_device_authentication_required: hard('authentication_required'),
  new_account_information_available: hard('card_declined'),
  no_action_taken: soft('card_declined'),
  not_permitted: soft('card_declined'),
  offline_pin_required: soft('card_declined'),
  online_or_offline_pin_required: soft('card_declined'),
  pickup_card: hard('lost_or_stolen_card'),
  pin_try_exceeded: hard('card_declined'),
  previously_declined_do_not_retry: hard('card_declined'),
  processing_error: soft('processing_error'),
  reenter_transaction: soft('processing_error'),
  restricted_card: hard('lost_or_stolen_card'),
  revocation_of_all_authorizations: hard('card_declined'),
  revocation_of_authorization: hard('card_declined'),
  security_violation: soft('card_declined'),
  service_not_allowed: soft('card_declined'),
  stolen_card: hard('lost_or_stolen_card'),
  stop_payment_order: hard('card_declined'),
  testmode_decline: hard('card_declined'),
  transaction_not_allowed: soft('card_declined'),
  try_again_later: soft('processing_error'),
  withdrawal_count_limit_exceeded: soft('insufficient_funds'),
};

export type ErrorCode = Stripe.PaymentIntent.LastPaymentError.Code;

/** Declines by `code`, without a `decline_code`: the card or its token is unusable, and no money moved. */
export const CARD_CODES = {
  authentication_required: hard('authentication_required'),
  card_declined: soft('card_declined'),
  card_decline_rate_limit_exceeded: hard('card_declined'),
  expired_card: hard('expired_card'),
  expired_payment_method: hard('expired_card'),
  incorrect_address: soft('card_declined'),
  incorrect_cvc: soft('incorrect_cvc'),
  incorrect_number: hard('incorrect_number'),
  incorrect_zip: soft('card_declined'),
  insufficient_funds: soft('insufficient_funds'),
  invalid_card_type: hard('card_declined'),
  invalid_cvc: soft('incorrect_cvc'),
  invalid_expiry_month: hard('expired_card'),
  invalid_expiry_year: hard('expired_card'),
  invalid_number: hard('incorrect_number'),
  payment_intent_authentication_failure: soft('authentication_failed'),
  payment_intent_mandate_invalid: hard('processing_error'),
  payment_intent_payment_attempt_expired: soft('authentication_failed'),
  payment_intent_payment_attempt_failed: soft('card_declined'),
  payment_method_currency_mismatch: hard('card_declined'),
  payment_method_customer_decline: soft('authentication_failed'),
  payment_method_not_available: soft('processing_error'),
  payment_method_provider_decline: soft('card_declined'),
  payment_method_provider_timeout: soft('processing_error'),
  payment_method_restricted: hard('card_declined'),
  payment_method_unexpected_state: soft('processing_error'),
  postal_code_invalid: soft('card_declined'),
  processing_error: soft('processing_error'),
  setup_attempt_failed: soft('card_declined'),
  setup_intent_authentication_failure: soft('authentication_failed'),
  setup_intent_mandate_invalid: hard('processing_error'),
  setup_intent_mobile_wallet_unsupported: hard('card_declined'),
  setup_intent_setup_attempt_expired: soft('authentication_failed'),
  token_already_used: soft('processing_error'),
  token_in_use: soft('processing_error'),
} satisfies Partial<Record<ErrorCode, Decline>>;

/** The fields that the classification reads; errors and failed intents share them. */
export interface StripeRefusal {
  readonly type?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly decline_code?: string | null | undefined;
  readonly advice_code?: string | null | undefined;
  readonly param?: string | null | undefined;
}

/** Classifies a decline, from an answer or a failed intent. Unknown codes are declines too. */
export function declineOf(refusal: StripeRefusal): Decline {
  const { type, code, decline_code: declineCode, advice_code: advice } = refusal;
  const known =
    DECLINE_CODES[declineCode ?? ''] ?? (CARD_CODES as Readonly<Record<string, Decline>>)[code ?? ''];
  const decline = known ?? soft(type === 'card_error' ? 'card_declined' : 'processing_error');
  return advice === 'do_not_try_again' ? { ...decline, retryable: false } : decline;
}
