/** Types for the part of Stripe.js that the card fields use: https://docs.stripe.com/js */

export type StripeFactory = (publishableKey: string, options: { readonly locale: string }) => StripeJs;

export interface StripeJs {
  elements(options?: object): StripeElements;
  createPaymentMethod(details: object): Promise<{
    readonly paymentMethod?: StripePaymentMethod;
    readonly error?: StripeJsError;
  }>;
}

interface StripeElements {
  create(type: string, options?: object): StripeElement;
  submit(): Promise<{ readonly error?: StripeJsError }>;
}

export interface StripeElement {
  mount(place: HTMLElement): void;
  destroy(): void;
  focus(): void;
  // biome-ignore lint/suspicious/noExplicitAny: the payload's shape depends on the event.
  on(event: string, hear: (event: any) => void): void;
}

export interface StripePaymentMethod {
  readonly id: string;
  readonly card?: {
    readonly brand?: string | null;
    readonly last4?: string | null;
    readonly wallet?: { readonly type: string } | null;
  };
}

export interface StripeJsError {
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
}

export interface CardChange {
  readonly complete: boolean;
  readonly empty: boolean;
  readonly brand?: string;
  readonly error?: StripeJsError;
}
