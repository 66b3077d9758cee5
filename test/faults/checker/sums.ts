/** Each order, invoice and payment adds up to the same cents. */
import { type Facts, groupBy, type Violation } from './facts.ts';

const PAID = new Set(['succeeded', 'partially_refunded', 'refunded']);
const PROMISE = 'orders, invoices and payments add up';

const sum = (lines: readonly { readonly amount: number }[]) =>
  lines.reduce((total, { amount }) => total + amount, 0);

export function checkSums(facts: Facts): Violation[] {
  return [...ordersAddUp(facts), ...invoicesAddUp(facts)].map((wrong) => ({ promise: PROMISE, ...wrong }));
}

type Wrong = Omit<Violation, 'promise'>;

function ordersAddUp({ orders, paymentById, sessionByOrder }: Facts): Wrong[] {
  const wrong: Wrong[] = [];
  for (const { id, amount, line_items, payment_id, status } of orders) {
    if (line_items.length > 0 && sum(line_items) !== amount)
      wrong.push({ subject: id, found: `${amount}, but its lines add up to ${sum(line_items)}` });
    const payment = payment_id ? paymentById.get(payment_id) : undefined;
    if (status === 'completed' && payment && payment.amount !== amount)
      wrong.push({ subject: id, found: `${amount}, but its payment is ${payment.amount}` });
    const session = sessionByOrder.get(id);
    if (session && session.amount !== amount)
      wrong.push({ subject: id, found: `${amount}, but its session is ${session.amount}` });
  }
  return wrong;
}

/** An invoice bills its order, a settled one has been paid in full, and each payment of an order has one. */
function invoicesAddUp({ invoices, orders, payments, listed }: Facts): Wrong[] {
  const wrong: Wrong[] = [];
  const orderById = new Map(orders.map((order) => [order.id, order]));
  const paidByOrder = groupBy(
    payments.filter(({ status, rail }) => PAID.has(status) && rail !== null),
    ({ order_id }) => order_id,
  );
  for (const { id, order_id, status, amount_due, line_items } of invoices) {
    const billed = sum(line_items);
    const order = order_id ? orderById.get(order_id) : undefined;
    const [paid] = (order_id && paidByOrder.get(order_id)) || [];
    if (order && order.amount !== billed)
      wrong.push({ subject: id, found: `its lines add up to ${billed}, but its order is ${order.amount}` });
    if (status === 'created' && amount_due !== 0)
      wrong.push({ subject: id, found: `${status} with ${amount_due} cents due` });
    if ((status === 'open' || status === 'payment_failed') && amount_due !== billed)
      wrong.push({ subject: id, found: `${status} with ${amount_due} of ${billed} cents due` });
    if (status === 'created' && !listed.has(paid?.id ?? '') && (paid?.amount ?? 0) !== billed)
      wrong.push({
        subject: id,
        found: `settled, ${billed} cents, but ${paid?.amount ?? 'nothing'} was paid`,
      });
  }
  const ofOrder = groupBy(invoices, ({ order_id }) => order_id);
  for (const [order, paid] of paidByOrder) {
    const times = ofOrder.get(order)?.length ?? 0;
    const isListed = paid.some(({ id }) => listed.has(id));
    if (paid.some(({ amount }) => amount > 0) && times !== 1 && !isListed)
      wrong.push({ subject: order, found: `paid, with ${times} invoices` });
  }
  return wrong;
}
