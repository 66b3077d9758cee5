/**
 * Every response has its subject's amount and currency, from the service to its clients and from the rail to the
 * service.
 */
import type { Facts, Violation } from './facts.ts';

interface Money {
  readonly amount: number;
  readonly currency: string;
}

const PROMISE = 'every response has the right amount';

export function checkAmounts(facts: Facts): Violation[] {
  return [...answersOfTheService(facts), ...answersOfTheRail(facts)];
}

/**
 * Checks every object in a response that has an id, an amount and a currency, except sessions repriced by a coupon.
 */
function answersOfTheService({ exchanges, sessions, refunds, payments }: Facts): Violation[] {
  const priced = sessions.filter(
    ({ id, coupon }) =>
      !coupon && !exchanges.some(({ body, answer }) => body?.includes('couponCode') && answer?.includes(id)),
  );
  const known = moneyOf([...priced, ...refunds, ...payments]);
  return exchanges.flatMap(({ path, answer }) =>
    amountsIn(parsed(answer)).flatMap(({ id, ...told }) =>
      differs(id, `${path} answered`, told, known.get(id)),
    ),
  );
}

/** Checks the rail's lists and books under our references, except charges that are listed for a person. */
function answersOfTheRail({ ledger, charges, railRefunds, payments, refunds, listed }: Facts): Violation[] {
  const known = moneyOf([...payments, ...refunds]);
  // A charge that was cancelled before it arrived has no amount.
  const told = [...charges.filter(({ amount }) => amount > 0), ...railRefunds, ...ledger];
  return told
    .filter(({ reference }) => !listed.has(reference))
    .flatMap(({ reference, ...money }) => differs(reference, 'the rail has', money, known.get(reference)));
}

function moneyOf(all: readonly (Money & { readonly id: string })[]): ReadonlyMap<string, Money> {
  return new Map(all.map((each) => [each.id, each]));
}

function differs(subject: string, who: string, told: Money, known: Money | undefined): Violation[] {
  if (!known || (told.amount === known.amount && told.currency === known.currency)) return [];
  const found = `${who} ${told.amount} ${told.currency}, but ${known.amount} ${known.currency} are listed`;
  return [{ promise: PROMISE, subject, found }];
}

function parsed(answer: string | null): unknown {
  try {
    return JSON.parse(answer ?? 'null');
  } catch {
    return null;
  }
}

function amountsIn(value: unknown): (Money & { readonly id: string })[] {
  if (value === null || typeof value !== 'object') return [];
  const { id, amount, currency } = value as Record<string, unknown>;
  const own =
    typeof id === 'string' && typeof amount === 'number' && typeof currency === 'string'
      ? [{ id, amount, currency }]
      : [];
  return [...own, ...Object.values(value).flatMap(amountsIn)];
}
