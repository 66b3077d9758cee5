/**
 * The sandbox rail's test cards and their behaviour, published at `GET /cards`. The first eight are the industry's
 * usual ones, the others (4000 0090 …) are ours.
 */
import { createHash } from 'node:crypto';

/** Behaviour when the buyer pays with the card. */
export type FirstCharge =
  | { readonly kind: 'approve' }
  | { readonly kind: 'decline'; readonly code: RailDecline }
  | { readonly kind: 'challenge'; readonly endsIn: 'approve' | 'decline' }
  /** `pending` first; settles a moment later, with a webhook. */
  | { readonly kind: 'pend'; readonly endsIn: 'approve' | 'decline' }
  /** `pending` until cancelled; the cancel answers `cancelled`, and a moment later the charge is approved. */
  | { readonly kind: 'ignoreCancel' }
  /** The connection is cut `before` any effect (once per reference) or `after` the charge. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' };

/** Behaviour when its mandate is charged off-session. */
type LaterCharge =
  | { readonly kind: 'approve' }
  /** `times`: declines only the mandate's first charges; if absent, all of them. */
  | { readonly kind: 'decline'; readonly code: RailDecline; readonly times?: number };

/** The rail's decline codes. */
export type RailDecline =
  | 'do_not_honor'
  | 'insufficient_funds'
  | 'stolen_card'
  | 'expired_card'
  | 'authentication_failed'
  | 'authentication_required'
  | 'token_invalid'
  | 'mandate_invalid';

export interface TestCard {
  /** Stable; stored instead of the number. */
  readonly name: string;
  readonly number: string;
  readonly brand: 'visa' | 'mastercard';
  readonly description: string;
  readonly first: FirstCharge;
  readonly later: LaterCharge;
  /** Its webhooks arrive duplicated and out of order. */
  readonly unrulyWebhooks?: true;
  /** The buyer's bank disputes every charge immediately. */
  readonly disputed?: true;
}

const APPROVE = { kind: 'approve' } as const;

export const TEST_CARDS: readonly TestCard[] = [
  {
    name: 'approved',
    number: '4242424242424242',
    brand: 'visa',
    description: 'Approved',
    first: APPROVE,
    later: APPROVE,
  },
  {
    name: 'approved_mastercard',
    number: '5555555555554444',
    brand: 'mastercard',
    description: 'Approved',
    first: APPROVE,
    later: APPROVE,
  },
  {
    name: 'declined',
    number: '4000000000000002',
    brand: 'visa',
    description: 'Declined',
    first: { kind: 'decline', code: 'do_not_honor' },
    later: { kind: 'decline', code: 'do_not_honor' },
  },
  {
    name: 'insufficient_funds',
    number: '4000000000009995',
    brand: 'visa',
    description: 'Declined: insufficient funds',
    first: { kind: 'decline', code: 'insufficient_funds' },
    later: { kind: 'decline', code: 'insufficient_funds' },
  },
  {
    name: 'challenge_always',
    number: '4000002760003184',
    brand: 'visa',
    description: '3-D Secure challenge, then approved; later charges need the buyer again',
    first: { kind: 'challenge', endsIn: 'approve' },
    later: { kind: 'decline', code: 'authentication_required' },
  },
  {
    name: 'challenge_then_declined',
    number: '4000008400001629',
    brand: 'visa',
    description: '3-D Secure challenge, then declined by the bank',
    first: { kind: 'challenge', endsIn: 'decline' },
    later: { kind: 'decline', code: 'do_not_honor' },
  },
  {
    name: 'challenge_once',
    number: '4000003800000446',
    brand: 'visa',
    description: '3-D Secure challenge once, then approved; later charges are approved',
    first: { kind: 'challenge', endsIn: 'approve' },
    later: APPROVE,
  },
  {
    name: 'later_soft_declines',
    number: '4000000000000341',
    brand: 'visa',
    description: 'Approved and stored; every later charge is declined, but may be retried',
    first: APPROVE,
    later: { kind: 'decline', code: 'do_not_honor' },
  },
  {
    name: 'charged_then_dropped',
    number: '4000009000000110',
    brand: 'visa',
    description: 'Charged, then the connection drops before the answer',
    first: { kind: 'drop', when: 'after' },
    later: APPROVE,
  },
  {
    name: 'dropped_then_not_charged',
    number: '4000009000000128',
    brand: 'visa',
    description: 'The connection drops before the charge; a retry of the same call is approved',
    first: { kind: 'drop', when: 'before' },
    later: APPROVE,
  },
  {
    name: 'pending_then_approved',
    number: '4000009000000219',
    brand: 'visa',
    description: 'Pending, then approved after a moment',
    first: { kind: 'pend', endsIn: 'approve' },
    later: APPROVE,
  },
  {
    name: 'pending_then_declined',
    number: '4000009000000227',
    brand: 'visa',
    description: 'Pending, then declined after a moment',
    first: { kind: 'pend', endsIn: 'decline' },
    later: APPROVE,
  },
  {
    name: 'approved_after_cancel',
    number: '4000009000000318',
    brand: 'visa',
    description: 'Pending until cancelled; a moment later it is approved regardless',
    first: { kind: 'ignoreCancel' },
    later: APPROVE,
  },
  {
    name: 'unruly_webhooks',
    number: '4000009000000326',
    brand: 'visa',
    description: 'Pending, then approved; the webhooks arrive duplicated and out of order',
    first: { kind: 'pend', endsIn: 'approve' },
    later: APPROVE,
    unrulyWebhooks: true,
  },
  {
    name: 'later_authentication_required',
    number: '4000009000000417',
    brand: 'visa',
    description: 'Approved and stored; later charges need the buyer',
    first: APPROVE,
    later: { kind: 'decline', code: 'authentication_required' },
  },
  {
    name: 'later_hard_decline',
    number: '4000009000000425',
    brand: 'visa',
    description: 'Approved and stored; later charges are declined (hard): stolen card',
    first: APPROVE,
    later: { kind: 'decline', code: 'stolen_card' },
  },
  {
    name: 'later_expired',
    number: '4000009000000441',
    brand: 'visa',
    description: 'Approved and stored; later charges are declined (hard): expired card',
    first: APPROVE,
    later: { kind: 'decline', code: 'expired_card' },
  },
  {
    name: 'later_two_soft_declines',
    number: '4000009000000433',
    brand: 'visa',
    description:
      'Approved and stored; the first two later charges fail for insufficient funds, the others are approved',
    first: APPROVE,
    later: { kind: 'decline', code: 'insufficient_funds', times: 2 },
  },
  {
    name: 'disputed',
    number: '4000009000000524',
    brand: 'visa',
    description: 'Approved, then disputed at once; so is every later charge',
    first: APPROVE,
    later: APPROVE,
    disputed: true,
  },
];

/** The cards that the README, `npm start` and the demo shop name: the number in groups of four, and what happens. */
export const CARDS_TO_TRY: readonly (readonly [number: string, what: string])[] = [
  'approved',
  'challenge_always',
  'declined',
  'charged_then_dropped',
]
  .map(cardByName)
  .map(({ number, description }) => [number.replace(/\d{4}(?=\d)/g, '$& '), description]);

/** The card behind a simulated wallet. */
export const WALLET_CARD = 'approved';

export function cardByNumber(number: string): TestCard | undefined {
  return TEST_CARDS.find((card) => card.number === number);
}

/** @throws RangeError on an unknown name: a bug, since names come from the rail's database */
export function cardByName(name: string): TestCard {
  const card = TEST_CARDS.find((candidate) => candidate.name === name);
  if (!card) throw new RangeError(`unknown test card ${name}`);
  return card;
}

/** The same for every token of the card. */
export function fingerprintOf(name: string): string {
  return createHash('sha256').update(cardByName(name).number).digest('hex').slice(0, 16);
}
