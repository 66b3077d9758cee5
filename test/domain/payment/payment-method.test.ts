import { expect, test } from '@jest/globals';
import { isWallet, METHOD_TYPES, settlesInDays, WALLETS } from '../../../domain/payment/payment-method.ts';

test('cards and wallets are supported and settle immediately, so a pending outcome is in doubt', () => {
  expect(METHOD_TYPES).toEqual(['card', 'apple_pay', 'google_pay']);
  expect(METHOD_TYPES.map(settlesInDays)).toEqual([false, false, false]);
});

test('a wallet is distinguished from every other method', () => {
  expect(WALLETS.every(isWallet)).toBe(true);
  expect(['card', '', null, undefined, 1].filter(isWallet)).toEqual([]);
});
