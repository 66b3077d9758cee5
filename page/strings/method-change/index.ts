/**
 * The page in its second form: a subscription's payment method is changed. Its own sentences, and those that it
 * says instead of a purchase's; the document of a purchase carries none of them.
 */
import type { Language, Strings } from '../index.ts';
import { de } from './de.ts';
import { en } from './en.ts';

export interface MethodChangeTexts {
  readonly heading: string;
  readonly currentCard: string;
  readonly save: string;
  readonly saveAndPay: string;
  readonly termsNext: string;
  readonly termsDue: string;
  readonly termsEnding: string;
  readonly overTitle: string;
  readonly overBody: string;
}

/** What would otherwise speak of a purchase. */
type Replaced =
  | 'pageTitle'
  | 'noScript'
  | 'timeLeft'
  | 'minutesLeftSpoken'
  | 'formHeading'
  | 'emailHint'
  | 'payingAs'
  | 'methodLegend'
  | 'cancelPlain'
  | 'cancelTitle'
  | 'cancelBody'
  | 'cancelConfirm'
  | 'cancelKeep'
  | 'busySlow'
  | 'processingTitle'
  | 'elsewhereTitle'
  | 'elsewhereBody'
  | 'sentTitle'
  | 'sentBody'
  | 'challengeBody'
  | 'challengeLeaveBody'
  | 'unknownTitle'
  | 'unknownBody'
  | 'reconciliationBody'
  | 'cancellingTitle'
  | 'trialTitle'
  | 'trialBody'
  | 'expiredTitle'
  | 'expiredBody'
  | 'expiringBody'
  | 'exhaustedTitle'
  | 'exhaustedBody'
  | 'cancelledTitle'
  | 'cancelledBody'
  | 'resolvedTitle'
  | 'resolvedBody'
  | 'lapsedTitle'
  | 'declinedTitle'
  | 'notConfirmedTitle';

export interface MethodChangeStrings {
  readonly own: MethodChangeTexts;
  readonly instead: Pick<Strings, Replaced>;
}

const CATALOGUES: Readonly<Record<Language, MethodChangeStrings>> = { en, de };

export function methodChangeStrings(language: Language, strings: Strings): Strings {
  const { own, instead } = CATALOGUES[language];
  return { ...strings, ...instead, methodChange: own };
}
