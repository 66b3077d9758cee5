/** The sentences that only the page's second form has. */
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
