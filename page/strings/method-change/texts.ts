/** The sentences that only the page's second form has. */
export interface MethodChangeTexts {
  readonly heading: string;
  readonly currentCard: string;
  readonly save: string;
  readonly saveAndPay: string;
  readonly termsNext: string;
  readonly termsDue: string;
  readonly termsEnding: string;
  readonly termsDueEnding: string;
  /** Of a success, while something is outstanding. */
  readonly changedAndDueBody: string;
  readonly overTitle: string;
  readonly overBody: string;
}
