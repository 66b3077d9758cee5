/** Responses to the page's script other than the view: errors by code, and a click's result. */
export const PAGE_ERRORS = {
  session_not_found: [404, 'The session does not exist.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  invalid_request: [400, 'The request is not valid.'],
  email_required: [400, 'An email address is required.'],
  email_invalid: [400, 'The email address is not valid.'],
  name_unprintable: [400, 'This name contains a character that no invoice font contains.'],
  quantity_invalid: [400, 'The quantity is not within the bounds of the product.'],
  code_refused: [400, 'This code cannot be used for this purchase.'],
  method_not_available: [400, 'This payment method is not available for this session.'],
  session_not_payable: [409, 'The session is being paid, or has ended.'],
  claim_id_taken: [409, 'This claimId belongs to another session.'],
  payload_too_large: [413, 'The body is too large.'],
  unsupported_media_type: [415, 'The body must be application/json.'],
  rate_limited: [429, 'Too many requests for this session. Try again in a minute.'],
  proof_required: [428, 'A proof of work for `challenge` is required; repeat the click with it.'],
  too_many_declines: [429, 'Too many declined cards. Nothing was charged; try again later.'],
  too_many_codes: [429, 'Too many codes were rejected: this session accepts no more.'],
  too_many_streams: [429, 'Too many event streams for this session.'],
  outcome_unknown: [503, 'The outcome of this request is not known yet. Repeat it with the same id.'],
  payment_rail_unavailable: [
    503,
    'Card payments are not possible right now. This click charged nothing. Try again in a few minutes.',
  ],
  dependency_unavailable: [503, 'The state cannot be read right now. Try again.'],
} as const satisfies Record<string, readonly [number, string]>;
export type PageErrorCode = keyof typeof PAGE_ERRORS;

/**
 * The result of a click: it created the attempt, found another click's in progress, expired, or was refused. Reasons
 * that the page explains to the buyer have their own values.
 */
export type ClickResult =
  | 'claimed'
  | 'in_progress'
  | 'expired'
  | 'refused'
  | 'terms_changed'
  | 'subscription_exists';
