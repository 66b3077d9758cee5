/** The catalogue of codes agrees with the contract's tables. */
import { expect, test } from '@jest/globals';
import { ERRORS, isErrorCode } from '../../../contract/core/errors.ts';
import { checkoutRequest } from '../../../contract/session/checkout.ts';

test.each([
  ['checkout_productId_required', 400],
  ['checkout_externalCustomerId_required', 400],
  ['price_id_not_allowed', 400],
  ['checkout_amount_invalid', 400],
  ['checkout_amount_exceeds_price', 400],
  ['checkout_amount_not_allowed_with_trial', 400],
  ['checkout_successUrl_invalid', 400],
  ['checkout_idempotency_key_not_allowed', 400],
  ['merchant_feature_not_enabled', 403],
  ['product_not_found', 404],
  ['payment_rail_activation_in_progress', 409],
  ['payment_rail_unavailable', 503],
  ['api_key_invalid', 401],
  ['service_api_key_required', 401],
  ['service_merchant_forbidden', 403],
  ['merchant_scope_mismatch', 403],
  ['idempotency_key_conflict', 409],
] as const)('%s has status %d, as in the contract', (code, status) =>
  expect(ERRORS[code].status).toBe(status),
);

test('every field of the checkout request has an error code', () => {
  const fields = fieldNames(checkoutRequest.shape);
  expect(fields).toContain('merchantReference');
  expect(fields.filter((name) => !isErrorCode(`checkout_${name}_invalid`))).toEqual([]);
});

test('every code has a message that is a sentence', () => {
  const bad = Object.entries(ERRORS).filter(([, { message }]) => !/^[A-Za-z].*\.$/.test(message));
  expect(bad).toEqual([]);
});

test('inherited property names are not error codes', () => {
  expect(['toString', '__proto__', 'constructor'].filter(isErrorCode)).toEqual([]);
});

function fieldNames(shape: object): string[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const inner = 'unwrap' in schema ? unwrapped(schema) : schema;
    return 'shape' in inner ? [name, ...fieldNames(inner.shape as object)] : [name];
  });
}

function unwrapped(schema: { unwrap?: () => object }): object {
  let inner: object = schema;
  while ('unwrap' in inner && typeof inner.unwrap === 'function') inner = inner.unwrap() as object;
  return inner;
}
