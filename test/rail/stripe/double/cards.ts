/** The double's cards, each modelled on one of Stripe's test cards. */
export interface TestCard {
  readonly brand: string;
  readonly last4: string;
  /** The bank's answer on-session. */
  readonly withBuyer: 'approve' | 'challenge' | 'pending' | Refusal;
  /** The bank's answer off-session. */
  readonly withoutBuyer: 'approve' | Refusal;
}

export interface Refusal {
  readonly code: string;
  readonly decline_code?: string;
}

const declined = (decline_code: string): Refusal => ({ code: 'card_declined', decline_code });
const GOOD = { brand: 'visa', last4: '4242', withBuyer: 'approve', withoutBuyer: 'approve' } as const;

export const CARDS = {
  approved: GOOD,
  declined: { ...GOOD, last4: '0002', withBuyer: declined('generic_decline') },
  insufficientFunds: { ...GOOD, last4: '9995', withBuyer: declined('insufficient_funds') },
  challenge: { ...GOOD, last4: '3184', withBuyer: 'challenge' },
  pending: { ...GOOD, last4: '0010', withBuyer: 'pending' },
  laterNeedsBuyer: {
    ...GOOD,
    last4: '0446',
    withoutBuyer: { code: 'authentication_required', decline_code: 'authentication_required' },
  },
  laterHardDecline: { ...GOOD, last4: '9987', withoutBuyer: declined('lost_card') },
  laterSoftDecline: { ...GOOD, last4: '0341', withoutBuyer: declined('generic_decline') },
} as const satisfies Record<string, TestCard>;
export type CardName = keyof typeof CARDS;

/** Stripe's test numbers, for entering cards on the page. */
export const NUMBERS: Readonly<Record<string, CardName>> = {
  '4242424242424242': 'approved',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficientFunds',
  '4000002760003184': 'challenge',
};
