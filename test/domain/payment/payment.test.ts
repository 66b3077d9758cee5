import { describe, expect, test } from '@jest/globals';
import {
  canTransitionPayment,
  isOpen,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../../../domain/payment/payment.ts';

/** Expected transitions. */
const ALLOWED: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  processing: ['requires_action', 'succeeded', 'failed', 'cancelled'],
  requires_action: ['processing', 'succeeded', 'failed', 'cancelled'],
  succeeded: ['partially_refunded', 'refunded'],
  partially_refunded: ['refunded'],
  refunded: [],
  failed: [],
  cancelled: [],
};
const PAIRS = PAYMENT_STATUSES.flatMap((from) => PAYMENT_STATUSES.map((to) => [from, to] as const));

describe('a payment', () => {
  test.each(PAIRS)('moves from %s to %s only where the contract allows it', (from, to) => {
    expect(canTransitionPayment(from, to)).toBe(ALLOWED[from].includes(to));
  });

  test('is open if and only if it may still take money', () => {
    expect(PAYMENT_STATUSES.filter(isOpen).sort()).toEqual(['processing', 'requires_action']);
  });

  test('never reopens once it has ended', () => {
    const closed = PAYMENT_STATUSES.filter((status) => !isOpen(status));
    for (const from of closed) {
      expect(PAYMENT_STATUSES.filter((to) => canTransitionPayment(from, to) && isOpen(to))).toEqual([]);
    }
  });

  test('never takes money after ending without a charge', () => {
    for (const from of ['failed', 'cancelled'] as const) {
      expect(PAYMENT_STATUSES.filter((to) => canTransitionPayment(from, to))).toEqual([]);
    }
  });
});
