/** Stripe understood the call and refuses it as wrong, which only a bug of ours can cause. */
export class StripeRefusedCall extends Error {
  override readonly name = 'StripeRefusedCall';

  constructor(detail: string) {
    super(`Stripe refuses a call of ours: ${detail}`);
  }
}

/** `listSince` has no outcome for "we do not know": whoever lists asks again later. */
export class StripeListFailed extends Error {
  override readonly name = 'StripeListFailed';

  constructor(reason: string) {
    super(`Stripe's list could not be read: ${reason}`);
  }
}
