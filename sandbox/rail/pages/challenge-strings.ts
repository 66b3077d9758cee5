/** The texts of the challenge page. */
import type { Language } from '../browser/strings.ts';

export interface ChallengeStrings {
  readonly title: string;
  readonly intro: string;
  readonly merchant: string;
  readonly amount: string;
  /** Shown instead of the amount when only a mandate is stored. */
  readonly noAmount: string;
  readonly card: string;
  readonly approve: string;
  readonly decline: string;
  readonly simulated: string;
  readonly unknown: string;
}

export const CHALLENGE_STRINGS: Readonly<Record<Language, ChallengeStrings>> = {
  en: {
    title: 'Confirm your payment',
    intro: 'Your bank asks whether this payment is yours.',
    merchant: 'Merchant',
    amount: 'Amount',
    noAmount: 'Save this card for later payments',
    card: 'Card',
    approve: 'Approve',
    decline: 'Decline',
    simulated: 'A simulated bank. No money moves.',
    unknown: 'This confirmation does not exist.',
  },
  de: {
    title: 'Zahlung bestätigen',
    intro: 'Ihre Bank fragt, ob diese Zahlung von Ihnen kommt.',
    merchant: 'Händler',
    amount: 'Betrag',
    noAmount: 'Diese Karte für spätere Zahlungen speichern',
    card: 'Karte',
    approve: 'Bestätigen',
    decline: 'Ablehnen',
    simulated: 'Eine simulierte Bank. Es fließt kein Geld.',
    unknown: 'Diese Bestätigung gibt es nicht.',
  },
};
