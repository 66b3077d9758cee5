/** The texts that only a payment method change has. */
export interface MethodChangeTexts {
  readonly heading: string;
  readonly currentCard: string;
  readonly save: string;
  readonly saveAndPay: string;
  readonly termsNext: string;
  readonly termsDue: string;
  readonly termsEnding: string;
  readonly termsDueEnding: string;
  readonly termsPaused: string;
  readonly termsDuePaused: string;
  /** Shown after a success if an amount is outstanding. */
  readonly changedAndDueBody: string;
  readonly overTitle: string;
  readonly overBody: string;
}
