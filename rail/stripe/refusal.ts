/** `listSince` has no "unknown" outcome: it throws, and the caller retries later. */
export class StripeListFailed extends Error {
  override readonly name = 'StripeListFailed';

  constructor(reason: string) {
    super(`listing charges at Stripe failed: ${reason}`);
  }
}
