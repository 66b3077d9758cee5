/** Buyers' means of payment: test cards of the sandbox rail, and a wallet. */

/** Passed instead of a card number. */
export const APPLE_PAY = 'apple_pay';

/** Approved, both now and for later charges. */
export const GOOD_CARD = '4242424242424242';

export const DECLINED_CARD = '4000000000000002';
/** Stored; of the later charges, the first two are declined. */
export const FAILS_TWICE = '4000009000000433';

/** Cards for a change of method: approved, declined, with a challenge, and cards that fail at a later charge. */
export const NEW_CARDS = [
  '5555555555554444',
  '5555555555554444',
  '4000002760003184',
  '4000008400001629',
  '4000003800000446',
  '4000000000000002',
  '4000000000000341',
  '4000009000000417',
  '4000009000000433',
  '4000009000000110',
];
export const NEW_METHOD_HABITS = [
  'plain',
  'plain',
  'tries another card',
  'abandons the challenge',
  'two tabs',
] as const;

/** Test cards of the sandbox rail, and a wallet; approving ones come up more often. */
export const CARDS = [
  '4242424242424242',
  '4242424242424242',
  '5555555555554444',
  '4000002760003184',
  '4000003800000446',
  '4000000000000002',
  '4000000000009995',
  '4000008400001629',
  '4000000000000341',
  '4000009000000110',
  '4000009000000128',
  '4000009000000219',
  '4000009000000227',
  '4000009000000318',
  '4000009000000326',
  '4000009000000417',
  '4000009000000425',
  '4000009000000433',
  '4000009000000524',
  APPLE_PAY,
];
