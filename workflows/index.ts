/** What the workers run: one file per durable promise. */
export { checkout } from './checkout.ts';
export { deliverEvents } from './deliver-events.ts';
export { methodChange } from './method-change.ts';
export { pruneEvents } from './prune-events.ts';
export { reconcile } from './reconcile.ts';
export { recoverDeliveries } from './recover-deliveries.ts';
export { refund } from './refund.ts';
export { subscription } from './subscription.ts';
export { sweep } from './sweep.ts';
