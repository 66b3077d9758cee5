/** What the workers run: one file per durable promise. */
export { checkout } from './session/checkout.ts';
export { deliverEvents } from './webhook/deliver-events.ts';
export { methodChange } from './session/method-change.ts';
export { pruneEvents } from './webhook/prune-events.ts';
export { reconcile } from './payment/reconcile.ts';
export { recoverDeliveries } from './webhook/recover-deliveries.ts';
export { refund } from './refund/refund.ts';
export { subscription } from './subscription/subscription.ts';
export { sweep } from './core/sweep.ts';
