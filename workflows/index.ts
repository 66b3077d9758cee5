/**
 * The workflows that the workers run, one durable promise per file. Begin with `session/checkout.ts`, its main loop;
 * then `domain/session/session.ts` decides what is due.
 * `subscription` and `refund` have the same shape; `core/` is what they share. `(rule 12)` is a section of `docs/rules.md`, which also defines the terms.
 */

export { reconcile } from './payment/reconcile.ts';
export { refund } from './refund/refund.ts';
export { restore } from './restore/restore.ts';
export { checkout } from './session/checkout.ts';
export { methodChange } from './session/method-change.ts';
export { paymentLink } from './session/payment-link.ts';
export { subscription } from './subscription/subscription.ts';
export { sweep } from './sweep/sweep.ts';
export { deliverEvents } from './webhook/deliver-events.ts';
export { pruneEvents } from './webhook/prune-events.ts';
export { recoverDeliveries } from './webhook/recover-deliveries.ts';
