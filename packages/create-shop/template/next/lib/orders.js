/** In production: a table whose key is the event's id, written in the same transaction as the event's effects. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

const ORDERS = 'orders.jsonl';

export function ordersSoFar() {
  if (!existsSync(ORDERS)) return [];
  return readFileSync(ORDERS, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
}

/** Records an order once: an event may arrive more than once. */
export function deliver(order) {
  if (ordersSoFar().some(({ id }) => id === order.id)) return;
  appendFileSync(ORDERS, `${JSON.stringify(order)}\n`);
  console.log(`Delivered for payment ${order.payment}.`);
}
