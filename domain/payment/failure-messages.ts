/** Messages for merchants; the buyer's are in the page's catalogue. */
export const FAILURE_MESSAGES: Readonly<Record<string, string>> = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  incorrect_cvc: 'The card verification code is wrong.',
  incorrect_number: 'The card number is wrong.',
  lost_or_stolen_card: 'The card was reported lost or stolen.',
  suspected_fraud: 'The payment was refused as suspected fraud.',
  authentication_failed: 'The buyer did not pass 3-D Secure authentication.',
  authentication_required: 'The bank requires the buyer to authenticate.',
  processing_error: 'The processor could not process the payment.',
  resolved_by_operator: 'An operator settled the payment as failed.',
};
