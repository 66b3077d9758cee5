import type { Strings } from '../shape.ts';

export const en = {
  /** Texts that only a payment method change has. */
  own: {
    heading: 'Change your payment method',
    currentCard: 'Your card now: {brand} ending in {last4}',
    save: 'Save this card',
    saveAndPay: 'Save this card and pay {amount}',
    termsNext:
      'Nothing is charged today. From {date}, {price} is charged to the new card {every}, until the subscription is cancelled.',
    termsDue:
      '{amount} is outstanding. It is charged to the new card as soon as your bank has confirmed it, and {price} {every} from {date} on.',
    termsEnding: 'Nothing is charged today. The subscription ends on {date} and is not charged again.',
    termsDueEnding:
      '{amount} is outstanding. It is charged to the new card as soon as your bank has confirmed it. The subscription ends on {date} and is not charged again.',
    termsPaused: 'Nothing is charged today. The subscription is paused from {date}, until it is resumed.',
    termsDuePaused:
      '{amount} is outstanding. It is charged to the new card as soon as your bank has confirmed it. The subscription is then paused, until it is resumed.',
    changedAndDueBody:
      'The new card is saved. The outstanding {amount} is charged to it now, and {merchant} has been notified.',
    overTitle: 'This link cannot be used any more',
    overBody:
      'There is a newer one, or the subscription has ended. Nothing was changed. {merchant} can help you.',
  },
  /** Replacements for a purchase's strings. */
  instead: {
    pageTitle: 'Payment method for {merchant}',
    timeLeft: 'Time left:',
    minutesLeftSpoken: { one: 'One minute left.', other: '{count} minutes left.' },
    formHeading: 'New payment method',
    emailHint: 'For messages about this subscription.',
    payingAs: 'Subscribed as {email}',
    methodLegend: 'Pay from now on with',
    cancelPlain: 'Keep the current card',
    cancelTitle: 'Keep the current card?',
    cancelBody: 'Nothing is changed, and this page can no longer be used.',
    cancelConfirm: 'Keep it',
    cancelKeep: 'Continue',
    busySlowHint: 'Please keep this page open.',
    processingTitle: 'Your new card is being checked',
    elsewhereTitle: 'This is being done in another tab',
    elsewhereBody: 'Please finish there. This page shows the outcome as soon as there is one.',
    sentTitle: 'A card was sent from this page',
    sentBody: 'We do not know yet whether it was saved. We are checking; this page will show the outcome.',
    challengeBody: 'Confirm the card with your bank. Nothing is charged.',
    challengeLeaveBody: 'This attempt is stopped. You can then try again, with another card if you like.',
    unknownTitle: 'We do not know yet whether the card was saved',
    unknownBody: 'The connection broke at a bad moment. We keep checking; this page will show the outcome.',
    reconciliationBody:
      'Your bank has not given a clear answer. We keep asking; you may close this page and open it again later at the same address. {merchant} will be notified of the outcome too.',
    cancellingTitle: 'Keeping the current card',
    trialTitle: 'Your payment method was changed',
    trialBody: 'From now on the new card is charged. {merchant} has been notified.',
    expiredTitle: 'This link has expired',
    expiredBody: 'Nothing was changed. Ask {merchant} for a new link if you still want to change the card.',
    expiringBody: 'We are making sure that nothing is changed any more.',
    exhaustedTitle: 'The card could not be saved',
    exhaustedBody: 'No attempt succeeded, and nothing was changed. Ask {merchant} for a new link.',
    cancelledTitle: 'Nothing was changed',
    cancelledBody: 'Your current card stays.',
    resolvedTitle: 'The card could not be saved',
    resolvedBody:
      'It was checked by hand: nothing was changed. {merchant} can help you with what comes next.',
    notStartedTitle: 'The card was not saved',
    declinedTitle: 'The card was declined',
    notConfirmedTitle: 'The card was not confirmed',
  },
} satisfies { readonly own: object; readonly instead: Partial<Strings> };
