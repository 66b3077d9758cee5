/** Money is refunded as often, and in the amounts, as requested. */
import { type Facts, groupBy, type Violation } from './facts.ts';
import type { Exchange } from './records.ts';

const PAID = new Set(['succeeded', 'partially_refunded', 'refunded']);

export function checkRefunds(facts: Facts): Violation[] {
  return [
    ...refundsAgree(facts),
    ...refundedPaymentsAgree(facts),
    ...refundsAreKnown(facts),
    ...oneRefundPerKey(facts),
    ...disputedIsConfirmed(facts),
  ];
}

function refundsAgree({ refunds, railRefunds, listed }: Facts): Violation[] {
  const found: Violation[] = [];
  const atRail = new Map(railRefunds.map((refund) => [refund.reference, refund]));
  for (const { id, status, amount, payment_id } of refunds) {
    const other = atRail.get(id);
    const problem = (text: string) => {
      if (!listed.has(id)) found.push({ promise: 'refunds agree with the rail', subject: id, found: text });
    };
    if (status === 'succeeded' && other?.status !== 'succeeded') problem('succeeded here, not at the rail');
    if (status !== 'succeeded' && other?.status === 'succeeded')
      problem(`${status} here, refunded by the rail`);
    if (other && (other.amount !== amount || other.chargeReference !== payment_id))
      problem(`${amount} of ${payment_id} here, ${other.amount} of ${other.chargeReference} at the rail`);
  }
  return found;
}

function refundedPaymentsAgree({ payments, returned, listed, taken }: Facts): Violation[] {
  const found: Violation[] = [];
  for (const { id, status, amount } of payments) {
    const back = returned.get(id) ?? 0;
    const problem = (text: string) =>
      found.push({ promise: 'refunded payments agree with the rail', subject: id, found: text });
    if (back > (taken.get(id) ?? 0)) problem(`${back} of ${taken.get(id) ?? 0} cents were refunded`);
    if (listed.has(id) || !PAID.has(status)) continue;
    const expected = back === 0 ? 'succeeded' : back >= amount ? 'refunded' : 'partially_refunded';
    if (amount > 0 && status !== expected) problem(`${status}, but ${back} of ${amount} cents were refunded`);
  }
  return found;
}

/** Any other refund returns an orphaned charge, which is then fully refunded at the rail. */
function refundsAreKnown({ railRefunds, refunds, paymentById, taken, returned, listed }: Facts): Violation[] {
  const known = new Set(refunds.map(({ id }) => id));
  return railRefunds.flatMap(({ reference, chargeReference, amount, status }) => {
    if (status !== 'succeeded' || known.has(reference)) return [];
    if (listed.has(reference) || listed.has(chargeReference)) return [];
    const payment = paymentById.get(chargeReference);
    const isWhole = (returned.get(chargeReference) ?? 0) === taken.get(chargeReference);
    if (isWhole && !PAID.has(payment?.status ?? '')) return [];
    const found = `${amount} cents of ${chargeReference}, which is ${payment?.status ?? 'unknown'}`;
    return [{ promise: 'every refund was requested', subject: reference, found }];
  });
}

/** A key's request makes at most one refund, whatever ids the service gives it. */
function oneRefundPerKey({ refunds, exchanges, orders, isLost }: Facts): Violation[] {
  const requests = exchanges.filter(({ path }) => path === '/v1/refunds');
  // An order lost in a restore is created again under another id: the response shows which payment it had.
  const told = requests.flatMap(({ status, answer }): [string, string][] => {
    if (status !== 201) return [];
    const refund = JSON.parse(answer ?? '{}') as { readonly order_id: string; readonly payment_id: string };
    return [[refund.order_id, refund.payment_id]];
  });
  const paymentOf = new Map([...orders.map(({ id, payment_id }) => [id, payment_id] as const), ...told]);
  const asked = groupBy(requests, ({ body }) => subjectOf(body, paymentOf));
  const made = groupBy(
    // After a restore, the return of an orphaned charge is adopted as a refund.
    refunds.filter(({ id, status, payment_id }) => status !== 'failed' && id !== `${payment_id}-return`),
    ({ payment_id, amount }) => `${payment_id} ${amount}`,
  );
  return [...made].flatMap(([subject, all]) => {
    const byKey = groupBy(asked.get(subject) ?? [], ({ key }) => key);
    // A restore loses the key of a refund that is found at the rail, so its repeat may be refused.
    const keys = [...byKey.values()].filter(
      (tries) => !isRefused(tries) || tries.some(({ answeredAt }) => isLost(answeredAt)),
    );
    if (all.length <= keys.length) return [];
    const found = `${all.length} refunds by ${keys.length} keys: ${all.map(({ id }) => id).join(', ')}`;
    return [{ promise: 'one refund per key', subject, found }];
  });
}

/** A refund names a payment, or the order that it paid. */
function subjectOf(body: string | null | undefined, paymentOf: ReadonlyMap<string, string | null>): string {
  const { paymentId, orderId, amount } = JSON.parse(body ?? '{}') as {
    readonly paymentId?: string;
    readonly orderId?: string;
    readonly amount?: number;
  };
  return `${paymentId ?? paymentOf.get(orderId ?? '')} ${amount}`;
}

/** Once the merchant was notified of a dispute, which here covers the whole payment, refunds need a confirmation. */
function disputedIsConfirmed({ exchanges, received, disputes, orders, isLost }: Facts): Violation[] {
  const isWon = new Set(disputes.filter(({ status }) => status === 'won').map((each) => each.payment_id));
  const since = new Map<string, string>();
  for (const { rawBody, at } of received) {
    const { alert, dispute, occurred_at } = JSON.parse(rawBody) as Alert;
    if (alert?.code !== 'dispute_opened' || !dispute || isLost(at) || isWon.has(dispute.payment_id)) continue;
    const earlier = since.get(dispute.payment_id);
    if (!earlier || occurred_at < earlier) since.set(dispute.payment_id, occurred_at);
  }
  const paymentOf = new Map(orders.map(({ id, payment_id }) => [id, payment_id]));
  const requests = exchanges.filter(({ path }) => path === '/v1/refunds');
  // A repeated request is checked against the facts known when it was first sent.
  return [...groupBy(requests, ({ key }) => key)].flatMap(([subject, tries]) => {
    const { paymentId, orderId, confirmDispute } = JSON.parse(tries[0]?.body ?? '{}') as {
      readonly paymentId?: string;
      readonly orderId?: string;
      readonly confirmDispute?: boolean;
    };
    const disputedAt = since.get(paymentId ?? paymentOf.get(orderId ?? '') ?? '');
    const isLate = disputedAt !== undefined && tries.every(({ sentAt }) => sentAt > disputedAt);
    if (!isLate || confirmDispute || tries.every(({ status }) => status !== 201)) return [];
    const found = `refunded without a confirmation, disputed at ${disputedAt}`;
    return [{ promise: 'a disputed payment is refunded only if confirmed', subject, found }];
  });
}

interface Alert {
  readonly occurred_at: string;
  readonly alert?: { readonly code: string } | null;
  readonly dispute?: { readonly payment_id: string } | null;
}

const REFUSALS = new Set([400, 404, 422, 501]);

/** True if every response was a permanent rejection. */
const isRefused = (tries: readonly Exchange[]) =>
  tries.some(
    ({ status, answer }) => REFUSALS.has(status) || /payment_(?:not_refundable|disputed)/.test(answer ?? ''),
  ) && tries.every(({ status }) => status !== 201);
