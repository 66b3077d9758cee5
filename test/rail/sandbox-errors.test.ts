import { expect, test } from '@jest/globals';
import { DECLINE_CODES } from '../../domain/payment/attempt.ts';
import { declineOf, refusalOf } from '../../rail/sandbox/errors.ts';

test.each([
  [429, 'rate_limited', { kind: 'busy' }],
  [429, null, { kind: 'busy' }],
  [409, 'lock_timeout', { kind: 'busy' }],
  [401, 'credentials_invalid', { kind: 'unknown', reason: 'account_refused' }],
  [403, 'account_disabled', { kind: 'unknown', reason: 'account_refused' }],
  [500, 'internal_error', { kind: 'unknown', reason: 'server_error' }],
  [502, null, { kind: 'unknown', reason: 'server_error' }],
  [404, 'charge_not_found', { kind: 'notFound' }],
  [404, 'refund_not_found', { kind: 'notFound' }],
  // A proxy's 404 does not prove that the charge does not exist.
  [404, null, { kind: 'unknown', reason: 'malformed_answer' }],
  [404, 'route_not_found', { kind: 'bug' }],
  [400, 'invalid_request', { kind: 'bug' }],
  [409, 'idempotency_key_conflict', { kind: 'unknown', reason: 'used_before' }],
  [409, 'reference_conflict', { kind: 'unknown', reason: 'used_before' }],
  [201, null, { kind: 'unknown', reason: 'malformed_answer' }],
] as const)('status %s with the code %s is classified as %j', (status, code, refusal) => {
  expect(refusalOf(status, code)).toEqual(refusal);
});

test.each([
  ['do_not_honor', 'card_declined', true],
  ['insufficient_funds', 'insufficient_funds', true],
  ['stolen_card', 'lost_or_stolen_card', false],
  ['authentication_failed', 'authentication_failed', true],
  ['authentication_required', 'authentication_required', false],
  ['token_invalid', 'processing_error', true],
  ['mandate_invalid', 'processing_error', false],
  ['an_unknown_code', 'card_declined', true],
  ['constructor', 'card_declined', true],
  [null, 'card_declined', true],
] as const)('the decline code %s maps to %s', (railCode, code, retryable) => {
  expect(declineOf(railCode)).toEqual({ code, retryable });
  expect(DECLINE_CODES).toContain(code);
});
