import { expect, test } from '@jest/globals';
import { PAYMENT_STATUSES } from '../../../domain/payment/payment.ts';
import { isRefundable, statusAfterRefund } from '../../../domain/refund/refund.ts';

test('only a payment that was charged and not fully refunded can be refunded', () => {
  expect(PAYMENT_STATUSES.filter(isRefundable).sort()).toEqual(['partially_refunded', 'succeeded']);
});

test.each([
  [1, 'partially_refunded'],
  [1_899, 'partially_refunded'],
  [1_900, 'refunded'],
])('after a refund of %i of its 1,900 cents a payment is %s', (refundedCents, status) => {
  expect(statusAfterRefund(1_900, refundedCents)).toBe(status);
});
