/** The records, indexed for the assertions. */
import type { PromiseName } from './promises.ts';
import type { Exchange, Payment, Records, Session } from './records.ts';

export interface Violation {
  /** The broken promise. */
  readonly promise: PromiseName;
  /** The id of the promise's subject. */
  readonly subject: string;
  readonly found: string;
}

export interface Facts extends Records {
  readonly paymentById: ReadonlyMap<string, Payment>;
  readonly sessionByOrder: ReadonlyMap<string, Session>;
  /** Cents that the rail charged and refunded, by reference. */
  readonly taken: ReadonlyMap<string, number>;
  readonly returned: ReadonlyMap<string, number>;
  /** Ids in the service's list of incidents for operators. */
  readonly listed: ReadonlySet<string>;
  /** Ids of subscriptions that a lost dispute has stopped: they end with their period, and unpaid invoices with them. */
  readonly stoppedByDispute: ReadonlySet<string>;
  /** True if commits of this instant were lost in a restore. */
  isLost(instant: string): boolean;
  /**
   * Whether the state reported by this response may have been lost in a restore: it was committed between request and
   * response.
   */
  isAnswerLost(exchange: Pick<Exchange, 'sentAt' | 'answeredAt'>): boolean;
}

export function factsOf(records: Records): Facts {
  const taken = new Map<string, number>();
  for (const { operation, reference, amount } of records.ledger) {
    if (operation !== 'refund') taken.set(reference, (taken.get(reference) ?? 0) + amount);
  }
  const returned = new Map<string, number>();
  for (const { chargeReference, amount, status } of records.railRefunds) {
    if (status === 'succeeded') returned.set(chargeReference, (returned.get(chargeReference) ?? 0) + amount);
  }
  // A charge that the rail cancelled after its approval counts as 0.
  for (const { reference, status, amount } of records.charges) {
    if (status === 'cancelled' && taken.has(reference)) returned.set(reference, amount);
  }
  return {
    ...records,
    paymentById: new Map(records.payments.map((payment) => [payment.id, payment])),
    sessionByOrder: new Map(
      records.sessions.flatMap((session) => (session.order_id ? [[session.order_id, session]] : [])),
    ),
    taken,
    returned,
    // A listed dispute does not excuse a difference in the service's own records.
    listed: new Set(
      records.incidents
        .filter(({ kind }) => kind !== 'dispute_open')
        .flatMap(({ id, payment_id }) => [id, payment_id ?? id]),
    ),
    stoppedByDispute: stoppedByDispute(records),
    isLost: (instant) => records.restores.some(({ target, at }) => instant >= target && instant <= at),
    isAnswerLost: ({ sentAt, answeredAt }) =>
      records.restores.some(({ target, at, stoppedAt = at }) => answeredAt >= target && sentAt <= stoppedAt),
  };
}

function stoppedByDispute({ disputes, payments, invoices }: Records): ReadonlySet<string> {
  const lost = new Set(disputes.filter(({ status }) => status === 'lost').map((each) => each.payment_id));
  const orders = new Set(payments.filter(({ id }) => lost.has(id)).map(({ order_id }) => order_id));
  return new Set(
    invoices.flatMap(({ order_id, subscription_id }) =>
      order_id && subscription_id && orders.has(order_id) ? [subscription_id] : [],
    ),
  );
}

/** Groups by a key, without entries whose key is null. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string | null) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
