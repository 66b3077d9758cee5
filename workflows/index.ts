/**
 * The workflows that the workers run, one durable promise per file. Begin with the main loop in `session/checkout.ts`,
 * then read `domain/session/session.ts`, which decides what is due. `subscription` and `refund` have the same
 * structure; `core/` contains shared code. `(rule 12)` refers to a section of `docs/rules.md`, which also defines the
 * terms.
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
