/** The type of a method-change catalogue, in any language. */

import type { MethodChangeTexts } from '../method-change-texts.ts';
import type { Strings } from '../shape.ts';

/** Keys of the texts that mention a purchase and are replaced. */
type Replaced =
  | 'pageTitle'
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
  | 'busySlowHint'
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
