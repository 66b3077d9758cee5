/** A price move announced to a subscription: it applies from the first renewal at or after `from`. */
import { z } from 'zod';
import { MAX_CENTS } from '../../../domain/core/money.ts';
import { type Fragment, sql } from '../../core/pool.ts';

const jsonInstant = z
  .string()
  .nullable()
  .transform((at) => at && new Date(at).toISOString());

export const announcedMove = z.object({
  id: z.string(),
  /** By the subscription's clock, and not before the notice period ends; null once the move is applied. */
  from: jsonInstant,
  old_price_id: z.string(),
  new_price_id: z.string(),
  /** The new unit price. */
  unit_amount: z.number(),
  /** The time of the cancellation, by the subscription's clock. */
  cancelled_at: jsonInstant,
});
export type AnnouncedMove = z.infer<typeof announcedMove>;

/** Selects the move announced for a subscription as one object; null without one. */
export const announcedMoveOf = (of: Fragment) => sql.fragment`(
  select jsonb_build_object('id', move.id, 'from', ${of}.price_moves_from, 'old_price_id', move.old_price_id,
    'new_price_id', move.new_price_id, 'unit_amount', new_price.amount, 'cancelled_at',
    case when move.cancelled_at is not null
      then move.cancelled_at + (subscription_clock(${of}.id) - service_clock()) end)
  from price_moves move join prices new_price on new_price.id = move.new_price_id
  where move.id = ${of}.price_move_id)`;

/**
 * True if the new price times the quantity of subscription `s` is at most `MAX_CENTS`, both before and after a
 * scheduled change.
 */
export const isWithinCents = sql.fragment`(new_price.amount::bigint * greatest(s.quantity, (
  select c.quantity from subscription_changes c where c.subscription_id = s.id and c.status = 'scheduled')) <= ${MAX_CENTS})`;

interface PricedTerms {
  readonly price_id: string;
  readonly quantity: number;
  /** Unit price times quantity. */
  readonly amount: number;
}

/**
 * Returns the terms of a period that begins at an instant: with the new price if the move applies by then. The old
 * price stays if the new one, times the quantity, exceeds `MAX_CENTS`.
 */
export function movedAt<Terms extends PricedTerms>(
  move: AnnouncedMove | null,
  terms: Terms,
  at: string,
): Terms {
  if (!move?.from || move.cancelled_at !== null || terms.price_id !== move.old_price_id || at < move.from)
    return terms;
  const amount = move.unit_amount * terms.quantity;
  return amount > MAX_CENTS ? terms : { ...terms, price_id: move.new_price_id, amount };
}
