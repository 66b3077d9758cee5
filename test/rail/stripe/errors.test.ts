import { describe, expect, test } from '@jest/globals';
import { declineOf } from '../../../rail/stripe/core/decline-codes.ts';
import { meaningOf } from '../../../rail/stripe/core/errors.ts';

describe('the table of codes', () => {
  test.each([
    ['insufficient_funds', 'insufficient_funds', true],
    ['generic_decline', 'card_declined', true],
    ['do_not_honor', 'card_declined', true],
    ['try_again_later', 'processing_error', true],
    ['authentication_required', 'authentication_required', false],
    ['expired_card', 'expired_card', false],
    ['stolen_card', 'lost_or_stolen_card', false],
    ['pickup_card', 'lost_or_stolen_card', false],
    ['fraudulent', 'suspected_fraud', false],
    ['revocation_of_authorization', 'card_declined', false],
  ])('decline code %s is %s (retryable: %s)', (decline_code, code, retryable) => {
    expect(declineOf({ type: 'card_error', code: 'card_declined', decline_code })).toEqual({
      code,
      retryable,
    });
  });

  test('an unknown code counts as a decline', () => {
    const refusal = { type: 'card_error', code: 'card_declined', decline_code: 'of_tomorrow' };
    expect(declineOf(refusal)).toEqual({ code: 'card_declined', retryable: true });
    expect(meaningOf(402, refusal)).toEqual({ kind: 'declined', code: 'card_declined', retryable: true });
  });

  test('a decline with the advice "do not try again" is hard, whatever its code', () => {
    const refusal = { type: 'card_error', decline_code: 'generic_decline', advice_code: 'do_not_try_again' };
    expect(declineOf(refusal)).toMatchObject({ retryable: false });
  });

  test('a failed challenge has its own code', () => {
    for (const kind of ['payment', 'setup']) {
      const code = `${kind}_intent_authentication_failure`;
      expect(declineOf({ type: 'card_error', code })).toMatchObject({ code: 'authentication_failed' });
    }
  });

  test.each([
    [429, {}, 'busy'],
    [429, { type: 'invalid_request_error', code: 'rate_limit' }, 'busy'],
    [429, { type: 'invalid_request_error', code: 'lock_timeout' }, 'busy'],
    [400, { type: 'invalid_request_error', code: 'lock_timeout' }, 'busy'],
    [409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' }, 'busy'],
    [500, { type: 'api_error' }, 'serverError'],
    [503, {}, 'serverError'],
    [401, { type: 'invalid_request_error' }, 'accountRefused'],
    [403, { type: 'invalid_request_error', code: 'account_invalid' }, 'accountRefused'],
    [403, { type: 'invalid_request_error', code: 'api_key_expired' }, 'accountRefused'],
    [403, { type: 'invalid_request_error' }, 'notPermitted'],
    [403, { type: 'invalid_request_error', code: 'of_tomorrow' }, 'notPermitted'],
    [400, { type: 'idempotency_error' }, 'usedBefore'],
    [400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }, 'movedOn'],
    [404, { type: 'invalid_request_error', code: 'resource_missing', param: 'intent' }, 'missing'],
    [400, { type: 'invalid_request_error', code: 'resource_missing', param: 'payment_method' }, 'declined'],
    [400, { type: 'invalid_request_error', code: 'resource_missing', param: 'customer' }, 'declined'],
    [400, { type: 'invalid_request_error', code: 'amount_too_small', param: 'amount' }, 'misconfigured'],
    [400, { type: 'invalid_request_error', code: 'payment_method_unactivated' }, 'misconfigured'],
    [400, { type: 'invalid_request_error' }, 'misconfigured'],
    [418, {}, 'misconfigured'],
  ])('%s %j is %s', (status, refusal, kind) => {
    expect(meaningOf(status, refusal)).toMatchObject({ kind });
  });
});
