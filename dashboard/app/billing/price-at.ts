import type { Schemas } from '../api/description.ts';
import { money } from '../words/format.ts';

type Renewing = Pick<Schemas['SubscriptionDetailsAnswer'], 'next_renewal' | 'price_move' | 'currency'>;

/** Returns the next period's charge as text, if that period begins at `at`; empty if none follows. */
export function priceAt({ next_renewal: next, price_move: move, currency }: Renewing, at: string): string {
  const totals = move && next?.totals_of_move;
  if (!totals) return next ? money(next.total, currency) : '';
  return money(Date.parse(at) >= Date.parse(move.from) ? totals.after : totals.before, currency);
}
