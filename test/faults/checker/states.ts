/** States move only along the contract's tables, and nothing is left unfinished. */
import { type Facts, groupBy, type Violation } from './facts.ts';
import type { Observed } from './records.ts';
import { nothingIsUnfinished } from './unfinished.ts';

/** A second copy of docs/contract.md#state-machines, because the checker must not trust the code. */
const TABLES: Readonly<Record<Observed['kind'], Readonly<Record<string, readonly string[]>>>> = {
  session: {
    created: ['processing', 'failed'],
    processing: ['succeeded', 'requires_action', 'created', 'failed', 'reconciliation_required'],
    requires_action: ['processing', 'created', 'failed', 'reconciliation_required'],
    reconciliation_required: ['succeeded', 'failed', 'created'],
    succeeded: [],
    failed: [],
  },
  payment: {
    processing: ['requires_action', 'succeeded', 'failed', 'cancelled'],
    requires_action: ['processing', 'failed', 'cancelled'],
    succeeded: ['partially_refunded', 'refunded'],
    partially_refunded: ['refunded'],
    refunded: [],
    failed: [],
    cancelled: [],
  },
  subscription: {
    incomplete: ['trialing', 'active', 'expired'],
    trialing: ['active', 'cancelled'],
    active: ['past_due', 'paused', 'cancelled'],
    past_due: ['active', 'cancelled'],
    paused: ['active', 'past_due', 'cancelled'],
    cancelled: [],
    expired: [],
  },
  // `failed` to `succeeded`: an operator corrects a refund that the rail has made after all.
  refund: { pending: ['succeeded', 'failed'], succeeded: [], failed: ['succeeded'] },
};
/** Between two observations an object may take several steps, so only the existence of a path matters. */
const REACHABLE = new Map<string, ReadonlySet<string>>();

export function checkStates(facts: Facts): Violation[] {
  return [
    ...onlyAlongTheTables(facts),
    ...nothingIsUnfinished(facts),
    ...numbersHaveNoGap(facts),
    ...numbersAreGivenOnce(facts),
  ];
}

function reachableFrom(kind: Observed['kind'], state: string): ReadonlySet<string> {
  const key = `${kind} ${state}`;
  const known = REACHABLE.get(key);
  if (known) return known;
  const reached = new Set<string>([state]);
  for (const each of reached) for (const next of TABLES[kind][each] ?? []) reached.add(next);
  REACHABLE.set(key, reached);
  return reached;
}

function onlyAlongTheTables(facts: Facts): Violation[] {
  const { observed, seen, sessions, payments, subscriptions, refunds, endedAt, restores } = facts;
  const last = <Item extends { readonly id: string }>(
    kind: Observed['kind'],
    items: readonly Item[],
    stateOf: (item: Item) => string,
  ): Observed[] => items.map((item) => ({ kind, id: item.id, state: stateOf(item), at: endedAt }));
  const all: Observed[] = [
    ...observed,
    ...seen.map(({ sessionId, state, at }) => ({ kind: 'session' as const, id: sessionId, state, at })),
    ...last('session', sessions, ({ state }) => state),
    ...last('payment', payments, ({ status }) => status),
    ...last('subscription', subscriptions, ({ status }) => status),
    ...last('refund', refunds, ({ status }) => status),
  ];
  return [...groupBy(all, ({ kind, id }) => `${kind} ${id}`)].flatMap(([subject, looks]) => {
    const inOrder = looks.toSorted((one, other) => one.at.localeCompare(other.at));
    return inOrder.slice(1).flatMap((look, index) => {
      const before = inOrder[index] ?? look;
      // Two responses in flight can arrive in either order; a restore undoes commits.
      const isTaken = restores.some(({ target, at }) => before.at <= at && look.at >= target);
      const isClose = Date.parse(look.at) - Date.parse(before.at) < 2_000;
      if (isTaken || reachableFrom(look.kind, before.state).has(look.state)) return [];
      if (isClose && reachableFrom(look.kind, look.state).has(before.state)) return [];
      const found = `${before.state} at ${before.at}, ${look.state} at ${look.at}`;
      return [{ promise: 'states follow their tables', subject, found }];
    });
  });
}

const WITHOUT_GAP = 'invoice numbers have no gaps';

/** A number that a restore skipped is neither expected nor reused: the lost database may have issued it. */
function numbersHaveNoGap({ invoices, skippedNumbers }: Facts): Violation[] {
  const numbers = invoices.flatMap(({ number }) => (number === null ? [] : [number]));
  const years = groupBy(numbers, (number) => number.slice(0, number.lastIndexOf('-')));
  return [...years].flatMap(([year, all]) => {
    const counted = all.map((number) => Number(number.slice(year.length + 1))).sort((a, b) => a - b);
    const skipped = skippedNumbers.filter((each) => `${each.year}` === year);
    let due = 1;
    for (const number of counted) {
      while (skipped.some(({ from, to }) => from <= due && due <= to)) due += 1;
      const found = `number ${number} instead of ${due}`;
      if (number !== due) return [{ promise: WITHOUT_GAP, subject: year, found }];
      due += 1;
    }
    return [];
  });
}

/** A merchant may hold an invoice that a restore lost, so no other invoice may have its number. */
function numbersAreGivenOnce({ invoices, received }: Facts): Violation[] {
  const reported = received
    .filter(({ type }) => type === 'invoice.created')
    .map(({ rawBody }) => (JSON.parse(rawBody) as { readonly invoice: (typeof invoices)[number] }).invoice);
  return [...groupBy([...reported, ...invoices], ({ number }) => number)].flatMap(([subject, all]) => {
    const ids = new Set(all.map(({ id }) => id));
    return ids.size > 1 ? [{ promise: WITHOUT_GAP, subject, found: [...ids].join(', ') }] : [];
  });
}
