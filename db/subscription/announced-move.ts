/** A price move as a subscription's row has it: announced, and applied by the first renewal from an instant on. */
import { z } from 'zod';
import { MAX_CENTS } from '../../domain/core/money.ts';
import { sql } from '../core/pool.ts';

export const announcedMove = z.object({
  id: z.string(),
  /** Not before the notice to this subscriber has passed, by its clock; null once it has applied. */
  from: z
    .string()
    .nullable()
    .transform((at) => at && new Date(at).toISOString()),
  old_price_id: z.string(),
  new_price_id: z.string(),
  /** The new price of one. */
  unit_amount: z.number(),
  is_cancelled: z.boolean(),
});
export type AnnouncedMove = z.infer<typeof announcedMove>;

/** Selects the move announced for a subscription as one object; null without one. */
export const announcedMoveOf = (of: ReturnType<typeof sql.fragment>) => sql.fragment`(
  select jsonb_build_object('id', move.id, 'from', ${of}.price_moves_from, 'old_price_id', move.old_price_id,
    'new_price_id', move.new_price_id, 'unit_amount', new_price.amount, 'is_cancelled', move.cancelled_at is not null)
  from price_moves move join prices new_price on new_price.id = move.new_price_id
  where move.id = ${of}.price_move_id)`;

/** True if the new price, times the quantity of a subscription `s`, is not too much for an amount. */
export const isWithinCents = sql.fragment`(new_price.amount::bigint * s.quantity <= ${MAX_CENTS})`;

interface PricedTerms {
  readonly price_id: string;
  readonly quantity: number;
  /** Unit price times quantity. */
  readonly amount: number;
}

/**
 * Returns the terms of a period that begins at an instant: at the new price if the move holds by then. A quantity for
 * which the new price is too much for an amount keeps the old one.
 */
export function movedAt<Terms extends PricedTerms>(
  move: AnnouncedMove | null,
  terms: Terms,
  at: string,
): Terms {
  if (!move?.from || move.is_cancelled || terms.price_id !== move.old_price_id || at < move.from)
    return terms;
  const amount = move.unit_amount * terms.quantity;
  return amount > MAX_CENTS ? terms : { ...terms, price_id: move.new_price_id, amount };
}
