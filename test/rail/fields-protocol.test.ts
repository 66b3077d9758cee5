import { describe, expect, test } from '@jest/globals';
import { FIELDS_CHANNEL, isFieldsMessage, isPageMessage } from '../../rail/fields-protocol.ts';

const channel = FIELDS_CHANNEL;
const method = { type: 'card', brand: 'visa', last4: '4242' };
const change = { channel, type: 'change', complete: true, empty: false, brand: null, submitRequested: false };
const token = { channel, type: 'token', token: 'tok_1', method };
const error = { channel, type: 'error', field: null, code: 'rail_unreachable', message: 'Try again.' };

describe('a message from the card fields', () => {
  test.each([
    { channel, type: 'ready' },
    { channel, type: 'height', heightPx: 166 },
    change,
    { ...change, brand: 'visa' },
    token,
    { ...token, method: { type: 'apple_pay', brand: null, last4: null } },
    error,
    { ...error, field: 'cvc' },
  ])('is accepted: %j', (message) => {
    expect(isFieldsMessage(message)).toBe(true);
  });

  test.each([
    null,
    'ready',
    {},
    { type: 'ready' },
    { channel: 'card-fields/2', type: 'ready' },
    { channel, type: 'paid' },
    { channel, type: 'height', heightPx: '166' },
    { channel, type: 'height', heightPx: -1 },
    { channel, type: 'height', heightPx: 1e9 },
    { ...change, complete: 'yes' },
    { ...change, brand: 1 },
    { ...token, token: '' },
    { ...token, method: null },
    { ...token, method: { ...method, type: 'cash' } },
    { ...token, method: { ...method, last4: 4242 } },
    { ...error, field: 'pin' },
    { ...error, message: undefined },
    { channel, type: 'submit' },
  ])('is rejected: %j', (message) => {
    expect(isFieldsMessage(message)).toBe(false);
  });
});

describe('a message from the page', () => {
  test.each([
    { channel, type: 'submit', amount: 1900 },
    { channel, type: 'submit', amount: 0, wallet: 'google_pay' },
    { channel, type: 'focus' },
    { channel, type: 'focus', field: 'expiry' },
  ])('is accepted: %j', (message) => {
    expect(isPageMessage(message)).toBe(true);
  });

  test.each([
    undefined,
    { type: 'submit', amount: 1900 },
    { channel, type: 'submit' },
    { channel, type: 'submit', amount: -1 },
    { channel, type: 'submit', amount: 1900, wallet: 'cash' },
    { channel, type: 'focus', field: 'pin' },
    { channel, type: 'ready' },
  ])('is rejected: %j', (message) => {
    expect(isPageMessage(message)).toBe(false);
  });
});
