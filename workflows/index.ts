/** The workflows that the workers run, one durable promise per file. */

export { sweep } from './core/sweep.ts';
export { reconcile } from './payment/reconcile.ts';
export { refund } from './refund/refund.ts';
export { restore } from './restore/restore.ts';
export { checkout } from './session/checkout.ts';
export { methodChange } from './session/method-change.ts';
export { subscription } from './subscription/subscription.ts';
export { deliverEvents } from './webhook/deliver-events.ts';
export { pruneEvents } from './webhook/prune-events.ts';
export { recoverDeliveries } from './webhook/recover-deliveries.ts';
