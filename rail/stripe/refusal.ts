/** Stripe rejects the call as invalid: a bug in this service. */
export class StripeRefusedCall extends Error {
  override readonly name = 'StripeRefusedCall';

  constructor(detail: string) {
    super(`Stripe rejects a call: ${detail}`);
  }
}

/** `listSince` has no "unknown" outcome: it throws, and the caller retries later. */
export class StripeListFailed extends Error {
  override readonly name = 'StripeListFailed';

  constructor(reason: string) {
    super(`listing charges at Stripe failed: ${reason}`);
  }
}
