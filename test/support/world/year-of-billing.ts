/**
 * A year of a monthly subscription with a trial, run on a time-skipping server and through the sandbox clock over HTTP.
 * It has two soft declines, a plan change, an offering change, a required authentication, two new cards and a
 * cancellation. The expected books are exact to the cent and to the day.
 */
import { addDays, boundary } from '../../../domain/core/calendar.ts';

export const YEAR = {
  trialDays: 14,
  /** Cents a month: the first plan, another in its offering, and one in another offering. */
  basic: 900,
  plus: 1_900,
  elsewhere: 700,
  firstCard: '4000009000000433',
  cardThatWantsItsCustomer: '4000009000000417',
  lastCard: '4242424242424242',
} as const;

/** The actions of merchant, customer and clock during the year. */
export interface YearActor {
  /** When the trial began. */
  readonly begunAt: string;
  /** Lets time pass, and lets everything due on the way happen. */
  advanceTo(instant: string): Promise<void>;
  changePlan(): Promise<void>;
  changeOffering(): Promise<void>;
  changeCard(card: string): Promise<void>;
  cancelAtPeriodEnd(): Promise<void>;
}

/** The ends of the trial and of the months after it. */
function calendarOf(begunAt: string): (month: number, days?: number) => string {
  const trialEnd = addDays(begunAt, YEAR.trialDays);
  return (month, days = 0) => addDays(boundary(trialEnd, 'month', month), days);
}

export async function liveTheYear(actor: YearActor): Promise<void> {
  const at = calendarOf(actor.begunAt);
  await actor.advanceTo(at(0, 8));
  await actor.changePlan();
  await actor.advanceTo(at(2, 3));
  await actor.changeOffering();
  await actor.advanceTo(at(4, 3));
  await actor.changeCard(YEAR.cardThatWantsItsCustomer);
  await actor.advanceTo(at(5, 3));
  await actor.changeCard(YEAR.lastCard);
  await actor.advanceTo(at(7, 5));
  await actor.cancelAtPeriodEnd();
  await actor.advanceTo(at(12));
}

export interface Books {
  /** Oldest first. */
  readonly invoices: readonly {
    readonly issuedAt: string;
    readonly amount: number;
    readonly taxAmount: number;
    readonly status: string;
    readonly amountDue: number;
    readonly number: string;
  }[];
  /** The rail's off-session charges, in order. */
  readonly charges: readonly number[];
  readonly events: readonly { readonly type: string; readonly occurredAt: string }[];
  readonly status: string;
  readonly cancelledAt: string | null;
}

/** Instants as days since the beginning, so that the books of two years can be compared. */
export function legible(books: Books, begunAt: string) {
  const day = (instant: string) => Math.round((Date.parse(instant) - Date.parse(begunAt)) / 86_400_000);
  return {
    invoices: books.invoices.map(
      ({ issuedAt, amount, taxAmount, status, amountDue }) =>
        `day ${day(issuedAt)}: ${amount} with ${taxAmount} tax, ${status}, ${amountDue} due`,
    ),
    charges: books.charges,
    events: books.events.map(({ type, occurredAt }) => `day ${day(occurredAt)}: ${type}`).sort(inOrder),
    end: `${books.status} on day ${day(books.cancelledAt ?? begunAt)}`,
  };
}

export function expectedBooks(begunAt: string) {
  const at = calendarOf(begunAt);
  const day = (instant: string) => Math.round((Date.parse(instant) - Date.parse(begunAt)) / 86_400_000);
  const { basic, plus, elsewhere } = YEAR;
  const amounts = [basic, plus, plus, elsewhere, elsewhere, elsewhere, elsewhere, elsewhere];
  const tax: Readonly<Record<number, number>> = { [basic]: 144, [plus]: 303, [elsewhere]: 112 };
  const on = (instant: string, ...types: readonly string[]) =>
    types.map((type) => `day ${day(instant)}: ${type}`);
  const renewal = ['invoice.created', 'subscription.updated', 'payment.succeeded'];
  const declined = ['payment.failed', 'invoice.payment_failed'];
  return {
    invoices: amounts.map(
      (amount, month) => `day ${day(at(month))}: ${amount} with ${tax[amount]} tax, created, 0 due`,
    ),
    charges: amounts,
    events: [
      ...on(begunAt, 'subscription.created'),
      // The trial ends: declined, declined again two days later, paid on day 7.
      ...on(at(0), 'invoice.created', 'subscription.updated', ...declined, 'subscription.updated'),
      ...on(at(0, 2), ...declined),
      ...on(at(0, 7), 'payment.succeeded', 'subscription.updated'),
      ...on(at(0, 8), 'subscription.updated'),
      ...[1, 2].flatMap((month) => on(at(month), ...renewal)),
      ...on(at(2, 3), 'subscription.updated'),
      ...[3, 4].flatMap((month) => on(at(month), ...renewal)),
      ...on(at(4, 3), 'payment_method.updated'),
      ...on(at(5), 'invoice.created', 'subscription.updated', ...declined, 'subscription.updated'),
      ...on(at(5), 'payment_method.updated_required'),
      ...on(at(5, 3), 'payment_method.updated', 'payment.succeeded', 'subscription.updated'),
      ...[6, 7].flatMap((month) => on(at(month), ...renewal)),
      ...on(at(7, 5), 'subscription.updated'),
      ...on(at(8), 'subscription.cancelled'),
    ].sort(inOrder),
    end: `cancelled on day ${day(at(8))}`,
  };
}

function inOrder(a: string, b: string): number {
  const dayOf = (line: string) => Number(/^day (-?\d+)/.exec(line)?.[1]);
  return dayOf(a) - dayOf(b) || (a < b ? -1 : a > b ? 1 : 0);
}
