/** What a catalogue of the second form holds, whatever its language. */
import type { Strings } from '../shape.ts';
import type { MethodChangeTexts } from './texts.ts';

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
